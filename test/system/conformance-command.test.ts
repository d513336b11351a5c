import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testApp } from '../support/app.js'
import { serving } from '../support/backend.js'
import { refuses, run as runMain, type Outcome } from '../support/command-line.js'
import { portOf } from '../support/http.js'
import { runEach } from '../../tools/conformance/program.js'
import { callEndpoint } from '../../tools/conformance/endpoint.js'
import { hintFor } from '../../tools/conformance/report.js'
import { loadVectors } from '../../tools/conformance/vectors.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

delete process.env.npm_command // `npx tap` sets it, and errors would name the program with npx

const { PATH } = process.env
const run = (args: string[], env = {}): Promise<Outcome> => runMain(['conformance', ...args], { env: { PATH, ...env } })

/** Returns the problems of a report in JSON. */
const problemsIn = ({ stdout }: Outcome): string[] =>
  JSON.parse(stdout).failures.map(({ problem }: { problem: string }) => problem)

/** Returns a command that runs one line of JavaScript. */
const node = (program: string): string[] => ['--', process.execPath, '-e', program]

t.test('numbers arrive as they are spelled in the vectors', async t => {
  t.same(problemsIn(await run(['--json', '--variant', 'B', '--rule', '4.1 amount number', ...node(
    'process.stdin.on("data", data => { console.error(/"amount": ([^,}]*)/.exec(data)[1]); process.exitCode = 3 })'
  )])), [
    'exit code 3: 100', 'exit code 3: 100.00', 'exit code 3: 100.50', 'exit code 3: 0.1', 'exit code 3: 1e21',
    'exit code 3: 0.0000001'
  ])
})

for (const [what, program, problem] of [
  ['prints nothing', '', 'the output is empty'],
  ['fails without a word', 'process.exitCode = 1', 'exit code 1'],
  ['names the token', 'console.error("no " + process.env.MERCHANT_TOKEN); process.exitCode = 1', 'exit code 1: no <merchantToken>'],
  ['has a fault in Python', 'console.error("warned\\nTraceback (most recent call last):\\n  File \\"sign.py\\", line 7\\nKeyError: 7\\n"); process.exitCode = 1',
    'exit code 1: KeyError: 7'],
  ['has a fault of several lines', 'console.error("Traceback (most recent call last):\\nlib.ValidationError: 2 faults\\namount\\n  see https://x"); process.exitCode = 1',
    'exit code 1: lib.ValidationError: 2 faults'],
  ['has a fault in JavaScript', 'null.sid', 'exit code 1: TypeError: Cannot read properties of null (reading \'sid\')'],
  ['has a fault in Go', 'console.error("panic: no sid\\n\\ngoroutine 1 [running]:\\nexit status 2"); process.exitCode = 1', 'exit code 1: panic: no sid'],
  ['is killed', 'process.kill(process.pid, "SIGKILL")', 'killed by SIGKILL'],
  ['floods', 'process.stdout.write("x".repeat(2 ** 24 + 1))', 'too much output'],
  ['prints capitals', 'console.log("AB///CD")', 'not a signature: AB///CD'],
  ['prints a label', 'console.log("1" + "0".repeat(64) + "///" + "0".repeat(64))', `not a signature: 1${'0'.repeat(64)}///${'0'.repeat(64)}`],
  ['knows the variant', 'console.log(process.env.VARIANT)', 'not a signature: B']
] as const) {
  t.test(`an implementation that ${what}`, async t => {
    const { code, stdout } = await run(['--variant', 'B', '--rule', 'long text', ...node(program)])
    t.equal(code, 1)
    t.match(stdout, `✗ B, 4.2 long text: long: an order id of 300 characters\n    ${problem}\n`)
    t.match(stdout, /\n0 of 1 vectors passed\n0 signed another text\n1 without a valid answer\n$/)
    t.notMatch(stdout, 'often missed', 'it does not run: the rule is not the cause')
  })
}

t.test('a batch that ends early is reported with its last vector', async t => {
  const crashed = await run(['--json', '--batch', '--rule', '4.4 sid', ...node(
    'console.log("first\\r\\nsecond"); console.error("crashed"); process.exit(9)')])
  t.equal(crashed.code, 1)
  t.same(problemsIn(crashed).slice(0, 3), ['not a signature: first', 'not a signature: second', 'exit code 9: crashed'])
})

t.test('a service', async t => {
  const url = `http://127.0.0.1:${await portOf(testApp(t).app)}`
  t.match(await run([url]), {
    code: 0,
    stdout: '\n280 of 280 vectors passed\n' +
      '3 were left out: they need another token. To cover them, run the service and this command with each of ' +
      'these as MERCHANT_TOKEN: "vector-token-1" (1), "null" (1), "مفتاح-clé-鍵-🔑" (1)\n'
  })
  t.match((await run([url])).stdout, /[^\n]\n\n280 of 280/)
  const others = await run(['--json', `${url}/api/generate-signature`], { MERCHANT_TOKEN: 'a-token-of-a-merchant-4711' })
  t.equal(others.code, 0)
  t.match(JSON.parse(others.stdout), { passed: 10, leftOut: [{ token: 'development-only-token', count: 270 }] })
  t.notMatch(others.stdout + others.stderr, 'a-token-of-a-merchant-4711')
  await refuses(t, ['conformance', '--variant', 'B', url], 'the service has variant A: pass --variant A')
})

t.test('services that sign refused requests, or never refuse', async t => {
  const args = ['--variant', 'B', '--rule', 'refused sid', '--rule', '4.2 long text', '--batch']
  const signs = await run([...args, ...node(`process.stdout.write('${'0'.repeat(64)}///${'0'.repeat(64)}\\n'.repeat(19))`)])
  t.equal(signs.code, 1)
  t.match(signs.stdout, '✗ B, 4.1 refused sid: absent\n    the request was signed\n' +
    '    the specification refuses this request; the answer is "400 sid is required (client-generated session ID)"\n' +
    '    often missed: an absent or null sid')
  const dies = await run([...args, ...node('console.log("0"); console.error("KeyError"); process.exit(1)')])
  t.match(dies.stdout, '    exit code 1: KeyError\n    the specification refuses this request; the answer is "400 sid is required')
  t.notMatch(dies.stdout, 'often missed')
  const diesLater = await run([...args, ...node(`console.log('${'0'.repeat(64)}///${'0'.repeat(64)}'); process.exit(1)`)])
  t.match(diesLater.stdout, '    often missed: an absent or null sid', 'it runs, and may have failed at the rule')
  const empty = await run(['--json', ...args, ...node('console.log("0\\n\\n400 sid is required" + "\\n".repeat(16))')])
  t.strictSame(problemsIn(empty).slice(1, 2), ['the output is empty'])
  t.equal(problemsIn(empty).at(-1), 'another answer: 400 sid is required', 'the worst are first')
})

t.test('--safe: refusing is safe, and signing another text is not', async t => {
  const zeros = `${'0'.repeat(64)}///${'0'.repeat(64)}`
  const other = '400 values must be strings'
  const counts = { signed: 0, unanswered: 0, refused: 0, otherRefusal: 0 }
  // The first line is for the long text, which can be signed. The others are for requests that must be refused.
  for (const [what, lines, code, expected] of [
    ['refuses', Array(19).fill(other), 0, { refused: 1, otherRefusal: 18 }],
    ['signs another text', [zeros, ...Array(18).fill(other)], 1, { signed: 1, otherRefusal: 18 }],
    ['signs what must be refused', [other, zeros, ...Array(17).fill(other)], 1, { signed: 1, refused: 1, otherRefusal: 17 }],
    ['has no answer', [other, '', ...Array(17).fill(other)], 1, { unanswered: 1, refused: 1, otherRefusal: 17 }]
  ] as const) {
    const args = ['--variant', 'B', '--rule', 'refused sid', '--rule', '4.2 long text', '--batch',
      ...node(`console.log(${JSON.stringify(lines.join('\n'))})`)]
    const safe = await run(['--safe', '--json', ...args])
    t.equal(safe.code, code, what)
    t.match(JSON.parse(safe.stdout), { passed: 0, total: 19, ...counts, ...expected }, what)
    const { failures } = JSON.parse(safe.stdout)
    t.equal(failures.filter(({ kind }: { kind: string }) => kind === 'otherRefusal').length, expected.otherRefusal)
    t.equal((await run(args)).code, 1, what)
  }
  const refuses = await run(['--safe', '--rule', '4.2 long text', '--variant', 'B', ...node(`console.log('${other}')`)])
  t.match(refuses.stdout, `\n    refused: ${other}\n`)
  t.match(refuses.stdout, /\n0 of 1 vectors passed\n0 signed another text\n1 refused, although they could be signed\n$/)
})

t.test('a URL of another server is tried once', async t => {
  for (const [status, body, problem] of [
    [404, '<h1>No development-only-token', 'status 404: <h1>No <merchantToken>'],
    [404, '{"error":"Not Found: POST /x"}', 'status 404: {"error":"Not Found: POST /x"}'],
    [200, '{"signature":7}', 'status 200: {"signature":7}']
  ] as const) {
    let count = 0
    const url = await serving(t, ({ method }, response) => {
      if (method === 'POST') count += 1
      response.writeHead(status, { connection: 'close' }).end(body)
    })
    await refuses(t, ['conformance', `${url}/x`], `${url}/x is no signing endpoint: it answers ${problem}`, { env: {} })
    t.equal(count, 1)
  }
})

const usage = 'pass either a URL, such as http://localhost:3001, or a command after --: payment-signature conformance -- COMMAND'
const url = 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'

for (const [what, args, message] of [
  ...[[], ['http://localhost:3001', '--', 'php'], ['--'], ['sign.php'], ['php', 'sign.php'], ['localhost:3001'], ['ftp://localhost/']]
    .map(args => [`"${args.join(' ')}"`, args, usage] as const),
  ['a password', ['http://user:secret@localhost/'], url],
  ['a user', ['http://user@localhost/'], url],
  ['a batch for a URL', ['--batch', 'http://localhost:3001'], '--batch works only with a command: a URL gets one request at a time'],
  ['both variants of a URL', ['--variant', 'both', 'http://localhost:3001'], 'a service has one variant: --variant must be A or B'],
  ['an unknown variant', ['--variant', 'C', '--', 'php'], '--variant must be A, B or both'],
  ['an unknown option', ['--rules', 'x', '--', 'php'], 'unknown option --rules; did you mean --rule?'],
  ['a program that is not there', ['--variant', 'both', '--', './no-such-program'], './no-such-program cannot be run (ENOENT)'],
  ...[['console.log("first")', '1 line'], ['', '0 lines']].map(([program = '', count]) =>
    [`${count} in a batch`, ['--rule', '4.4 sid', '--batch', ...node(program)],
      `${process.execPath} printed ${count} for 10 requests; --batch needs one line per request`] as const),
  ['too many lines', ['--rule', '4.4 sid', '--batch', ...node('console.log("a\\n".repeat(11))')],
    `${process.execPath} printed 12 lines for 10 requests; --batch needs one line per request`]
] as const) {
  t.test(`${what} is no result`, async t => refuses(t, ['conformance', ...args], message, { env: { PATH } }))
}

for (const [what, args, stderr] of [
  ['an unknown rule', ['--rule', '9.9', '--', 'php'], /^payment-signature: no rule contains that text; the rules are: 4\.3 purchase, .*\n$/],
  ['nobody at the URL', ['http://nowhere.invalid'], /^payment-signature: http:.*invalid\/api\/generate-signature cannot be reached: (ENOTFOUND|EAI_AGAIN)\n$/],
  ['a port that fetch refuses', ['http://127.0.0.1:1/sign'], /^payment-signature: http:\/\/127\.0\.0\.1:1\/sign cannot be reached: .+\n$/],
  ['an impossible name', ['--rule', '4.4 sid', '--', 'a\0b'], /^payment-signature: The argument 'file' must be a string without null bytes/]
] as const) {
  t.test(`${what} is no result`, async t => t.match(await run([...args]), { code: 2, stdout: /^$/, stderr }))
}

for (const variant of ['A', 'B'] as const) {
  t.test(`the requests of variant ${variant} are unchanged, and each rule has a hint`, async t => {
    const path = join(root, `vectors/variant-${variant.toLowerCase()}.json`)
    const stored: Array<{ name: string, request: unknown }> = JSON.parse(readFileSync(path, 'utf8')).vectors
    const vectors = loadVectors([variant])
    t.strictSame(vectors.slice(0, stored.length).map(({ name, variant, request }) => ({ name, variant, request })),
      stored.map(({ name, request }) => ({ name, variant, request })))
    for (const { name, rule, requestText, request } of vectors) {
      t.same(JSON.parse(requestText), request, name)
      t.notMatch(requestText, /[\n\r]/, name)
      t.not(hintFor(rule), '', rule)
    }
  })
}

t.test('numbers keep their spelling', async t => {
  const texts = loadVectors(['A']).filter(({ request }) => request.amount === 100).map(({ requestText }) => requestText)
  t.ok(texts.some(text => text.includes('"amount": 100.00,')))
})

t.test('a rule without a known trap has no hint', async t => t.equal(hintFor('9.9 versions'), ''))

t.test('a program that does not end is killed', async t => {
  const program = { program: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {}, timeout: 500 }
  t.same(await runEach(program, loadVectors(['A']).slice(0, 1)), [{ problem: 'timed out after 0.5 seconds' }])
})

t.test('a service that does not respond causes a time-out', async t => {
  const url = await serving(t, () => {})
  await t.rejects(callEndpoint(url, loadVectors(['B']), 50), {
    name: 'ConformanceError', message: `${url} cannot be reached: no response in time`
  })
})

t.test('no request is sent without vectors', async t => t.same(await callEndpoint('http://127.0.0.1:1/', [], 50), []))

t.test('the stored digests match Python\'s SHA-256', { skip: lacking('python3') }, async t => {
  const { status, stdout, stderr } = spawnSync('python3', [join(root, 'vectors/digests.py'), '--check'], { encoding: 'utf8' })
  t.equal(status, 0, stdout + stderr)
})
