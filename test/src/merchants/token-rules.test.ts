import t from 'tap'
import { referenceFault, tokenFaults, tokenWarnings } from '../../../src/merchants/token-rules.js'

const quotes = 'is in quotes, which are signed as part of it'
const invisible = (codePoint: string) => `has ${codePoint}, white space or invisible, which is signed as part of it`
const lookAlike = (codePoint: string) => `has ${codePoint} among ASCII letters, which may only look like one of them`
const unexpanded = 'looks like a variable that nobody has expanded'
const placeholder = 'looks like a placeholder'
const reference = 'is a reference, an assignment or an object, and not the secret itself'
const likeReference = 'looks like a reference to a secret, a path or an assignment, and not like the secret itself'
const masked = 'looks masked, as a screen or a log shows a secret: copy the whole token'
const short = 'has fewer than 16 characters, and can be guessed from a single signature'

const good = 'tK7-mQ2xV9/bR4+wZ1'

/** Tokens by their warnings. */
const tokens: ReadonlyArray<readonly [warnings: readonly string[], ...tokens: string[]]> = [
  [[], good, '7041936285530174', 'development-only-token', 'it\'s-"quoted"-within-not-around', `"${good}'`, `x$${good}`, `x<${good}>`,
    'sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'QUJDREVGR0hJSktMTU5PUA==', 'توكن-التاجر-السري'],
  [[quotes], `"${good}"`, `'${good}'`, `\`${good}\``],
  [[quotes, invisible('U+000A')], `"${good}\n${good}"`],
  [[invisible('U+0020')], `${good} `, ` ${good}`],
  [[invisible('U+200B')], `${good}\u200b`, `t\u200b${good}`],
  [[invisible('U+D800')], `${good}\ud800${good}`],
  [[lookAlike('U+0441')], 'k7Hq2mZ9pL4xVb8sRt3\u0441wYc6d'], // a Cyrillic letter
  [[unexpanded], '$' + '{PAYMENT_TOKEN_2024}', 'prefix-$' + '{PAYMENT_TOKEN}', '$PAYMENT_TOKEN_2024', '%PAYMENT_TOKEN_2024%'],
  [[invisible('U+0020'), unexpanded], '{{ .Values.paymentToken }}', '$(cat /run/secrets/t)'],
  [[placeholder], `<${good}>`, 'your-merchant-token-here', 'PLEASE_CHANGE_ME_NOW_123'],
  [[placeholder, short], 'changeme', 'your-token'],
  [[masked], '************3f2a', 'tK7-mQ2xV9***********bR4+wZ1', 'tK7-mQ2xV9/bR4+\u2026', 'tK7-mQ2xV9/bR4+...', 'tK7-mQxxxxxxxxxR4+wZ1'],
  [[masked, short], 'tK7-****4+wZ', 'tK7-\u2022\u2022\u2022\u2022'],
  [[short], 'tK7-mQ2xV9/bR4+', 'secret', '😀😁😂😃😄😅😆😇'],
  [[reference], '@Microsoft.KeyVault(SecretUri=https://shop.vault.azure.net/secrets/token)',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:merchant-token', 'op://payments/merchant/token', '{"token":"k7Hq2mZ9pL4xVb8s"}'],
  [[reference, likeReference], `MERCHANT_TOKEN=${good}`],
  [[invisible('U+0020'), reference], `Bearer ${good}`],
  [[likeReference], 'vault:secret/data/merchant#token', 'ENC[AES256_GCM,data:p673w==,iv:YY=,tag:UQ=,type:str]', '/run/secrets/merchant-token',
    './secrets/merchant-token', '../merchant-token-file', 'file:///run/secrets/token', 'projects/shop/secrets/token/versions/1', `PAYMENT_TOKEN=${good}`]
]

for (const [warnings, ...all] of tokens) {
  for (const token of all) t.strictSame(tokenWarnings(token), warnings, JSON.stringify(token))
}

t.test('a text that cannot be a token is a fault in production; a text that only looks like a reference is none', async t => {
  const faulty = tokens.filter(([warnings]) => warnings.includes(reference)).flatMap(([, ...all]) => all)
  t.equal(faulty.length, 6)
  for (const [, ...all] of tokens) {
    for (const token of all) t.equal(referenceFault(token), faulty.includes(token) ? reference : undefined, token)
  }
})

t.test('a text that is wholly a mask is a fault in production, whatever shows it; a text that only contains one is none', async t => {
  const faultsOf = (token: string, production = true) => [...tokenFaults(token, { strict: false, production })]
  const fault = 'NODE_ENV=production refuses the merchant token: it is a mask, and not the secret itself: copy the whole token'
  for (const token of [
    '***', '*'.repeat(40), '\u2022'.repeat(12), '\u25cf\u25cf\u25cf\u25cf', '......', '\u2026', 'xxxxxxxx', 'XXXXXXXXXXXXXXXX', '####-####-####', '[REDACTED]',
    '[Filtered]', 'REDACTED', '***REDACTED***', '__redacted__', '<hidden>', '{{ masked }}', '(sensitive value)', "SecretStr('**********')",
    "SecretBytes(b'**********')", 'Secret([REDACTED])', '[secure]'
  ]) {
    t.strictSame(faultsOf(token), [fault], token)
    t.ok(tokenWarnings(token).includes(masked), token)
    t.strictSame(faultsOf(token, false), [], token)
  }
  for (const token of [good, '************3f2a', 'tK7-****4+wZ', 'tK7-mQ2xV9/bR4+\u2026', 'secret', 'hidden', 'my-redacted-token', 'secret-of-the-shop']) {
    t.strictSame(faultsOf(token), [], token)
  }
})
