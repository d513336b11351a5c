import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commands } from '../../../tools/command-line/commands.js'
import { main } from '../../../src/command-line/main.js'
import { json, visible } from '../../../src/text/characters.js'
import { table } from '../../../tools/command-line/report-text.js'
import { flags, refuses, run } from '../../support/command-line.js'
import { root } from '../../support/server.js'

const names = ['serve', 'sign', 'verify', 'explain', 'diagnose', 'kcv', 'doctor', 'healthcheck', 'policy',
  'conformance', 'example', 'version']

t.test('--help names every command', async t => {
  const { code, stdout, stderr } = await run(['--help'])
  t.equal(code, 0)
  t.equal(stderr, '')
  for (const name of names) t.match(stdout, new RegExp(`^  ${name} +\\w`, 'm'))
  for (const args of [['-h'], ['help'], ['help', 'help']]) t.equal((await run(args)).stdout, stdout)
  t.same(await run([]), { code: 2, stdout: '', stderr: stdout, terminal: '' })
})

for (const name of names) {
  t.test(`${name} --help`, async t => {
    const { code, stdout, stderr } = await run([name, '--help'])
    t.equal(code, 0)
    t.equal(stderr, '')
    t.ok(stdout.startsWith(`Usage: payment-signature ${name}`), stdout)
    t.match(stdout, /^Exit code: 0 .*\b2 /m)
    t.match(stdout, /\nExamples?\n {2}.+/)
    t.equal(stdout.split('\n').find(line => line.length > 120), undefined, 'it fits a terminal')
    for (const args of [['help', name], [name, '-h'], ['--help', name], ['-h', name], ['help', '--json', name]]) {
      t.equal((await run(args)).stdout, stdout, args.join(' '))
    }
  })
}

t.test('the help of each command lists its options and no others', async t => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { command: { help, options } } = await load()
    const named = [...help.matchAll(/\s--([a-z][a-z-]+)/g)].map(([, option = '']) => option)
    t.strictSame(named.filter(option => !Object.hasOwn(options, option) && option !== 'help' && option !== 'version'), [], name)
    for (const option of Object.keys(options)) t.ok(named.includes(option) || name === 'doctor', `${name} --${option}`) // which names one field's
  }
})

t.test('--version', async t => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of ['--version', '-v', 'version']) {
    t.same(await run([name]), { code: 0, stdout: `${version}\n`, stderr: '', terminal: '' })
  }
})

t.test('wrong usage prints one line and exits with 2', async t => {
  const path = join(t.testdir({ file: '' }), 'file')
  const cases: Array<[string[], string]> = [
    [['sgin'], 'unknown command sgin; did you mean sign?'],
    [['frobnicate'], 'unknown command frobnicate; see payment-signature --help'],
    [['x'.repeat(41)], `unknown command ${'x'.repeat(40)}; see payment-signature --help`],
    [['toString'], 'unknown command toString; see payment-signature --help'],
    [['red\x1b[31m'], 'unknown command red\\u{1b}[31m; see payment-signature --help'],
    [['help', 'sgin'], 'unknown command sgin; did you mean sign?'],
    [['version', 'x'], 'unexpected argument (not shown: it may be a secret); see --help'],
    [['--json', 'sign'], 'the command comes first, then its options; see payment-signature --help'],
    [['sign', '--amout', '1'], 'unknown option --amout; did you mean --amount?'],
    [['sign', '--frobnicate=secret'], 'unknown option --frobnicate'],
    [['sign', '--amount'], '--amount needs a value; one that begins with a dash is written --amount=VALUE'],
    [['sign', '-x'], "Unknown option '-x'"],
    [['sign', '--amount', '-5'], '--amount needs a value; one that begins with a dash is written --amount=VALUE'],
    [['sign', '--json=yes'], "Option '--json' does not take an argument"],
    [['kcv', 'secret'], 'unexpected argument (not shown: it may be a secret); did you mean --token-file FILE?'],
    [['kcv', '--', '--token'], 'unexpected argument (not shown: it may be a secret); did you mean --token-file FILE?'],
    [['sign', '--', '--help'], 'unexpected argument (not shown: it may be a secret); did you mean --request FILE?'],
    [['sign', '-', '-'], 'unexpected argument (not shown: it may be a secret); did you mean --request FILE?'],
    [['sign', 'request.json'], "unexpected argument 'request.json'; did you mean --request request.json?"],
    [['policy', 'check', 'a', 'b'], 'unexpected argument (not shown: it may be a secret); did you mean --request FILE?'],
    [['serve', '3001'], 'unexpected argument (not shown: it may be a secret); see --help'],
    [['kcv', path], `unexpected argument '${path}'; did you mean --token-file ${path}?`],
    [['sign', '-', path], `unexpected argument '${path}'; did you mean --request ${path}?`],
    [['sign', path], `unexpected argument '${path}'; did you mean --request ${path}?`],
    [['serve', path], `unexpected argument '${path}'; see --help`]
  ]
  for (const [args, message] of cases) await refuses(t, args, message)
})

t.test('a secret as a flag is refused and not printed', async t => {
  const shown = 'is refused: every user of this machine could read it in the process list; set'
  for (const [flag, message] of [
    ['--token', `--token ${shown} MERCHANT_TOKEN, pass --token-file, or type it when asked`],
    ['--token=canary-secret', `--token ${shown} MERCHANT_TOKEN, pass --token-file, or type it when asked`],
    ['--merchant-token=canary-secret', `--merchant-token ${shown} MERCHANT_TOKEN, pass --token-file, or type it when asked`],
    ['--api-key=canary-secret', `--api-key ${shown} PAYMENT_SIGNATURE_API_KEY, or pass --api-key-file`]
  ] as const) await refuses(t, ['sign', ...flags, flag, 'canary-secret'], message)
})

t.test('a flag inside a value is text', async t => {
  t.match(await run(['sign', ...flags, '--order-id', 'A--token', '--transaction-id=B--amout=1']), { code: 0, stderr: /^$/ })
})

t.test('with --json an error is JSON', async t => {
  t.match(await run(['sign', ...flags, '--amount', '0', '--json']), {
    code: 1, stdout: /^$/, stderr: '{"error":"Invalid amount: amount must be greater than 0","code":"ERR_AMOUNT_NOT_POSITIVE"}\n'
  })
  t.match(await run(['sign', '--amout', '1', '--json']), {
    code: 2, stdout: /^$/, stderr: '{"error":"unknown option --amout; did you mean --amount?","code":null}\n'
  })
})

t.test('an unexpected fault prints one line without a stack trace', async t => {
  let stderr = ''
  const code = await main(commands, ['--help'], {
    stdout: { write () { throw new Error('nobody expected this') } },
    stderr: { write (text: string) { stderr += text } }
  } as never)
  t.equal(code, 2)
  t.equal(stderr, 'payment-signature: nobody expected this\n')
})

t.test('output', async t => {
  t.test('invisible and control characters are escaped', async t => {
    t.equal(visible('plain é ١٠ 日本'), 'plain é ١٠ 日本')
    t.equal(visible('\x1b[31m\x07\x9b\u200b\u00a0\ufeff\u202e\n'), '\\u{1b}[31m\\u{7}\\u{9b}\\u{200b}\\u{a0}\\u{feff}\\u{202e}\\u{a}')
    t.equal(visible('\u{e0041}\ud800'), '\\u{e0041}\\u{d800}')
  })

  t.test('escaped JSON has the same value', async t => {
    const value = { a: 'é\x1b\x9b\u200b\u{e0041}\ud800', b: [1, null] }
    const line = json(value)
    t.equal(line, '{"a":"é\\u001b\\u009b\\u200b\\udb40\\udc41\\ud800","b":[1,null]}\n')
    t.same(JSON.parse(line), value)
    t.equal(json({ a: undefined }), '{"a":null}\n')
  })

  t.test('columns are aligned without trailing spaces', async t => {
    t.equal(table([['a', 'bb', ''], ['ccc', 'd', 'e']]), '  a    bb\n  ccc  d   e\n')
  })

  for (const [isTTY, env, expected] of [
    [true, {}, true], [false, {}, false], [true, { NO_COLOR: '1' }, false], [true, { NO_COLOR: '' }, true], [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true], [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true], [true, { FORCE_COLOR: '0' }, false]
  ] as const) {
    t.test(`colours with ${JSON.stringify(env)} at a terminal: ${isTTY}`, async t => {
      const { stdout } = await run(['verify', ...flags, '--signature', 'x'], { isTTY, env: { MERCHANT_TOKEN: 'a-token', ...env } })
      t.equal(stdout.includes('\x1b[31m✗\x1b[39m part 1 differs'), expected)
    })
  }
})
