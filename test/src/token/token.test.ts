import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Environment } from '../../../src/configuration/settings.js'
import { keyCheckValue } from '../../../src/token/key-check-value.js'
import { isReadableByAll, TokenError } from '../../../src/token/token-file.js'
import { tokenWarnings } from '../../../src/token/token-warnings.js'
import { testApp } from '../../support/app.js'
import { customSigner } from '../../support/custom-signer.js'

process.umask(0o077) // a token file that others can read causes a warning

const request = {
  method: 'POST',
  url: '/api/generate-signature',
  payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
} as const

/** Part 2 for each token, which shows the token that signed: `printf '%s' 1nullTOKEN1 | sha256sum`. */
const part2 = {
  'from-file': '3935734bbd1026568b54e6b2f6e8b9d5f121aaa191555d142a6ff19495ba9743',
  'from-file ': 'f4001fa4ab2d66a1610d1b56e1cc5fa1a5dc94461696da519b71d8b8b86a7c23',
  'from-file\r': '7161b512ed397ae6c952d89f05f40da42d06b921574114dd5876a914ad36aff9',
  '\nfirst': '231194c91a388cac5ab3de34f2002a52e6af7e5158f8b1a23f44f5ca6284ebb8',
  'from-file\n': 'd54c3abdcfa630300a0fb91b5ce93ea84a96a8e5cf481ea289aaf0aa77b7e149',
  'töken-€': 'a17b1a1b16bb4fe81c00cafb5a1ba7c2800b9a1893478bd9b8cfed89dd7fc548',
  ' "quoted" ': '6898a10292ba6528c1901e67b57f29fce880446c282dae24341682b77f89c020',
  'development-only-token': '8c37de3b37d08a757275a8e5adf7a339880ae4da5e2352fef288e55300a348c3'
}

async function faultOf (t: Test, config: Partial<Environment>): Promise<unknown> {
  const { app } = testApp(t, { config: { ...config } })
  try {
    await app.ready()
    return undefined
  } catch (error) {
    if (error instanceof TokenError && error.code === 'ERR_TOKEN') return error.message
    throw error
  }
}

async function signsWith (t: Test, config: Partial<Environment>, token: keyof typeof part2): Promise<FastifyInstance> {
  const { app } = testApp(t, { config })
  const response = await app.inject(request)
  t.equal(response.json().signature.slice(67), part2[token])
  return app
}

const noToken = { MERCHANT_TOKEN: undefined } as unknown as Partial<Environment>

t.test('a file has the token, with a trailing newline or without', async t => {
  for (const [content, token] of [
    ['from-file', 'from-file'],
    ['from-file\n\n', 'from-file\n'],
    ['from-file\r\n', 'from-file\r'],
    ['\nfirst', '\nfirst'],
    ['from-file \n', 'from-file '],
    ['töken-€\n', 'töken-€']
  ] as const) {
    const path = join(t.testdir({ token: content }), 'token')
    const app = await signsWith(t, { ...noToken, MERCHANT_TOKEN_FILE: path, NODE_ENV: 'production' }, token)
    t.equal(app.merchantToken.source, `MERCHANT_TOKEN_FILE (${path})`)
  }
  for (const [why, content] of [['empty', ''], ['empty', '\n'], ['not UTF-8 text', Buffer.from([0x74, 0xff])]] as const) {
    const path = join(t.testdir({ token: content as string }), 'token')
    t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path }), `MERCHANT_TOKEN_FILE is "${path}", which is ${why}`)
  }
})

t.test('MERCHANT_TOKEN is used unchanged', async t => {
  await signsWith(t, { MERCHANT_TOKEN: ' "quoted" ' }, ' "quoted" ')
  const { app } = testApp(t, { config: { MERCHANT_TOKEN: 'from-variable', NODE_ENV: 'production' } })
  await app.ready()
  t.equal(app.merchantToken.source, 'MERCHANT_TOKEN')
  t.equal(await faultOf(t, { MERCHANT_TOKEN: 'from-variable', MERCHANT_TOKEN_FILE: './token' }),
    'MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set one of them')
})

const refusal = 'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s token, or ' +
  'MERCHANT_TOKEN_FILE to the path of a file that holds it'

t.test('the development default', async t => {
  const app = await signsWith(t, noToken, 'development-only-token')
  t.equal(app.merchantToken.source, 'the development default')
  t.equal(await faultOf(t, { ...noToken, NODE_ENV: 'production' }), refusal)
  t.equal(await faultOf(t, { MERCHANT_TOKEN: 'development-only-token', NODE_ENV: 'production' }), refusal)
  const path = join(t.testdir({ token: 'development-only-token\n' }), 'token')
  t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path, NODE_ENV: 'production' }), refusal)
})

t.test('an injected signer needs no token', async t => {
  const { app } = testApp(t, {
    config: { ...noToken, NODE_ENV: 'production' },
    signer: customSigner('B', () => 'signed')
  })
  t.equal((await app.inject('/health')).json().variant, 'B')
  t.equal(app.merchantToken.source, '')
})

t.test('a path that may be the token itself is not shown', async t => {
  for (const MERCHANT_TOKEN_FILE of ['tK7-mQ2xV9/bR4+wZ1', '.../tK7-mQ2xV9']) {
    t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE }), 'MERCHANT_TOKEN_FILE cannot be read (ENOENT): it must be the path ' +
      'of a file, such as ./token; what was given is not shown, since it may be the secret itself')
  }
  for (const path of ['./nowhere', '../nowhere', '/nowhere']) {
    t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path }),
      `MERCHANT_TOKEN_FILE is "${path}", which cannot be read (ENOENT)`)
  }
})

t.test('STRICT and a policy refuse a token of digits', async t => {
  const digits = '7041936285530174'
  t.equal(await faultOf(t, { MERCHANT_TOKEN: digits, STRICT: true }), 'STRICT needs a token that has more than digits and points')
  t.equal(await faultOf(t, { MERCHANT_TOKEN: digits, POLICY_FILE: 'policy.json' }),
    'STRICT needs a token that has more than digits and points')
  for (const [MERCHANT_TOKEN, STRICT] of [[digits, false], [`${digits}x`, true], ['٧٠٤١٩٣٦٢', true]] as const) {
    t.equal(await faultOf(t, { MERCHANT_TOKEN, STRICT }), undefined)
  }
})

t.test('each warning about a token or its file is one line', async t => {
  const development = 'the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE'
  const readable = 'MERCHANT_TOKEN_FILE can be read by every user of this machine: chmod o-r; in Kubernetes, ' +
    'defaultMode: 0440 and an fsGroup'

  /** Returns the log of the start. */
  async function said (t: Test, config: Partial<Environment>): Promise<string[]> {
    const { app, log } = testApp(t, { config: { NODE_ENV: '', ...config } })
    await app.ready()
    return log().split('\n').slice(0, -1).map(line => JSON.parse(line)).map(({ level, msg }) => `${level} ${msg}`)
  }

  t.strictSame(await said(t, noToken), [`40 ${development}`])
  t.strictSame(await said(t, { MERCHANT_TOKEN: 'development-only-token', NODE_ENV: 'development' }), [`40 ${development}`])
  t.strictSame(await said(t, { ...noToken, NODE_ENV: 'test' }), [])

  const path = join(t.testdir({ token: 'development-only-token' }), 'token')
  const file = { ...noToken, MERCHANT_TOKEN_FILE: path }
  t.strictSame(await said(t, file), [`40 ${development}`])
  chmodSync(path, 0o444)
  t.strictSame(await said(t, file), [`40 ${development}`, `40 ${readable}`])
  t.strictSame(await said(t, { ...file, NODE_ENV: 'test' }), [`40 ${readable}`])

  const { app, log } = testApp(t, { config: file })
  await app.ready()
  for (const [mode, token, expected] of [[0o640, 'a-first-token-of-some-length', false], [0o604, 'another-token-of-some-length', true]] as const) {
    chmodSync(path, 0o600)
    writeFileSync(path, token)
    chmodSync(path, mode)
    const before = log().length
    await app.watchedFiles[0]?.reload()
    t.equal(log().slice(before).includes(readable), expected, mode.toString(8))
  }
})

t.test('a missing file causes no warning about its permissions', async t => {
  t.equal(await isReadableByAll(join(t.testdir(), 'nowhere')), false)
})

const quotes = 'is in quotes, which are signed as part of it'
const edge = (codePoint: string) =>
  `begins or ends with ${codePoint}, white space or invisible, which is signed as part of it`
const inside = (codePoint: string) => `has an invisible or unusual character inside, ${codePoint}`
const unexpanded = 'looks like a variable that nobody has expanded'
const placeholder = 'looks like a placeholder'
const short = 'has fewer than 16 characters, and can be guessed from a single signature'
const uniform = 'has fewer than 6 different characters, and can be guessed from a single signature'

const good = 'tK7-mQ2xV9/bR4+wZ1'

/** Tokens by their warnings. */
const tokens: ReadonlyArray<readonly [warnings: readonly string[], ...tokens: string[]]> = [
  [[], good, '7041936285530174', 'correct horse battery staple', 'it\'s "quoted" within, not around',
    'sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'trockenes-Brötchen-grün-7', 'development-only-token', `"${good}'`],
  [[quotes], `"${good}"`, `'${good}'`, `\`${good}\``, `“${good}”`, `‘${good}’`, `„${good}“`, `«${good}»`],
  [[quotes, inside('U+000A')], `"${good}\n${good}"`],
  [[edge('U+0020')], `${good} `, ` ${good}`],
  [[edge('U+000A')], `${good}\n`],
  [[edge('U+000D')], `${good}\r`],
  [[edge('U+0009')], `${good}\t`, `\t${good}\n`],
  [[edge('U+200B')], `${good}\u200b`],
  [[edge('U+E0001')], `${good}\u{e0001}`],
  [[inside('U+200B')], `${good.slice(0, -1)}\u200b1`, `t\u200b${good}`],
  [[inside('U+00A0')], `${good}\u00a0${good}\u200b${good}`, `${good}\u00a0${good}`],
  [[inside('U+000A')], `${good}\n${good}`],
  [[inside('U+D800')], `${good}\ud800${good}`],
  [['has U+FFFD inside, as text that was not UTF-8 gets it'], `${good}\ufffd`],
  [[unexpanded], '$' + '{PAYMENT_TOKEN_2024}', 'prefix-$' + '{PAYMENT_TOKEN}', '$PAYMENT_TOKEN_2024',
    '%PAYMENT_TOKEN_2024%', '{{ .Values.paymentToken }}', '$(cat /run/secrets/t)'],
  [[short, uniform], '$', '%%', 'a'],
  [[placeholder], '<your token goes in here>', `<${good}>`, '[merchant-token-of-2024]', 'your-merchant-token-here',
    'Replace_This_Secret_1', 'PLEASE CHANGE ME NOW 123'],
  [[inside('U+000A'), placeholder], `[${good}\n${good}]`],
  [[placeholder, short, uniform], '<>', '[]', 'secret', 'test', 'xxx'],
  [[placeholder, short], 'changeme', 'your-token', 'example'],
  [[placeholder, uniform], 'xxxxxxxxxxxxxxxxxxxx'],
  [[short], 'tK7-mQ2xV9/bR4+', '😀😁😂😃😄😅😆😇'],
  [[uniform], '1212121212121212'],
  [[edge('U+000A'), placeholder, short], '"changeme"\n'],
  [[quotes, short, uniform], '""', '“”', '‘’', '«»', '``'],
  [[], ...['""', '“”', '‘’', '«»'].flatMap(([open, close]) => [`x${open}${good}${close}`, `${open}${good}${close}x`])],
  [[unexpanded], ...['$' + '{}', '{{}}', '$()'].map(empty => good + empty)],
  [[], 'x$PAYROLL_KEY_2024', '$PAYROLL-KEY-2024', 'x%PAYROLL_KEY_2024%', '%PAYROLL_KEY_2024%x'],
  [[], `x<${good}>`, `<${good}>x`, `x[${good}]`, `[${good}]x`]
]

for (const [warnings, ...all] of tokens) {
  for (const token of all) t.strictSame(tokenWarnings(token), warnings, JSON.stringify(token))
}

t.test('no warning contains the token', async t => {
  const characters = fc.constantFrom(...'"\'<>${}%[] \n\u200b\ufffdaxq7')
  const token = fc.string({ unit: characters, minLength: 1, maxLength: 20 }).map(text => `${text}~Zq`)
  t.doesNotThrow(() => fc.assert(fc.property(token, token, (before, after) =>
    [before + after, `"${before}"`, `<${before}>`].every(text => !tokenWarnings(text).join().includes('~Zq')))))
})

t.test('a long text is checked quickly', async t => {
  const start = process.cpuUsage()
  tokenWarnings(`${'testingtokentodomemerchantdevelopment'.repeat(3000)}q`)
  tokenWarnings(`"${'$\u007b'.repeat(20_000)}`)
  tokenWarnings('{{'.repeat(20_000))
  t.ok(process.cpuUsage(start).user < 1_000_000) // microseconds
})

t.test('the key check value', async t => {
  // printf TOKEN | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1', the first 6 digits
  for (const [token, expected] of [['development-only-token', '63e1e6'], ['a\0', '2878d7'], ['töken-€', '738389']] as const) {
    t.equal(keyCheckValue(token), expected, token)
  }
})
