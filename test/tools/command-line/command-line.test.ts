import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { codePoint, isInvisible } from '../../../src/text/characters.js'
import { programName } from '../../../tools/command-line/command.js'
import { commands, load } from '../../../tools/command-line/main.js'
import { main } from '../../../tools/command-line/main.js'
import { json, quote, visible } from '../../../tools/explain/characters.js'
import { tcpServer } from '../../support/backend.js'
import { fields, fieldsWith, refuses, run } from '../../support/command-line.js'
import { signature } from '../../support/example.js'
import { root } from '../../support/server.js'

const names = ['init', 'serve', 'new-key', 'check-policy', 'doctor', 'sign', 'explain', 'diagnose']

const names10 = 'operationType, amount, merchantAccountNumber, accountNumber, orderId, sid, clientTimeStamp, ' +
  'transactionFCRN, transactionId, idType'

t.test('--help names every command', async t => {
  const { code, stdout, stderr } = await run(['--help'])
  t.equal(code, 0)
  t.equal(stderr, '')
  t.strictSame([...stdout.matchAll(/^ {2}([a-z-]+) {2,}\w/gm)].map(([, name]) => name), names)
  t.same(await run([]), { code: 2, stdout: '', stderr: stdout })
})

t.test('a command to copy names the program as npm runs it', async t => {
  t.same((await run(['frobnicate'], { env: { npm_command: 'exec' } })).stderr,
    'payment-signature: unknown command (not shown: it may be a secret); see npx --no -- payment-signature --help\n')
  t.equal(programName({ npm_command: 'exec' }), 'npx --no -- payment-signature')
  t.equal(programName({ npm_command: 'run-script' }), 'payment-signature')
})

t.test('the help of each command lists its options and no others', async t => {
  for (const name of Object.keys(commands)) {
    const { options } = await load(name)
    const { code, stdout, stderr } = await run([name, '--help'])
    t.strictSame([code, stderr], [0, ''], name)
    t.ok(stdout.startsWith(`Usage: payment-signature ${name} `), stdout)
    const [usage = ''] = stdout.split('\n\n')
    t.ok(usage.includes('[options]') || Object.keys(options).every(option => usage.includes(`--${option}`)), usage)
    t.match(stdout, /^Exit code: 0 .*\b2 /m)
    t.match(stdout, /\nExample\n {2}.+/)
    t.equal(stdout.split('\n').find(line => line.length > 120), undefined, 'it fits a terminal')
    const named = [...stdout.matchAll(/\s--([a-z][a-z-]+)/g)].map(([, option = '']) => option)
    t.strictSame(named.filter(option => !Object.hasOwn(options, option)), [], name)
    for (const option of Object.keys(options)) t.match(stdout, new RegExp(`^  --${option} .*\\w`, 'm'))
  }
})

t.test('serve exits as its help says: 2 for the configuration, checked or not, 1 for a port in use', async t => {
  t.match((await run(['serve', '--help'])).stdout, /1 it failed, such as when a port is in use, 2 wrong usage, or\nthe configuration cannot be used\n/)
  const port = await tcpServer(t)
  const program = join(root, 'dist/tools/command-line/payment-signature.js')
  for (const [variable, code, args = []] of [['VARIANT=C', 2], ['VARIANT=C', 2, ['--check']], [`PORT=${port}`, 1]] as const) {
    const env = ['-i', `PATH=${process.env.PATH}`, 'MERCHANT_TOKEN=tK7-mQ2xV9/bR4+wZ1', 'HOST=127.0.0.1', variable]
    t.equal(spawnSync('env', [...env, process.execPath, program, 'serve', ...args]).status, code, variable)
  }
})

t.test('--version', async t => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  t.same(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test('wrong usage prints one line and exits with 2', async t => {
  const cases: Array<[string[], string]> = [
    [['frobnicate'], 'unknown command (not shown: it may be a secret); see payment-signature --help'],
    [['toString'], 'unknown command (not shown: it may be a secret); see payment-signature --help'],
    [['--json', 'sign'], 'the command comes first, then its options; see payment-signature --help'],
    [['sign', '--frobnicate=secret'], "Unknown option '--frobnicate'"],
    [['sign', '--variant'], '--variant needs a value; one that begins with a dash is written --variant=VALUE'],
    [['sign', '--variant=A', '--variant=B'], '--variant is passed more than once: pass it once'],
    [['sign', 'amount=1', 'amount=1'], 'amount is given more than once: give it once'],
    [['sign', 'order-id=1'], '"order-id" is no field of a request: did you mean orderId?'],
    [['sign', 'amout=canary'], `"amout" is no field of a request: the fields are ${names10}`],
    [['sign', 'c2VjcmV0=='], `what stands before = (not shown: it may be a secret) is no field of a request: the fields are ${names10}`],
    [['sign', 'constructor=1'], `"constructor" is no field of a request: the fields are ${names10}`],
    [['sign', '-x'], "Unknown option '-x'"],
    [['diagnose', '--signature', '-5f6a///-3b'], '--signature needs a value; one that begins with a dash is written --signature=VALUE'],
    [['doctor', '--json=yes'], "Option '--json' does not take an argument"],
    [['doctor', 'http://localhost', 'secret'], 'unexpected argument (not shown: it may be a secret); did you mean --request FILE, or a field such as amount=100.00?'],
    [['sign', 'request.json'], 'unexpected argument (not shown: it may be a secret); did you mean --request FILE, or a field such as amount=100.00?'],
    [['check-policy', 'a', 'b'], 'unexpected argument (not shown: it may be a secret); did you mean --request FILE, or a field such as amount=100.00?'],
    [['serve', '3001'], 'unexpected argument (not shown: it may be a secret); see --help']
  ]
  for (const [args, message] of cases) await refuses(t, args, message)
  t.match(await run(['diagnose', ...fields, '--signature', signature, '--json', '--json']), { code: 0, stderr: '' })
})

t.test('a secret as a flag is refused and not printed', async t => {
  const shown = 'is refused: every user of this machine could read it in the process list; set'
  for (const [flag, message] of [
    ['--token', `--token ${shown} MERCHANT_TOKEN, or pass --token-file`],
    ['--token=canary-secret', `--token ${shown} MERCHANT_TOKEN, or pass --token-file`],
    ['--merchant-token=canary-secret', `--merchant-token ${shown} MERCHANT_TOKEN, or pass --token-file`],
    ['--api-key=canary-secret', '--api-key is refused: every user of this machine could read it in the process list; pass --api-key-file']
  ] as const) await refuses(t, ['sign', ...fields, flag, 'canary-secret'], message)
})

t.test('a token as a field is refused and not printed', async t => {
  for (const name of ['merchantToken', 'merchant-token', 'MERCHANT_TOKEN']) {
    await refuses(t, ['sign', ...fields, `${name}=canary-secret`],
      'merchantToken is refused: every user of this machine could read it in the process list; set MERCHANT_TOKEN, or pass --token-file')
  }
})

t.test('the value of a field is text', async t => {
  t.match(await run(['sign', ...fieldsWith('orderId=A--token--amout=1')]), { code: 0, stderr: /^$/ })
})

t.test('with --json an error is JSON', async t => {
  t.match(await run(['diagnose', ...fieldsWith('amount=0', '--request', 'nowhere', '--signature', 'x', '--json')]), {
    code: 2, stdout: /^$/, stderr: '{"error":"nowhere cannot be read (ENOENT)","code":null}\n'
  })
  t.match(await run(['diagnose', '--amout', '1', '--json']), {
    code: 2, stdout: /^$/, stderr: '{"error":"Unknown option \'--amout\'","code":null}\n'
  })
})

t.test('an unexpected fault prints one line without a stack trace', async t => {
  let stderr = ''
  const code = await main(['--help'], {
    stdout: { write () { throw new Error('nobody expected this') } },
    stderr: { write (text: string) { stderr += text } }
  } as never)
  t.equal(code, 2)
  t.equal(stderr, 'payment-signature: nobody expected this\n')
})

t.test('invisible and control characters are escaped', async t => {
  for (const character of ['\n', '\u00a0', '\u200b', '\u00ad', '\ufeff', '\u2028', '\u001b', '\u2800', '\u3164', '\ud800']) {
    t.ok(isInvisible(character), codePoint(character))
  }
  for (const character of [' ', 'a', 'é', '١', '€', '😀']) t.notOk(isInvisible(character), codePoint(character))
  t.equal(visible('plain é \x1b[31m\u00a0\u{e0041}'), 'plain é \\u{1b}[31m\\u{a0}\\u{e0041}')
  t.equal(quote('a "b"\n'), '"a \\"b\\"\\n"')
  t.equal(quote('a\u200bb\u00a0'), '"a\\u{200B}b\\u{00A0}"')
  t.equal(quote('e\u0301 é'), '"e\\u{0301} é"')
  t.equal(quote('\u001b[31m\u009b'), '"\\u001b[31m\\u{009B}"')
  t.equal(json({ a: 'é\x1b\x9b\u{e0041}\ud800', b: [1, null], c: undefined }),
    '{"a":"é\\u001b\\u009b\\udb40\\udc41\\ud800","b":[1,null],"c":null}\n')
})

t.test('colours at a terminal, unless variables say otherwise', async t => {
  for (const [isTTY, env, expected] of [
    [true, {}, true], [false, {}, false], [true, { NO_COLOR: '1' }, false], [true, { NO_COLOR: '' }, true], [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true], [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true], [true, { FORCE_COLOR: '0' }, false]
  ] as const) {
    const { stdout } = await run(['diagnose', ...fields, '--signature', 'x'], { isTTY, env: { MERCHANT_TOKEN: 'a-token', ...env } })
    t.equal(stdout.includes('\x1b[31m✗\x1b[39m part 1 differs'), expected, `${JSON.stringify(env)} at a terminal: ${isTTY}`)
  }
})

t.test('a program that an older Node.js cannot load names Node.js; any other fault is shown as it is', async t => {
  const program = readFileSync(join(root, 'dist/tools/command-line/payment-signature.js'), 'utf8')
  const run = (main: string) => {
    const folder = t.testdir({ 'package.json': '{"type":"module"}', 'payment-signature.js': program, 'main.js': main })
    return spawnSync(process.execPath, [join(folder, 'payment-signature.js')], { encoding: 'utf8' })
  }
  t.match(run('import { none } from "node:crypto"'), {
    status: 1, stdout: '', stderr: `payment-signature: Node.js 20.20 or newer is needed; this is ${process.version}\n`
  })
  t.match(run('throw new TypeError("another fault")'), { status: 1, stderr: 'TypeError: another fault' })
})
