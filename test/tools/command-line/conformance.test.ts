import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Test } from 'tap'
import { command } from '../../../tools/command-line/conformance.js'
import type { Io } from '../../../src/command-line/command.js'
import { testApp } from '../../support/app.js'
import { run as runMain } from '../../support/command-line.js'
import { portOf } from '../../support/http.js'
import { whole } from '../../support/whole.js'

const { PATH } = process.env
async function run (args: string[], env: Io['env'] = {}): Promise<{ code: number, output: string, said: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const io = { stdin, stdout, stderr, env: { PATH, ...env }, openTerminal () { throw new Error('there is none') } }
  const code = await command.run(args, io, {}) ? 0 : 1
  stdout.end()
  stderr.end()
  return { code, output: await text(stdout), said: await text(stderr) }
}

/** A JavaScript program that is one line, as a command. */
const node = (program: string): string[] => ['--', process.execPath, '-e', program]

t.test('numbers arrive as they are spelled in the vectors', async t => {
  const { output } = await run(['--json', '--variant', 'B', '--rule', '4.1 amount number', ...node(
    'process.stdin.on("data", data => { console.error(/"amount": ([^,}]*)/.exec(data)[1]); process.exitCode = 3 })'
  )])
  t.same(JSON.parse(output).failures.map(({ problem }: { problem: string }) => problem), [
    'exit code 3: 100', 'exit code 3: 100.00', 'exit code 3: 100.50', 'exit code 3: 0.1', 'exit code 3: 1e21',
    'exit code 3: 0.0000001'
  ])
})

for (const [what, program, problem] of [
  ['prints nothing', '', 'the output is empty'],
  ['fails without a word', 'process.exitCode = 1', 'exit code 1'],
  ['names the token', 'console.error("no " + process.env.MERCHANT_TOKEN); process.exitCode = 1', 'exit code 1: no <merchantToken>'],
  ['is killed', 'process.kill(process.pid, "SIGKILL")', 'killed by SIGKILL'],
  ['floods', 'process.stdout.write("x".repeat(2 ** 24 + 1))', 'too much output'],
  ['prints capitals', 'console.log("AB///CD")', 'not a signature: AB///CD'],
  ['knows the variant', 'console.log(process.env.VARIANT)', 'not a signature: B']
] as const) {
  t.test(`one that ${what}`, async t => {
    const { code, output } = await run(['--variant', 'B', '--rule', 'long text', ...node(program)])
    t.equal(code, 1)
    t.match(output, `✗ B, 4.2 long text: long: an order id of 300 characters\n    ${problem}\n`)
    t.match(output, /\n0 of 1 vectors passed\n$/)
  })
}

t.test('long texts are cut, and only ten failures are shown', async t => {
  const { output } = await run(['--batch', ...node(`console.log('${'0'.repeat(64)}///${'0'.repeat(64)}\\n'.repeat(322) + '!')`)])
  t.match(output, '\nand 313 more; --json lists them all\n\n0 of 323 vectors passed\n')
  const long = await run(['--rule', 'long text', '--variant', 'B', ...node(`console.log('${'0'.repeat(64)}///${'0'.repeat(64)}')`)])
  t.match(long.output, /part 1 differs; the text to hash is "1709912345678.{137}" … ".{100}"\n/)
})

t.test('a batch that ends early says where', async t => {
  const { code, output } = await run(['--json', '--batch', '--rule', '4.4 sid', ...node(
    'console.log("first\\r\\nsecond"); console.error("crashed"); process.exit(9)')])
  t.equal(code, 1)
  const problems = JSON.parse(output).failures.map(({ problem }: { problem: string }) => problem)
  t.same(problems.slice(0, 3), ['not a signature: first', 'not a signature: second', 'exit code 9: crashed'])
  const silent = await run(['--json', '--batch', '--rule', '4.4 sid', ...node('console.log("first")')])
  t.equal(JSON.parse(silent.output).failures[1].problem, 'no output line for it')
})

/** A service on a free port. */
async function service (t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a service', async t => {
  const { app } = testApp(t)
  const url = `http://127.0.0.1:${await portOf(app)}`
  const { code, output } = await run([url])
  t.equal(code, 0)
  t.match(output, '\n216 of 216 vectors passed\n' +
    '3 were left out: they need another token. To cover them, run the service and this command with each of ' +
    'these as MERCHANT_TOKEN: "vector-token-1" (1), "null" (1), "مفتاح-clé-鍵-🔑" (1)\n')

  const others = await run(['--json', `${url}/api/generate-signature`], { MERCHANT_TOKEN: 'a-token-of-a-merchant-4711' })
  t.equal(others.code, 0)
  const { passed, leftOut } = JSON.parse(others.output)
  t.equal(passed, 9)
  t.same(leftOut[0], { token: 'development-only-token', count: 207 })
  t.notMatch(others.output + others.said, 'a-token-of-a-merchant-4711')

  const wrong = await run(['--variant', 'B', url])
  t.equal(wrong.code, 1)
  t.match(wrong.output, '✗  B  4.4 reference')
})

t.test('a service that answers something else', async t => {
  let count = 0
  const url = await service(t, (request, response) => {
    count += 1
    if (count === 2) return request.socket.destroy()
    const [statusCode, body] = count === 1
      ? [200, '{"signature":7}']
      : count === 3 ? [200, 'moved'] : [429, '{"error":"development-only-token is slow"}']
    response.writeHead(statusCode, { connection: 'close' }).end(body)
  })
  const { code, output } = await run(['--json', '--rule', '4.3 void', url])
  t.equal(code, 1)
  const problems = JSON.parse(output).failures.map(({ problem }: { problem: string }) => problem).sort()
  t.same(problems, [
    'UND_ERR_SOCKET', 'status 200: moved', 'status 200: {"signature":7}',
    'status 429: {"error":"<merchantToken> is slow"}', 'status 429: {"error":"<merchantToken> is slow"}'
  ])
})

for (const [what, args, message] of [
  ['nothing to check', [], /^pass either a URL, such as http:\/\/localhost:3001, or a command after --: payment-signature conformance -- COMMAND$/],
  ['both', ['http://localhost:3001', '--', 'php'], /^pass either a URL, such as http:\/\/localhost:3001, or a command after --: payment-signature conformance -- COMMAND$/],
  ['an empty command', ['--'], /^pass either a URL, such as http:\/\/localhost:3001, or a command after --: payment-signature conformance -- COMMAND$/],
  ['no URL', ['sign.php'], /^pass either a URL/],
  ['no -- before the command', ['php', 'sign.php'], /^pass either a URL/],
  ['no protocol', ['localhost:3001'], /^pass either a URL, such as http:/],
  ['another protocol', ['ftp://localhost/'], /^pass either a URL/],
  ['a password', ['http://user:secret@localhost/'], /, and have no user name or password$/],
  ['a user', ['http://user@localhost/'], /, and have no user name or password$/],
  ['a batch for a URL', ['--batch', 'http://localhost:3001'], /^--batch works only with a command/],
  ['both variants of a URL', ['--variant', 'both', 'http://localhost:3001'], /^a service has one variant/],
  ['an unknown variant', ['--variant', 'C', '--', 'php'], /^--variant must be A, B or both$/],
  ['an unknown rule', ['--rule', '9.9', '--', 'php'], /^no rule contains that text; the rules are: 4\.3 purchase, /],
  ['an unknown option', ['--rules', 'x', '--', 'php'], /^unknown option --rules; did you mean --rule\?$/]
] as const) {
  t.test(`${what} is wrong usage`, async t => {
    await t.rejects(run([...args]), { name: 'CommandError', message: whole(message), exitCode: 2 })
  })
}

for (const [what, args, message] of [
  ['a program that is not there', ['--variant', 'both', '--', './no-such-program'], /^\.\/no-such-program cannot be run \(ENOENT\)$/],
  ['nobody at the URL', ['http://127.0.0.1:1/sign'], /^http:\/\/127\.0\.0\.1:1\/sign cannot be reached: /],
  ['too many lines', ['--rule', '4.4 sid', '--batch', ...node('console.log("a\\n".repeat(11))')], /printed 12 lines for 10 requests; --batch needs one line per request$/]
] as const) {
  t.test(`${what} cannot be tried`, async t => {
    await t.rejects(run([...args]), { name: 'ConformanceError', code: 'ERR_CONFORMANCE', message: whole(message) })
    t.match(await runMain(['conformance', ...args]), { code: 2, stdout: '' })
  })
}

t.test('other faults are not hidden', async t => {
  await t.rejects(run(['--rule', '4.4 sid', '--', 'a\0b']), { code: 'ERR_INVALID_ARG_VALUE' })
})
