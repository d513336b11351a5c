import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { keyCheckValue } from '../../../src/token/key-check-value.js'
import { tokenWarnings } from '../../../src/token/token-warnings.js'

const quotes = 'is in quotes, which are signed as part of it'
const edge = (codePoint: string) =>
  `begins or ends with ${codePoint}, white space or invisible, which is signed as part of it`
const inside = (codePoint: string) => `has an invisible or unusual character inside, ${codePoint}`
const unexpanded = 'looks like a variable that nobody has expanded'
const placeholder = 'looks like a placeholder'
const short = 'has fewer than 16 characters, and can be guessed from a single signature'
const uniform = 'has fewer than 6 different characters, and can be guessed from a single signature'

const good = 'tK7-mQ2xV9/bR4+wZ1'

for (const [token, ...expected] of [
  [good],
  ['7041936285530174'],
  ['correct horse battery staple'],
  ['it\'s "quoted" within, not around'],
  ['sk_test_4eC39HqLyjWDarjtT1zdp7dc'],
  ['trockenes-Brötchen-grün-7'],
  ['development-only-token'],
  [`"${good}"`, quotes],
  [`'${good}'`, quotes],
  [`\`${good}\``, quotes],
  [`“${good}”`, quotes],
  [`‘${good}’`, quotes],
  [`„${good}“`, quotes],
  [`«${good}»`, quotes],
  [`"${good}'`],
  ...['""', '“”', '‘’', '«»', '`'.repeat(2)].map(pair => [`${pair}`, quotes, short, uniform] as const),
  ...['""', '“”', '‘’', '«»'].flatMap(([open, close]) => [[`x${open}${good}${close}`], [`${open}${good}${close}x`]] as const),
  [`"${good}\n${good}"`, quotes, inside('U+000A')],
  [`${good} `, edge('U+0020')],
  [` ${good}`, edge('U+0020')],
  [`${good}\n`, edge('U+000A')],
  [`${good}\r`, edge('U+000D')],
  [`${good}\t`, edge('U+0009')],
  [`\ufeff${good}`, edge('U+FEFF')],
  [`${good}\0`, edge('U+0000')],
  [`${good}\u200b`, edge('U+200B')],
  [`${good}\u{e0001}`, edge('U+E0001')],
  [`${good.slice(0, -1)}\u200b1`, inside('U+200B')],
  [`t\u200b${good}`, inside('U+200B')],
  [`\t${good}\n`, edge('U+0009')],
  [`${good}\u00a0${good}\u200b${good}`, inside('U+00A0')],
  [`${good}\n${good}`, inside('U+000A')],
  [`${good}\u00a0${good}`, inside('U+00A0')],
  [`${good}\u200d${good}`, inside('U+200D')],
  [`${good}\u00ad${good}`, inside('U+00AD')],
  [`${good}\u3164${good}`, inside('U+3164')],
  [`${good}\u2800${good}`, inside('U+2800')],
  [`${good}\ud800${good}`, inside('U+D800')],
  [`${good}\ufffd`, 'has U+FFFD inside, as text that was not UTF-8 gets it'],
  ['$' + '{PAYMENT_TOKEN_2024}', unexpanded],
  ['prefix-$' + '{PAYMENT_TOKEN}', unexpanded],
  ['$PAYMENT_TOKEN_2024', unexpanded],
  ['%PAYMENT_TOKEN_2024%', unexpanded],
  ['{{ .Values.paymentToken }}', unexpanded],
  ['$(cat /run/secrets/t)', unexpanded],
  ...['$' + '{}', '{{}}', '$()'].map(empty => [good + empty, unexpanded] as const),
  ...['x$PAYROLL_KEY_2024', '$PAYROLL-KEY-2024', 'x%PAYROLL_KEY_2024%', '%PAYROLL_KEY_2024%x'].map(text => [text] as const),
  ['$', short, uniform],
  ['%%', short, uniform],
  ['<your token goes in here>', placeholder],
  [`<${good}>`, placeholder],
  [`[${good}\n${good}]`, inside('U+000A'), placeholder],
  ['<>', placeholder, short, uniform],
  ['[]', placeholder, short, uniform],
  ...[`x<${good}>`, `<${good}>x`, `x[${good}]`, `[${good}]x`].map(text => [text] as const),
  ['[merchant-token-of-2024]', placeholder],
  ['your-merchant-token-here', placeholder],
  ['Replace_This_Secret_1', placeholder],
  ['PLEASE CHANGE ME NOW 123', placeholder],
  ['changeme', placeholder, short],
  ['secret', placeholder, short, uniform],
  ['your-token', placeholder, short],
  ['example', placeholder, short],
  ['test', placeholder, short, uniform],
  ['xxx', placeholder, short, uniform],
  ['xxxxxxxxxxxxxxxxxxxx', placeholder, uniform],
  ['tK7-mQ2xV9/bR4+', short],
  ['1212121212121212', uniform],
  ['😀😁😂😃😄😅😆😇', short],
  ['"changeme"\n', edge('U+000A'), placeholder, short],
  ['a', short, uniform]
] as const) {
  t.strictSame(tokenWarnings(token), expected, JSON.stringify(token))
}

t.test('random tokens are fine', async t => {
  const tokens = Array.from({ length: 1000 }, () => [randomBytes(32).toString('hex'), randomBytes(24).toString('base64')])
  t.strictSame(tokens.flat().flatMap(tokenWarnings), [])
})

t.test('the token is in no warning', async t => {
  const characters = fc.constantFrom(...'"\'<>${}%[] \n\u200b\ufffdaxq7')
  const token = fc.string({ unit: characters, minLength: 1, maxLength: 20 }).map(text => `${text}~Zq`)
  t.doesNotThrow(() => fc.assert(fc.property(token, token, (before, after) =>
    [before + after, `"${before}"`, `<${before}>`].every(text => !tokenWarnings(text).join().includes('~Zq')))))
})

t.test('a long text does not take long', async t => {
  const start = performance.now()
  tokenWarnings(`${'testingtokentodomemerchantdevelopment'.repeat(3000)}q`)
  tokenWarnings(`"${'$\u007b'.repeat(20_000)}`)
  tokenWarnings('{{'.repeat(20_000))
  t.ok(performance.now() - start < 1000)
})

t.test('the key check value', async t => {
  // printf TOKEN | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1', the first 6 digits
  for (const [token, expected] of [
    ['development-only-token', '63e1e6'],
    ['a', 'e45bf7'],
    ['a\0', '2878d7'],
    ['töken-€', '738389'],
    ['correct horse battery staple, long enough for sixty-four bytes and a few more', 'd6c9b3']
  ] as const) {
    t.equal(keyCheckValue(token), expected, token)
  }
})
