import t from 'tap'
import { diagnose, diagnoseInFile, judge } from '../../../tools/diagnosis/diagnose.js'
import type { DiagnoseOptions, Diagnosis } from '../../../tools/diagnosis/diagnosis.js'
import { digest, requests, signature, signatureOf, signed, textsOf, token } from '../../support/wrong-signatures.js'

// Searches are short here. test/system/diagnose.test.ts has the mistakes that are found, and the long searches.

const scheme = { variant: 'A', merchantToken: token } as const
const variantB = { ...scheme, variant: 'B' } as const
/** Options of a search that reaches its limit. */
const limited = { ...scheme, maxTries: 2000 } as const
const nothing = 'a'.repeat(64)
const unknown = `${nothing}///${nothing}`
const { purchase, refund } = requests
const usual = textsOf('purchase', purchase, token)
const [part1 = '', part2 = ''] = signature('purchase').split('///')

const namesIn = ({ causes }: Diagnosis): string[] | undefined => causes[0]?.changes.map(({ hypothesis }) => hypothesis)

type More = readonly [request?: object, options?: DiagnoseOptions]

t.test('a part of a signature that was cut is judged by itself', async t => {
  const judged = (text: string, options = {}) => {
    const { valid, part1, part2, hints } = diagnose(text, requests.purchase, { ...scheme, ...options })
    t.ok(hints.length > 0)
    return [valid, part1, part2]
  }
  t.strictSame(judged(`${part1}///${part2.slice(1)}`), [false, 'matches', 'unexplained'])
  t.strictSame(judged(`${part1.slice(1)}///${part2}`), [false, 'unexplained', 'matches'])
  t.strictSame(judged(`${part1}///${part2.slice(1)}`, { merchantToken: undefined }), [false, 'unexplained', 'unexplained'])
})

/** Instructions, each for one mistake. */
for (const [what, wrong, fix, options = scheme] of [
  ['an empty token', signature('purchase', { token: '' }), /^Check that the variable reaches the process that signs/],
  ['an account number undefined', signature('purchase', { account: 'undefined' }), /^Check that the value reaches the code that signs/],
  ['a sid that was left out', signature('purchase', { sid: '' }), /^Check that the value reaches the code that signs/],
  ['a token cut at =', signature('purchase', { token: 's3cret' }), /^Put it in single quotes/, { ...scheme, merchantToken: 's3cret=abc' }],
  ['a token expanded in a shell', signature('purchase', { token: 'y0' }), /^Put it in single quotes/, { ...scheme, merchantToken: '$2y$10$KzqIh7BsW' }],
  ['a token whose + became a space', signature('purchase', { token: 'a b/c' }), /^Decode form data once/, { ...scheme, merchantToken: 'a+b/c' }],
  ['a percent-encoded token', signature('purchase', { token: 'a%2Bb%2Fc' }), /^Decode it before signing/, { ...scheme, merchantToken: 'a+b/c' }]
] as ReadonlyArray<readonly [string, string, RegExp, DiagnoseOptions?]>) {
  t.test(`advice for ${what}`, async t => {
    t.match(diagnose(wrong, purchase, options).causes[0]?.changes[0]?.fix, fix)
  })
}

const hintsOfToken = ['Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.',
  "Part 2 differs: compare the token with the signer's by its key check value, then the order id and account number."]
const limit = /^The search reached its limit/
/** Next steps after a match. openssl dgst -hmac made the key check value. */
const next = [/was exactly this sent to the payment side/, /key check value 77fbdd/, /variant A\?$/]
/** The states of the parts, the causes and the hints. */
const open: ReadonlyArray<readonly [
  what: string, wrong: string, parts: string, names: string[] | undefined, hints: Array<RegExp | string>, ...More
]> = [
  ['a right signature', signature('purchase'), 'matches matches', undefined, next],
  ['a right part 2', `${signature('refund').slice(0, 64)}///${part2}`, 'explained matches', ['term-added'], [], { ...purchase, transactionFCRN: '0098765' }],
  ['another token that nobody knows', signature('refund', { token: 'of another planet' }), 'matches unexplained', undefined, [...hintsOfToken, limit], refund, limited],
  ['an explained part 1, and another token', signature('refund', { amount: '1234.5', token: 'of another planet' }), 'explained unexplained', ['amount-decimals'],
    [/^Part 1 is explained/, /^Part 2 probably has the same mistake, and differs/, limit], refund, limited],
  ['another token in variant B', signature('B', { token: 'of another planet' }), 'matches unexplained', undefined,
    [/^Part 1/, /by its key check value, then the account number\.$/, limit], requests.B, { ...limited, variant: 'B' }],
  ['another sid', signature('purchase', { sid: 'x' }), 'unexplained matches', undefined, [/^Part 2 matches: the token, .* in part 2, are right\. Part 1 differs in something else, most often the sid: generate/, limit], purchase, limited],
  ['another sid beside another mistake', signature('purchase', { sid: 'x', order: 'null' }), 'unexplained explained', ['identifier-absent'],
    [/^Part 2 is explained: besides the causes above, the token, .* are right\. Part 1 differs in something else, most often the sid/, limit], purchase, { ...scheme, maxTries: 20_000 }],
  ['a separator, and another sid', signed({ ...usual, sid: 'x' }, terms => digest(terms.join('|'))), 'unexplained explained', ['terms-separated'],
    [/\. Part 1 probably has the same mistake, and differs in something else, most often the sid/, limit], purchase, { ...scheme, maxTries: 20_000 }],
  ['a separator, and another token', signed({ ...usual, token: 'x' }, terms => digest(terms.join('|'))), 'explained unexplained', ['terms-separated'],
    [/^Part 1 is explained/, /^Part 2 probably has the same mistake, and differs: compare the token/, limit],
    purchase, { ...scheme, maxTries: 20_000 }],
  ['a mistake, without a token', signature('purchase', { amount: '1234.5', token: '?' }), 'explained unsearched', ['amount-decimals'],
    [/^Part 1 is explained/, /because there is no token\. It probably has the same mistake\. Part 2/], purchase, { variant: 'A' }],
  ['only the form, without a token', `"${signature('purchase')}"`, 'matches unsearched', ['signature-quoted'], [/^Part 1 matches: /, /because there is no token/],
    purchase, { variant: 'A' }],
  ['a bad writer, without a token', [part1, part2].map(part => Buffer.from(part).toString('hex')).join('///'), 'matches unsearched', ['digest-hex-twice'],
    [/^Part 1 matches/, /because there is no token/], purchase, { variant: 'A' }],
  ['nothing', unknown, 'unexplained unexplained', undefined, ['Part 1 differs. It does not contain the token: compare the text ' +
    'that the signing side hashes with that of payment-signature explain. If the texts are equal, the algorithm differs (SHA-256, not Keccak or SM3), ' +
    'or the encoding (UTF-8).', limit], purchase, limited],
  ['the output of a tool around wrong digits', `${nothing}  part1.txt///${nothing} *stdin`, 'unexplained unexplained', undefined, [/^Part 1 differs/, limit], purchase, limited],
  ['the digest of nothing, without a token', `${digest('')}///${digest('')}`, 'explained unsearched', ['nothing-hashed'],
    ['Part 1 is explained.', /because there is no token\. It probably has the same mistake\. Part 2 also contains the order id, account number and token\.$/],
    purchase, { variant: 'A' }],
  ['nothing, without a token', unknown, 'unexplained unsearched', undefined, [/^Part 1 differs\. It does not contain the token/, /because there is no token/, limit],
    purchase, { variant: 'A', maxTries: 2000 }],
  ['the token of the request', signature('purchase'), 'matches matches', undefined, [/^The request contains merchantToken/, ...next], { ...purchase, merchantToken: token }, { variant: 'A' }],
  ['the given token, which takes precedence', signature('purchase'), 'matches matches', undefined, next, { ...purchase, merchantToken: 'its own' }],
  ['a request that is refused, and right', signature('purchase', { sid: ' ' }), 'matches matches', undefined,
    ['The service would refuse this request: sid must be a non-empty string.'], { ...purchase, sid: ' ' }],
  ['a request without an account number', signature('purchase', { account: 'undefined' }), 'matches matches', undefined,
    [/merchantAccountNumber or accountNumber is required/], { ...purchase, merchantAccountNumber: undefined }],
  ['a warning of explain', unknown, 'unexplained unexplained', undefined,
    [/^Part 1 differs/, 'The request has the key order_id, which is not read: the field is orderId.', limit], { ...purchase, order_id: '7' }, limited],
  ['an amount without a text', signature('purchase'), 'unexplained unexplained', undefined, [/Cannot convert object to primitive value/], { ...purchase, amount: { toString: 1 } }]
]
for (const [what, wrong, parts, names, hints, request = purchase, options = scheme] of open) {
  t.test(what, async t => {
    const diagnosis = diagnose(wrong, request as typeof purchase, options)
    t.equal([diagnosis.part1, diagnosis.part2].join(' '), parts)
    t.strictSame(namesIn(diagnosis), names)
    t.match(diagnosis.hints, hints)
    t.equal(diagnosis.hints.length, hints.length)
    t.equal(diagnosis.valid, parts === 'matches matches' && !/would refuse|is required/.test(String(hints)))
  })
}

t.test('a token that was signed as another field is not shown', async t => {
  const { causes } = diagnose(signature('purchase', { sid: token.toUpperCase() }), purchase, scheme)
  t.match(causes[0]!.changes[0]!.finding, 'sid was another text when it was signed; your request has "5f0c5f4e')
  t.notMatch(JSON.stringify(causes), new RegExp(token, 'i'))
})

t.test('white space, and not decimals, explains an amount with a space', async t => {
  const [change] = diagnose(signature('purchase', { amount: '12.00' }), { ...purchase, amount: ' 12.00' }, scheme).causes[0]!.changes
  t.equal(change!.interpretation, 'Perhaps your side has white space.')
})

t.test('the text of an absent field is not decorated', async t => {
  const { causes } = diagnose(signature('purchase', { amount: '1234.50\n' }), purchase, scheme)
  t.strictSame(causes.map(({ changes }) => changes.map(({ finding }) => finding)), [
    ['The hashed text had a line break at its end, or amount had.'],
    ['After amount, "\\n" was added when it was signed.']
  ])
})

t.test('the limits of the search are kept', async t => {
  const { tries, complete, hints } = diagnose(unknown, purchase, { ...scheme, maxTries: 1000 })
  t.strictSame([tries, complete], [900, false])
  t.match(hints.at(-1), limit)
  const amount = signature('purchase', { amount: 'None' })
  t.equal(judge(amount, purchase, scheme).causes.length, 0)
  t.equal(diagnose(amount, purchase, scheme).causes.length, 1)
  t.equal(diagnose(unknown, { sid: '', clientTimeStamp: '' }, { variant: 'A' }).complete, true)
})

for (const [text, fault] of [
  ['', 'it is empty.'], ['a///b///c', /this has 9/], ['refused', /this has 7/], ['///', /part 1 has 0/], ['z'.repeat(131), /131/], ['{"error":"no"}', /14/], ['{'.repeat(1_000_000), /1000000/],
  [`${part1}///${part2.slice(1)}`, 'part 2 has 63 hexadecimal digits, not 64.'],
  [`${part1}///${part2.slice(3)}`, 'part 2 has 61 hexadecimal digits, not 64.'],
  [signature('purchase').replace(/(?<=\/\/\/)./, 'O'), 'part 2 has "O" at position 1, which is not a hexadecimal digit.'],
  [`${'g'.repeat(8)}${'a'.repeat(56)}///${'a'.repeat(61)}`, 'part 1 has "g" at position 1, which is not a hexadecimal digit.'],
  ['[B@6d06d69c///[B@7852e922', 'part 1 is the name of an array of bytes: write its bytes in hexadecimal.'],
  ['System.Byte[]///System.Byte[]', 'part 1 is the name of an array of bytes'],
  ['[object ArrayBuffer]///[object ArrayBuffer]', 'part 1 is the name of an array of bytes'],
  [`${part1}///[object Promise]`, 'part 2 is a promise: await it.'],
  ['<sha256 _hashlib.HASH object @ 0x7f3a2c1d5e90>///b', 'part 1 is the name of an object'],
  ["b'\\xe2K'///b'\\xafZ'", 'part 1 is what Python prints for bytes: write them with hex().'],
  ['{"words":[1],"sigBytes":32}///{}', 'part 1 is a WordArray of crypto-js: write it with toString().'],
  [`-${part1.slice(1)}///${part2}`, 'part 1 is a negative number'],
  ['abc', 'a signature is 64 hexadecimal digits, /// and 64 more, 131 characters; this has 3.']
] as const) {
  t.test(`${JSON.stringify(text.slice(0, 20))}, ${text.length} characters, is no signature`, async t => {
    const { valid, hints: [hint, ...others], tries } = diagnose(text, purchase, scheme)
    t.strictSame([valid, tries, others], [false, 0, []])
    t.match(hint, 'This is not a signature: ')
    t.match(hint, fault)
  })
}

/** Right digests in other forms, as Python 3.11, crypto-js 4.2 and CryptoKit print them. */
for (const [what, hypothesis, wrong, clientTimeStamp = 1795770000456] of [
  ['bytes of Python', 'digest-bytes', String.raw`b'\xe2K\xc6l\xcc\xceK\x82?\xa8\xc2\x7f\xda\xa1\x00_\xcb\xbd\x8f#\xa8\xa9k\xf8\x97)[\xdf\xd7\x80}='///` +
    String.raw`b'\xafZ\xc2Jk\x89\xd1-\x06\xe8\xa8\xdf*\x17\x8a#\xddTq\x00\xfb\x1a\xa2\x9dN\xf2-\x97\xbao\x15/'`],
  ['bytes of Python with quotes and escapes', 'digest-bytes', String.raw`b"u\xae'\\\xb0\x99P\x8d\xc7\xac5i\x06\n\xcd\x975\x1d\xec\tr9\xeco\xb6IIBZ(mf"///` +
    String.raw`b'\xaa\x94\xe0\xd8\x1f\xd0\'&\x98\x93c\xa3\xa0\xed,A\xf92*\xdaxBJ\xeak?<v\xca\r\xec"'`, 1795770352557],
  ['a WordArray', 'digest-bytes', '{"words":[-498350484,-858895486,1068024447,-626982817,-876769501,-1465291784,-1758897185,-679445187],"sigBytes":32}///' +
    '{"words":[-1353006518,1804194093,115910879,706185763,-581668608,-82140515,1324494231,-1167125201],"sigBytes":32}'],
  ['a description of CryptoKit', 'signature-labelled', 'SHA256 digest: e24bc66cccce4b823fa8c27fdaa1005fcbbd8f23a8a96bf897295bdfd7807d3d///' +
    'SHA256 digest: af5ac24a6b89d12d06e8a8df2a178a23dd547100fb1aa29d4ef22d97ba6f152f']
] as ReadonlyArray<readonly [string, string, string, number?]>) {
  t.test(`right digests as ${what}`, async t => {
    const request = {
      operationType: 'purchase', amount: '245.50', merchantAccountNumber: '318804', orderId: 'ORDER-7731', sid: '3c1e9a52-7b0d-4f6e-8a21-5d9c0e7f4b13', clientTimeStamp
    }
    const diagnosis = diagnose(wrong, request, { variant: 'A', merchantToken: 'kV3w9QmT+7rXz/42LbNc8HsYfPdJ6aGe' })
    t.match(diagnosis, { part1: 'matches', part2: 'matches' })
    t.strictSame(namesIn(diagnosis), [hypothesis])
  })
}

const noText = { toString: 1, valueOf: 1 }

t.test('values without a text in fields that are not signed', async t => {
  const request = { ...purchase, accountNumber: noText }
  t.equal(diagnose(signature('purchase'), request, scheme).valid, true)
  const unused = {
    ...purchase, transactionFCRN: noText, transactionId: noText, idType: noText, operationType: noText
  }
  const own = signature('purchase', { reference: 'Order-12', order: '' })
  t.equal(diagnose(own, unused, variantB).valid, true)
  t.equal(diagnose(unknown, unused, { ...limited, variant: 'B' }).part1, 'unexplained')
  const otherRequest = { ...purchase, orderId: noText, amount: 10n, sid: 'another' }
  t.equal(diagnose(signature('purchase', { sid: 'another' }), purchase, { ...scheme, otherRequest }).causes.length, 0)
})

t.test('if operations have the same signature, the operation of the other request is first', async t => {
  const ids = { transactionFCRN: 'F-1', transactionId: 'F-1' }
  const request = { ...ids, sid: 'abc', clientTimeStamp: 1709912345678, operationType: 'purchase', merchantAccountNumber: '102551' }
  const signed = signature('purchase', { sid: 'abc', amount: '', reference: 'F-1', order: 'null' })
  for (const operationType of ['refund', 'void', 'inquiry']) {
    const { causes } = diagnose(signed, request, { ...scheme, otherRequest: { ...request, operationType } })
    t.equal(causes[0]!.changes[0]!.finding, `The terms were those of ${operationType === 'inquiry' ? 'an' : 'a'} ${operationType}; your request is a purchase.`)
    t.match(causes[0]!.changes[0]!.interpretation, /^Perhaps the signer read another operationType/)
  }
})

t.test('many unsigned fields and many other tokens are searched', async t => {
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, index]))
  const otherTokens = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`token${index}`, `its text ${index}`]))
  const otherRequest = { ...purchase, ...unknown }
  const { causes } = diagnose(signature('purchase', { token: 'its text 999' }), { ...purchase, ...unknown }, { ...scheme, otherRequest, otherTokens })
  t.match(causes[0]!.changes[0]!.interpretation, 'the token named token999')
})

t.test('long texts count as several texts, which limits the time', async t => {
  const request = { ...purchase, orderId: 'x'.repeat(50_000), amount: '9'.repeat(3000) }
  const { tries, complete } = diagnose(unknown, request, { ...scheme, maxTries: 10_000 })
  t.equal(complete, false)
  t.ok(tries < 2000, `${tries} tries`)
})

for (const [what, wrong] of [
  ['letters in an amount', { amount: `1${'a'.repeat(5000)}1` }],
  ['digits of a time stamp', { clientTimeStamp: '7'.repeat(50_000) }],
  ['characters of several bytes', { sid: '€'.repeat(20_000) }]
] as const) {
  t.test(`many ${what} are fast`, async t => {
    const { tries, complete } = diagnose(unknown, { ...purchase, ...wrong }, { ...scheme, maxTries: 2000 })
    t.ok(tries <= 2000)
    t.equal(complete, false)
  })
}

t.test('an unexpected error is rethrown', async t => {
  const faulty = { ...purchase, get amount (): string { throw new RangeError('not ours') } }
  t.throws(() => diagnose(unknown, faulty, scheme), new RangeError('not ours'))
})

t.test('misuse throws', async t => {
  t.throws(() => diagnose(7 as never, purchase, scheme), { code: 'ERR_SIGNATURE' })
  t.throws(() => diagnose('', null as never, scheme), { code: 'ERR_REQUEST' })
  t.throws(() => diagnose('', purchase, { ...scheme, merchantToken: '' }), { code: 'ERR_MERCHANT_TOKEN' })
  t.throws(() => diagnose('', purchase, { ...scheme, otherTokens: { none: '' } }), { code: 'ERR_MERCHANT_TOKEN' })
  t.throws(() => diagnose('', purchase, { ...scheme, variant: 'C' as never }), { code: 'ERR_VARIANT' })
  t.throws(() => diagnose('', purchase, undefined as never), { code: 'ERR_VARIANT' })
  t.throws(() => diagnose('', purchase, { ...scheme, otherRequest: null as never }), { code: 'ERR_REQUEST' })
  for (const limits of [{ maxTries: 0 }, { maxTries: Number.NaN }]) {
    t.throws(() => diagnose('', purchase, { ...scheme, ...limits }), {
      name: 'UsageError', code: 'ERR_LIMIT', message: 'maxTries must be an integer above 0'
    })
  }
})

t.test('a signature that contains the token has a warning', async t => {
  const appended = signed(textsOf('purchase', purchase, token), terms => Buffer.from(terms.join('')).toString('hex') + digest(''))
  const plain = `${digest('1')}///${Buffer.from(token).toString('base64')}`
  for (const text of [appended, plain, `${token}///${digest('1')}`]) {
    const { hints } = diagnose(text, purchase, { ...scheme, maxTries: 9 })
    t.equal(hints[0], 'The signature contains the merchant token. The token is published: replace it now.')
    t.notMatch(JSON.stringify(hints), token)
  }
})

t.test('the sid of another request of the file is found, beside a request that cannot be read', async t => {
  const other = { ...purchase, sid: 'the-previous-sid' }
  const unreadable = { ...purchase, amount: JSON.parse('['.repeat(200) + ']'.repeat(200)) }
  const { causes } = diagnoseInFile(signatureOf(textsOf('purchase', other, token)), purchase, { ...scheme, otherRequests: [unreadable, other] })
  t.strictSame(causes[0]?.changes.map(({ hypothesis }) => hypothesis), ['other-request'])
})

t.test('digests in uppercase or base64, and quotes that only the sender has', async t => {
  const base64 = signed(usual, terms => Buffer.from(digest(terms.join('')), 'hex').toString('base64'))
  t.strictSame(diagnose(base64, purchase, scheme).causes[0]?.changes.map(({ hypothesis }) => hypothesis), ['digest-base64'])
  const upper = diagnose(signature('purchase').toUpperCase(), purchase, scheme)
  t.strictSame(upper.causes[0]?.changes.map(({ hypothesis }) => hypothesis), ['digest-upper-case'])
  const quoted = diagnose(signature('purchase'), { ...purchase, orderId: `"${String(purchase.orderId)}"` }, scheme)
  t.match(quoted.causes[0]?.changes, [{ hypothesis: 'identifier-quotes', fix: /^Remove the quotes on your side/ }])
})
