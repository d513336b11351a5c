import { join } from 'node:path'
import t from 'tap'
import { body, signature } from '../../support/example.js'
import { run } from '../../support/command-line.js'

// printf '%s' canary-token-of-a-test | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1'
const token = 'canary-token-of-a-test'
const value = '95a791\n'

t.test('from the environment, a file, or two', async t => {
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
    t.same(await run(['kcv', ...args], { env }), { code: 0, stdout: value, stderr: '', terminal: '' })
  }
})

t.test('the key check value as JSON', async t => {
  t.equal((await run(['kcv', '--json'])).stdout, '{"keyCheckValue":"63e1e6"}\n')
})

t.test('what cannot be used is refused, and nothing of it is shown', async t => {
  const folder = t.testdir({ empty: '\n', latin1: Buffer.from('canary-\xe9', 'latin1') })
  const cases: Array<[string[], Record<string, string>, string]> = [
    [[], {}, 'no token, and no terminal to ask for it: set MERCHANT_TOKEN or pass --token-file'],
    [[], { MERCHANT_TOKEN: '' }, 'MERCHANT_TOKEN is empty'],
    [[], { MERCHANT_TOKEN: 'canary', MERCHANT_TOKEN_FILE: '/x' }, 'MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set only one of them, or pass --token-file'],
    [[], { MERCHANT_TOKEN_FILE: 'canary' }, 'MERCHANT_TOKEN_FILE cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself'],
    [['--token-file', 'canary'], {}, '--token-file cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself'],
    [['--token-file', join(folder, 'empty')], {}, `--token-file is "${join(folder, 'empty')}", which is empty`],
    [['--token-file', join(folder, 'latin1')], {}, `--token-file is "${join(folder, 'latin1')}", which is not UTF-8 text`]
  ]
  for (const [args, env, message] of cases) {
    const { code, stdout, stderr } = await run(['kcv', ...args], { env })
    t.equal(stderr, `payment-signature: ${message}\n`)
    t.equal(stdout, '')
    t.equal(code, 2)
  }
})

t.test('it is warned of, wherever it came from', async t => {
  const warning = 'payment-signature: warning: the merchant token has fewer than 16 characters, and can be guessed ' +
    'from a single signature\n'
  t.equal((await run(['kcv'], { env: { MERCHANT_TOKEN: 'canary-token' } })).stderr, warning)
  t.equal((await run(['kcv'], { env: {}, typed: ['canary-token\r'] })).stderr, warning)
})

t.test('it is typed, and not shown', async t => {
  const ways: Array<[string, string[]]> = [
    ['typed', [...token, '\r']],
    ['pasted with a line end, and what comes after it', [`${token}\nrest`]],
    ['pasted, as terminals mark it', [`\x1b[200~${token}\x1b[201~`, '\r']],
    ['with arrow keys, and mended', ['\x1b[D', '\x1bOC', token, 'é', '\x7f', 'xy', '\b\b', '\r']],
    ['begun again', ['wrong', '\x15', token, '\r']],
    ['with a slow start', ['', token, '\r']]
  ]
  for (const [name, typed] of ways) {
    const { code, stdout, stderr, terminal } = await run(['kcv'], { env: {}, typed })
    t.equal(stdout, value, name)
    t.equal(stderr, '')
    t.equal(terminal, '<raw>Merchant token (not shown): <cooked>\n<closed>')
    t.equal(code, 0)
  }
})

t.test('nothing is typed', async t => {
  for (const typed of [['\r'], ['\x04'], ['half', '\x04'], ['half', '\x04', 'rest\r'], ['half']]) {
    const { code, stderr, terminal } = await run(['kcv'], { env: {}, typed })
    t.equal(stderr, 'payment-signature: no token was typed\n')
    t.match(terminal, /<cooked>\n<closed>$/)
    t.equal(code, 2)
  }
})

t.test('Ctrl-C', async t => {
  for (const args of [[], ['--json']]) {
    const { code, stdout, stderr, terminal } = await run(['kcv', ...args], { env: {}, typed: ['half', '\x03'] })
    t.equal(code, 130)
    t.equal(stdout + stderr, '')
    t.match(terminal, /<cooked>\n<closed>$/)
  }
})

t.test('without another token the request\'s own signs, and is not asked for; verify never uses it', async t => {
  const stdin = body.replace('{', '{"merchantToken":"development-only-token",')
  for (const args of [['sign'], ['explain']]) {
    const { code, stdout, stderr } = await run(args, { env: {}, stdin })
    t.match(stdout, `${signature}\n`)
    t.equal(stderr, '')
    t.equal(code, 0)
  }
  for (const [args, request] of [
    [['sign'], body.replace('{', '{"merchantToken":"",')],
    [['verify', '--signature', signature], stdin]
  ] as const) {
    const { code, stderr } = await run([...args], { env: {}, stdin: request })
    t.match(stderr, 'no token, and no terminal')
    t.equal(code, 2)
  }
  const number = await run(['sign'], { env: {}, stdin: body.replace('{', '{"merchantToken":7,') })
  // printf '%s' 1709912345678ORDER-123457102551100.00 | sha256sum
  t.match(number.stdout, '///519c73ec2f4af94cd962190bbee1495196a7b26e33311e2eeb48368429a959a7')
})

t.test('another token takes precedence over the request\'s own, with a warning', async t => {
  const file = join(t.testdir({ token: 'development-only-token\n' }), 'token')
  const stdin = body.replace('{', '{"merchantToken":"canary-token",')
  const given: Array<[string[], Record<string, string>]> = [
    [['--token-file', file], {}], [[], { MERCHANT_TOKEN: 'development-only-token' }], [[], { MERCHANT_TOKEN_FILE: file }]
  ]
  for (const [args, env] of given) {
    for (const command of [['sign'], ['explain'], ['diagnose', '--signature', signature]]) {
      const { code, stdout, stderr } = await run([...command, ...args], { env, stdin })
      t.match(stdout, command.length === 1 ? `${signature}\n` : 'The signature matches the request.\n')
      t.equal(stderr, 'payment-signature: warning: the merchantToken of the request is not used: the token of --token-file, ' +
        'MERCHANT_TOKEN or MERCHANT_TOKEN_FILE takes precedence\n')
      t.equal(code, 0)
    }
    const verified = await run(['verify', '--signature', signature, ...args], { env, stdin })
    t.match(verified.stdout, /^! the request has its own merchantToken, which is not used here\n✓ part 1 matches\n✓ part 2 matches\n/)
    t.equal(verified.code, 0)
  }
  const own = body.replace('{', '{"merchantToken":"development-only-token",')
  const forged = await run(['verify', '--signature', signature, '--json'], { env: { MERCHANT_TOKEN: token }, stdin: own })
  t.equal(forged.stdout, '{"variant":"A","valid":false,"part1":true,"part2":false,"ownToken":true,"form":[],"refusal":""}\n')
  t.equal(forged.code, 1)
  const diagnosed = await run(['diagnose', '--signature', signature], { env: { MERCHANT_TOKEN: token }, stdin: own })
  t.match(diagnosed.stdout, 'The token was different: it was the one in the request, not the configured one.\n')
  t.notMatch(diagnosed.stdout, 'development-only-token')
})

t.test('the variant is --variant, VARIANT or A', async t => {
  const signed = async (args: string[], env = {}) =>
    (await run(['sign', '--json', ...args], { stdin: body.replace('client-generated-session-id', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'), env: { MERCHANT_TOKEN: token, ...env } })).stdout.slice(0, 14)
  t.equal(await signed([]), '{"variant":"A"')
  t.equal(await signed([], { VARIANT: 'b' }), '{"variant":"B"')
  t.equal(await signed(['--variant', 'a'], { VARIANT: 'B' }), '{"variant":"A"')
  t.equal((await run(['sign', '--variant', 'C'])).stderr, 'payment-signature: --variant must be A or B\n')
  t.equal((await run(['sign'], { env: { VARIANT: '' } })).stderr, 'payment-signature: VARIANT must be A or B\n')
})
