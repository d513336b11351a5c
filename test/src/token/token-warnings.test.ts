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
  [[edge('U+FEFF')], `\ufeff${good}`],
  [[edge('U+0000')], `${good}\0`],
  [[edge('U+200B')], `${good}\u200b`],
  [[edge('U+E0001')], `${good}\u{e0001}`],
  [[inside('U+200B')], `${good.slice(0, -1)}\u200b1`, `t\u200b${good}`],
  [[inside('U+00A0')], `${good}\u00a0${good}\u200b${good}`, `${good}\u00a0${good}`],
  [[inside('U+000A')], `${good}\n${good}`],
  [[inside('U+200D')], `${good}\u200d${good}`],
  [[inside('U+00AD')], `${good}\u00ad${good}`],
  [[inside('U+3164')], `${good}\u3164${good}`],
  [[inside('U+2800')], `${good}\u2800${good}`],
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

t.test('random tokens cause no warning', async t => {
  const tokens = Array.from({ length: 1000 }, () => [randomBytes(32).toString('hex'), randomBytes(24).toString('base64')])
  t.strictSame(tokens.flat().flatMap(tokenWarnings), [])
})

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
