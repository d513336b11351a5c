import { join } from 'node:path'
import t from 'tap'
import { body } from '../../support/example.js'
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
    t.equal(terminal, '<raw>Merchant token (not shown): \n<cooked><closed>')
    t.equal(code, 0)
  }
})

t.test('nothing is typed', async t => {
  for (const typed of [['\r'], ['\x04'], ['half', '\x04'], ['half', '\x04', 'rest\r'], ['half']]) {
    const { code, stderr, terminal } = await run(['kcv'], { env: {}, typed })
    t.equal(stderr, 'payment-signature: no token was typed\n')
    t.match(terminal, /<cooked><closed>$/)
    t.equal(code, 2)
  }
})

t.test('Ctrl-C', async t => {
  for (const args of [[], ['--json']]) {
    const { code, stdout, stderr, terminal } = await run(['kcv', ...args], { env: {}, typed: ['half', '\x03'] })
    t.equal(code, 130)
    t.equal(stdout + stderr, '')
    t.match(terminal, /<cooked><closed>$/)
  }
})

t.test('the request\'s own is used, and not asked for', async t => {
  const stdin = body.replace('{', '{"merchantToken":"development-only-token",')
  const { code, stdout } = await run(['sign'], { env: {}, stdin })
  t.match(stdout, /\/\/\/21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755\n$/)
  t.equal(code, 0)
  const empty = await run(['sign'], { env: {}, stdin: body.replace('{', '{"merchantToken":"",') })
  t.match(empty.stderr, 'no token, and no terminal')
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
