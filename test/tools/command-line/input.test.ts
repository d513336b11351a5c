import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { fieldOptions } from '../../../tools/command-line/request-input.js'
import { refuses, run, flags, toRefusedError } from '../../support/command-line.js'
import { body, signature } from '../../support/example.js'

// printf '%s' canary-token-of-a-test | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1'
const token = 'canary-token-of-a-test'
const value = '95a791\n'

t.test('the token is read from the environment or a file', async t => {
  const folder = t.testdir({ token: `${token}\n`, other: 'another-token-of-a-test' })
  const file = join(folder, 'token')
  const ways: Array<[string[], Record<string, string>]> = [
    [[], { MERCHANT_TOKEN: token }],
    [[], { MERCHANT_TOKEN: token, MERCHANT_TOKEN_FILE: '' }],
    [[], { MERCHANT_TOKEN_FILE: file }],
    [['--token-file', file], {}],
    [['--token-file', file], { MERCHANT_TOKEN: 'another-token-of-a-test' }],
    [['--token-file', file], { MERCHANT_TOKEN: 'another-token-of-a-test', MERCHANT_TOKEN_FILE: join(folder, 'other') }]
  ]
  for (const [args, env] of ways) {
    t.same(await run(['kcv', ...args], { env }), { code: 0, stdout: value, stderr: '' })
  }
})

t.test('kcv --json prints the key check value', async t => {
  t.equal((await run(['kcv', '--json'])).stdout, '{"keyCheckValue":"63e1e6"}\n')
})

t.test('an unusable token is refused and not shown', async t => {
  const folder = t.testdir({ empty: '\n', latin1: Buffer.from('canary-\xe9', 'latin1') })
  const cases: Array<[string[], Record<string, string>, string]> = [
    [[], {}, 'no token: set MERCHANT_TOKEN or pass --token-file'],
    [[], { MERCHANT_TOKEN: '' }, 'MERCHANT_TOKEN is empty'],
    [[], { MERCHANT_TOKEN: 'canary', MERCHANT_TOKEN_FILE: '/x' }, 'MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set only one of them, or pass --token-file'],
    [[], { MERCHANT_TOKEN_FILE: 'canary' }, 'MERCHANT_TOKEN_FILE is a path without / or ./ before it, which cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself'],
    [['--token-file', 'canary'], {}, '--token-file is a path without / or ./ before it, which cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself'],
    [['--token-file', ''], {}, '--token-file is empty: it must be the path of a file, such as ./token'],
    [['--token-file', join(folder, 'empty')], {}, `--token-file is "${join(folder, 'empty')}", which is empty`],
    [['--token-file', join(folder, 'latin1')], {}, `--token-file is "${join(folder, 'latin1')}", which cannot be used: the file is not UTF-8 text`],
    [['--token-file', '/dev/zero'], {}, '--token-file is "/dev/zero", which cannot be used: the file is longer than 65536 bytes']
  ]
  for (const [args, env, message] of cases) {
    await refuses(t, ['kcv', ...args], message, { env })
  }
})

t.test('a token that looks like a mistake causes a warning', async t => {
  const warning = 'payment-signature: warning: the merchant token has fewer than 16 characters, and can be guessed ' +
    'from a single signature\n'
  t.equal((await run(['kcv'], { env: { MERCHANT_TOKEN: 'canary-token' } })).stderr, warning)
})

const withToken = (token: string): string => body.replace('{', `{"merchantToken":${token},`)

t.test('without another token the request\'s own signs, and is not asked for; verify never uses it', async t => {
  const stdin = withToken('"development-only-token"')
  for (const command of ['sign', 'explain']) {
    t.match(await run([command], { env: {}, stdin }), { code: 0, stdout: `${signature}\n`, stderr: /^$/ })
  }
  const noToken = 'no token: set MERCHANT_TOKEN or pass --token-file'
  await refuses(t, ['sign'], noToken, { env: {}, stdin: withToken('""') })
  await refuses(t, ['verify', '--signature', signature], noToken, { env: {}, stdin })
  // printf '%s' 1709912345678ORDER-123457102551100.00 | sha256sum
  t.match((await run(['sign'], { env: {}, stdin: withToken('7') })).stdout, '///519c73ec2f4af94cd962190bbee1495196a7b26e33311e2eeb48368429a959a7')
})

t.test('another token takes precedence over the request\'s own, with a warning', async t => {
  const file = join(t.testdir({ token: 'development-only-token\n' }), 'token')
  const stdin = withToken('"canary-token"')
  const stderr = 'payment-signature: warning: the merchantToken of the request is not used: --token-file and the environment ' +
    'take precedence\n'
  for (const [args, env] of [
    [['--token-file', file], {}], [[], { MERCHANT_TOKEN: 'development-only-token' }], [[], { MERCHANT_TOKEN_FILE: file }]
  ] as ReadonlyArray<[string[], Record<string, string>]>) {
    for (const [command, stdout] of [
      [['sign'], `${signature}\n`],
      [['explain'], `${signature}\n`],
      [['diagnose', '--signature', signature], 'The signature matches the request.\n']
    ] as const) t.match(await run([...command, ...args], { env, stdin }), { code: 0, stdout, stderr })
  }
  const own = { env: { MERCHANT_TOKEN: token }, stdin: withToken('"development-only-token"') }
  t.match(await run(['verify', '--signature', signature, '--json'], own), {
    code: 1, stdout: '"part1":"matches","part2":"unexplained"'
  })
  const { stdout } = await run(['diagnose', '--signature', signature], own)
  t.match(stdout, 'Perhaps it was the token in the request, not the configured token.\n')
  t.notMatch(stdout, 'development-only-token')
})

t.test('the variant is --variant, VARIANT or A', async t => {
  const stdin = body.replace('client-generated-session-id', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11')
  for (const [args, env, variant] of [[[], {}, 'A'], [[], { VARIANT: 'b' }, 'B'], [['--variant', 'a'], { VARIANT: 'B' }, 'A']] as const) {
    const { stdout } = await run(['sign', '--json', ...args], { stdin, env: { MERCHANT_TOKEN: token, ...env } })
    t.equal(JSON.parse(stdout).variant, variant)
  }
  await refuses(t, ['sign', ...flags, '--variant', 'C'], '--variant must be A or B')
  await refuses(t, ['sign', ...flags], 'VARIANT must be A or B', { env: { VARIANT: '' } })
})

t.test('each field except the token has a flag', async t => {
  const expected = [
    '--operation-type --amount --merchant-account-number --account-number --order-id --sid',
    '--client-time-stamp --transaction-fcrn --transaction-id --id-type'
  ]
  t.strictSame(Object.keys(fieldOptions).map(flag => `--${flag}`), expected.join(' ').split(' '))
})

t.test('a request is read from flags, a file, a pipe, or several of them', async t => {
  const folder = t.testdir({ 'request.json': `\ufeff${body}\n`, 'other.json': body.replace('100.00', '5.00'), 'account.json': body.replace('102551', '7') })
  const request = join(folder, 'request.json')
  const ways: Array<[string, string[], string?]> = [
    ['flags', flags],
    ['flags, and a pipe that nobody reads', flags, 'not a request'],
    ['file', ['--request', request]],
    ['file, and a pipe that nobody reads', ['--request', request], 'not a request'],
    ['file and flag', ['--request', join(folder, 'other.json'), '--amount', '100.00']],
    ['pipe', [], body],
    ['--request -', ['--request', '-'], body],
    ['file with merchantAccountNumber, and the flag of accountNumber', ['--request', join(folder, 'account.json'), '--account-number', '102551']],
    ['pipe and flag', ['--amount', '100.00'], body.replace('100.00', '5.00')],
    ['--request - and all flags', ['--request', '-', ...flags], '{"operationType":"refund"}'],
    ['--request - and flags, of which the pipe has the rest', ['--request', '-', ...flags.slice(4)], '{"operationType":"purchase","amount":"100.00"}'],
    ['a pipe that nobody reads, and accountNumber', flags.map(flag => flag.replace('--merchant-account', '--account')), 'no request']
  ]
  for (const [name, args, stdin] of ways) {
    t.strictSame(await run(['sign', ...args], stdin === undefined ? {} : { stdin }),
      { code: 0, stdout: `${signature}\n`, stderr: '' }, name)
  }
})

t.test('only a byte order mark at the beginning is ignored', async t => {
  const folder = t.testdir({ 'request.json': `\ufeff${body.replace('ORDER-12345', 'ORDER\ufeff1')}`, 'no-mark.json': body.replace('ORDER-12345', 'ORDER\ufeff1') })
  for (const name of ['request.json', 'no-mark.json']) {
    const { stdout } = await run(['explain', '--request', join(folder, name), '--json'])
    t.match(JSON.parse(stdout).terms, [{ name: 'clientTimeStamp' }, {}, {}, {}, { name: 'orderIdOrNull', text: 'ORDER\ufeff1' }], name)
  }
})

t.test('unreadable input is an error that names the fault', async t => {
  const nested = `${'{"sid":'.repeat(300_000)}1${'}'.repeat(300_000)}`
  const folder = t.testdir({ latin1: Buffer.from('{"sid":"\xe9"}', 'latin1'), 'empty.json': '' })
  const cases: Array<[string[], string, (string | Buffer)?]> = [
    [[], 'no request: pass --request FILE or flags such as --amount, or pipe one in'],
    [[], 'standard input is empty: it must contain a request', ''],
    [['--request', '-', ...flags], 'standard input is empty: it must contain a request', ''],
    [['--request', join(folder, 'empty.json')], `${join(folder, 'empty.json')} is empty: it must contain a request`],
    [['--request', join(folder, 'missing')], `${join(folder, 'missing')} cannot be read (ENOENT)`],
    [['--request', ''], 'the file with an empty name cannot be read (ENOENT)'],
    [['--request', '/dev/zero'], '/dev/zero is longer than 8 MiB'],
    [[], 'standard input is longer than 8 MiB', 'a'.repeat(8 * 2 ** 20 + 1)],
    ...[',', '[', '{', '\n'].map(separator =>
      [[], 'standard input has more than 500000 values or lines: pass a part of it', separator.repeat(500_001)] as [string[], string, string]),
    [[], 'standard input is empty: it must contain a request', '\n'.repeat(500_000)],
    [['--request', folder], `${folder} cannot be read (EISDIR)`],
    [['--request', join(folder, 'latin1')], `${join(folder, 'latin1')} is not UTF-8 text`],
    [[], 'standard input is not UTF-8 text', readFileSync(join(folder, 'latin1'))],
    [[], 'standard input is not UTF-8 text, but UTF-16', Buffer.from('{"sid":"x"}', 'utf16le')],
    [[], 'standard input is not UTF-8 text, but UTF-16', Buffer.from('\ufeff{"sid":"é"}', 'utf16le')],
    [[], 'standard input is not UTF-8 text, but UTF-16', Buffer.from('{"sid":"x"}', 'utf16le').swap16()],
    [['request'], 'unexpected argument (not shown: it may be a secret); did you mean --request FILE?']
  ]
  for (const [args, message, stdin] of cases) await refuses(t, ['sign', ...args], message, stdin === undefined ? {} : { stdin })
  const { message, code } = toRefusedError(nested)
  await refuses(t, ['sign'], message, { stdin: nested }, code)
})
