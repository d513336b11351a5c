import { join } from 'node:path'
import t from 'tap'
import { fields, refuses, run, toRefusedError } from '../../support/command-line.js'
import { body, signature } from '../../support/example.js'

const token = 'canary-token-of-a-test'
// printf '%s' 1709912345678ORDER-12345canary-token-of-a-test102551100.00 | sha256sum
const signed = '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db///ad47d74c2c2da80e4112c6a4b3b7688befe77c6edc84ad4e25827f773d6f037f\n'

t.test('the token is read from the environment or a file', async t => {
  const folder = t.testdir({ token: `${token}\n`, other: 'another-token-of-a-test' })
  const file = join(folder, 'token')
  const ways: Array<[string[], Record<string, string>]> = [
    [[], { MERCHANT_TOKEN: token }],
    [[], { MERCHANT_TOKEN: token, MERCHANT_TOKEN_FILE: '' }],
    [[], { MERCHANT_TOKEN_FILE: file }],
    [['--token-file', file], {}],
    [['--token-file', file], { MERCHANT_TOKEN: 'another-token-of-a-test', MERCHANT_TOKEN_FILE: join(folder, 'other') }]
  ]
  for (const [args, env] of ways) {
    t.same(await run(['sign', ...fields, ...args], { env }), { code: 0, stdout: signed, stderr: '' })
  }
})

t.test('.env of the working directory has variables, too, and the environment takes precedence', async t => {
  const folder = t.testdir({ '.env': `MERCHANT_TOKEN='${token}'\nNO_COLOR=1\nVARIANT=B\n`, unreadable: { '.env': {} } })
  const before = process.cwd()
  t.teardown(() => process.chdir(before))
  process.chdir(folder)
  const ofB = await run(['explain', ...fields, 'sid=x'].slice(0, 7), { env: {} })
  t.match(ofB, { code: 1, stderr: /sid/ }, 'variant B wants a UUID')
  t.same(await run(['sign', ...fields], { env: { VARIANT: 'A' } }), { code: 0, stdout: signed, stderr: '' })
  t.match(await run(['sign', ...fields, '--variant', 'A'], { env: { MERCHANT_TOKEN: 'another-token-of-a-test' } }), { code: 0, stdout: /(?<!7)$/ })
  t.match((await run(['explain', ...fields, '--variant', 'A'], { env: {}, isTTY: true })).stdout, '\x1b[1m', 'no other variable counts')
  process.chdir(join(folder, 'unreadable'))
  await refuses(t, ['sign', ...fields], '.env cannot be read (EISDIR)')
})

t.test('an unusable token is refused and not shown', async t => {
  const folder = t.testdir({ empty: '\n' })
  const cases: Array<[string[], Record<string, string>, string]> = [
    [[], {}, 'no token: set MERCHANT_TOKEN or pass --token-file'],
    [[], { MERCHANT_TOKEN: '' }, 'MERCHANT_TOKEN is empty'],
    [[], { MERCHANT_TOKEN: 'canary', MERCHANT_TOKEN_FILE: '/x' }, 'MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set only one of them, or pass --token-file'],
    [[], { MERCHANT_TOKEN_FILE: 'canary' }, 'MERCHANT_TOKEN_FILE is a path that is not shown (it has no / or ./ before it), which cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself'],
    [['--token-file', 'canary'], {}, '--token-file is a path that is not shown (it has no / or ./ before it), which cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself'],
    [['--token-file', ''], {}, '--token-file is empty: it must be the path of a file, such as ./token'],
    [['--token-file', join(folder, 'empty')], {}, `--token-file is "${join(folder, 'empty')}", which is empty`]
  ]
  for (const [args, env, message] of cases) {
    await refuses(t, ['sign', ...fields, ...args], message, { env })
  }
})

t.test('a token that looks like a mistake causes a warning', async t => {
  const warning = 'payment-signature: warning: the merchant token has fewer than 16 characters, and can be guessed ' +
    'from a single signature\n'
  t.equal((await run(['sign', ...fields], { env: { MERCHANT_TOKEN: 'canary-token' } })).stderr, warning)
})

const withToken = (token: string): string => body.replace('{', `{"merchantToken":${token},`)

t.test('without another token the request\'s own signs, and is not asked for; diagnose warns', async t => {
  const stdin = withToken('"development-only-token"')
  for (const command of ['sign', 'explain']) {
    t.match(await run([command], { env: {}, stdin }), { code: 0, stdout: `${signature}\n`, stderr: /^$/ })
  }
  const noToken = 'no token: set MERCHANT_TOKEN or pass --token-file'
  await refuses(t, ['sign'], noToken, { env: {}, stdin: withToken('""') })
  t.match(await run(['diagnose', '--signature', signature], { env: {}, stdin }), {
    code: 0, stderr: 'payment-signature: warning: the token is that of the request: a right signature proves only that its sender knew this token\n'
  })
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
  const { code, stdout } = await run(['diagnose', '--signature', signature], own)
  t.equal(code, 1)
  t.match(stdout, 'Perhaps it was the token in the request, not the configured token.\n')
  t.notMatch(stdout, 'development-only-token')
})

t.test('the variant is --variant, VARIANT or A', async t => {
  const stdin = body.replace('client-generated-session-id', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11')
  for (const [args, env, variant] of [[[], {}, 'A'], [[], { VARIANT: 'B' }, 'B'], [['--variant', 'A'], { VARIANT: 'B' }, 'A']] as const) {
    const { stdout } = await run(['explain', ...args], { stdin, env: { MERCHANT_TOKEN: token, ...env } })
    t.ok(stdout.startsWith(`variant ${variant}`))
  }
  for (const variant of ['C', 'a', 'b']) {
    await refuses(t, ['sign', ...fields, '--variant', variant], '--variant must be A or B')
    await refuses(t, ['sign', ...fields], 'VARIANT must be A or B', { env: { VARIANT: variant } })
  }
  await refuses(t, ['sign', ...fields], 'VARIANT must be A or B', { env: { VARIANT: '' } })
})

t.test('a time stamp of digits is a number, and other fields are texts', async t => {
  const typed = async (...fields: string[]) => {
    const { stdout } = await run(['diagnose', 'sid=s', 'accountNumber=1', 'amount=100', ...fields, '--signature', 'x', '--json'])
    return JSON.parse(stdout).hints.filter((hint: string) => /number/.test(hint))
  }
  t.strictSame(await typed('clientTimeStamp=1709912345678', 'orderId=1'), [])
  t.match((await run(['explain', 'sid=s', 'accountNumber=1', 'amount=1.00', 'clientTimeStamp=007'])).stdout, 'text    007s1.00\n', 'zeros stay')
})

t.test('a request is read from arguments, a file, a pipe, or several of them', async t => {
  const folder = t.testdir({ 'request.json': `\ufeff${body}\n`, 'other.json': body.replace('100.00', '5.00'), 'account.json': body.replace('102551', '7') })
  const request = join(folder, 'request.json')
  const ways: Array<[string, string[], string?]> = [
    ['arguments, and a pipe that nobody reads', fields, 'not a request'],
    ['file, and a pipe that nobody reads', ['--request', request], 'not a request'],
    ['file and argument', ['--request', join(folder, 'other.json'), 'amount=100.00']],
    ['pipe', [], body],
    ['--request -', ['--request', '-'], body],
    ['file with merchantAccountNumber, and accountNumber', ['--request', join(folder, 'account.json'), 'accountNumber=102551']],
    ['--request - and arguments, of which the pipe has the rest', ['--request', '-', ...fields.slice(2)], '{"operationType":"purchase","amount":"100.00"}']
  ]
  for (const [name, args, stdin] of ways) {
    t.strictSame(await run(['sign', ...args], stdin === undefined ? {} : { stdin }),
      { code: 0, stdout: `${signature}\n`, stderr: '' }, name)
  }
})

t.test('only a byte order mark at the beginning is ignored', async t => {
  const { stdout } = await run(['explain'], { stdin: `\ufeff${body.replace('ORDER-12345', 'ORDER\ufeff1')}` })
  t.match(stdout, 'orderIdOrNull    "ORDER\\u{FEFF}1"')
})

t.test('unreadable input is an error that names the fault', async t => {
  const nested = `${'{"sid":'.repeat(300_000)}1${'}'.repeat(300_000)}`
  const folder = t.testdir({ latin1: Buffer.from('{"sid":"\xe9"}', 'latin1') })
  const cases: Array<[string[], string, (string | Buffer)?]> = [
    [[], 'no request: pass --request FILE, or fields such as amount=100.00, or pipe one in'],
    [[], 'standard input is empty: it must contain a request', ''],
    [['--request', join(folder, 'missing')], `${join(folder, 'missing')} cannot be read (ENOENT)`],
    [['--request', ''], 'the file with an empty name cannot be read (ENOENT)'],
    [['--request', '/dev/zero'], '/dev/zero is longer than 8 MiB'],
    [[], 'standard input is longer than 8 MiB', 'a'.repeat(8 * 2 ** 20 + 1)],
    ...[',', '[', '{', '\n'].map(separator =>
      [[], 'standard input has more than 500000 values or lines: pass a part of it', separator.repeat(500_001)] as [string[], string, string]),
    [[], 'standard input is empty: it must contain a request', '\n'.repeat(500_000)],
    [['--request', join(folder, 'latin1')], `${join(folder, 'latin1')} is not UTF-8 text`],
    [[], 'standard input is not UTF-8 text, but UTF-16', Buffer.from('{"sid":"x"}', 'utf16le')],
    [[], 'standard input is not UTF-8 text, but UTF-16', Buffer.from('\ufeff{"sid":"é"}', 'utf16le')],
    [[], 'standard input is not UTF-8 text, but UTF-16', Buffer.from('{"sid":"x"}', 'utf16le').swap16()]
  ]
  for (const [args, message, stdin] of cases) await refuses(t, ['sign', ...args], message, stdin === undefined ? {} : { stdin })
  const { message, code } = toRefusedError(nested)
  await refuses(t, ['sign'], message, { stdin: nested }, code)
})
