import t from 'tap'
import { diagnose, diagnoseInFile } from '../../../tools/diagnosis/diagnose.js'
import type { DiagnoseOptions, Diagnosis } from '../../../tools/diagnosis/diagnosis.js'
import { text } from '../../../tools/diagnosis/transforms/text.js'
import { digest, partsOf, requests, sid, signature, signatureOf, signed, textsOf, token } from '../../support/wrong-signatures.js'

// Searches are short here. test/system/diagnose.test.ts has all mistakes in all uses, and the long searches.

const scheme = { variant: 'A', merchantToken: token } as const
const [quick, variantB] = [{ ...scheme, maxChanges: 1 }, { ...scheme, variant: 'B' }] as const
/** Options of a search that reaches its limit. */
const limited = { ...quick, maxTries: 2000 } as const
const nothing = 'a'.repeat(64)
const unknown = `${nothing}///${nothing}`
const { purchase, refund, inquiry } = requests
const usual = textsOf('purchase', purchase, token)
const [part1 = '', part2 = ''] = signature('purchase').split('///')

const namesIn = ({ causes }: Diagnosis): string[] | undefined => causes[0]?.changes.map(({ hypothesis }) => hypothesis)
const findingsIn = ({ causes }: Diagnosis): string[] | undefined => causes[0]?.changes.map(({ finding }) => finding)

type More = readonly [request?: object, options?: DiagnoseOptions]

/** The causes that come first, by the names of their hypotheses. */
const named: ReadonlyArray<readonly [what: string, wrong: string, names: string[], ...More]> = [
  ['what part 2 settles helps with part 1', signature('purchase', { time: '1709912345', amount: '1234.5', sid: `Optional(${sid})` }),
    ['timestamp-unit', 'amount-decimals', 'sid-wrapped']],
  ['eight slashes between the parts', `${part1}////////${part2}`, ['signature-separator']],
  ['the same mistake twice', signature('purchase', { order: 'a%252Fb' }), ['identifier-percent-encoding', 'identifier-percent-encoding'],
    { ...purchase, orderId: 'a/b' }],
  ['two mistakes in one term', signature('purchase', { order: 'ORDER-12 ' }), ['identifier-white-space', 'identifier-case']],
  ['the hexadecimal digits in base64', [part1, part2].map(btoa).join('///'), ['signature-base64']],
  ['bytes with 0x before them', `0x${part1}///0x${part2}`, ['signature-bytes-marked']],
  ['bytes with dashes between them', `${part1}///${part2}`.replace(/[^/]{2}(?=[^/])/g, '$&-'), ['signature-bytes-marked']],
  ['the form and a term', signature('refund', { amount: '1234.5' }).toUpperCase(), ['digest-upper-case', 'amount-decimals'], refund],
  ['values that are no amount, no time and no text of a URL', signature('purchase', { amount: '1.2.3', time: 'now', order: '%ZZ' }), ['identifier-case'],
    { ...purchase, amount: '1.2.3', clientTimeStamp: 'now', orderId: '%zz' }],
  ['an amount without a zero', signature('purchase', { amount: '0.50' }), ['amount-decimals'], { ...purchase, amount: '.5' }],
  ['a purchase for variant B', signature('purchase'), ['variant'], requests.B, variantB],
  ['a refund for variant B', signature('refund', { amount: '1234.50', reference: '77', order: 'Order-12' }), ['variant'],
    { ...requests.B, transactionFCRN: '77' }, variantB],
  ['the other request, in both parts', signature('inquiry', { reference: 'T-9', order: 'T-9' }), ['other-request'], inquiry,
    { ...scheme, otherRequest: { ...inquiry, transactionId: 'T-9' } }],
  ['the other request, in part 2 alone', `${digest('?')}///${signature('inquiry', { reference: 'T-9', order: 'T-9' }).slice(67)}`, ['other-request'], inquiry,
    { ...scheme, otherRequest: { ...inquiry, transactionId: 'T-9' } }],
  ['float noise below 1', signature('purchase', { amount: '0.9999999999999999' }), ['amount-floating-point'], { ...purchase, amount: '1.00' }],
  ['float noise below 8', signature('purchase', { amount: '7.999999999999999' }), ['amount-floating-point'], { ...purchase, amount: '8.00' }]
]

t.test('a part of a signature that was cut is judged by itself', async t => {
  const [part1 = '', part2 = ''] = signature('purchase').split('///')
  const judged = (text: string, options = {}) => {
    const { valid, part1, part2, hints } = diagnose(text, requests.purchase, { ...quick, ...options })
    t.ok(hints.length > 0)
    return [valid, part1, part2]
  }
  t.strictSame(judged(`${part1}///${part2.slice(1)}`), [false, 'matches', 'unexplained'])
  t.strictSame(judged(`${part1.slice(1)}///${part2}`), [false, 'unexplained', 'matches'])
  t.strictSame(judged(`${part1}///${part2.slice(1)}`, { merchantToken: undefined }), [false, 'unexplained', 'unexplained'])
})

for (const [what, wrong, names, request = purchase, options = scheme] of named) {
  t.test(what, async t => {
    const diagnosis = diagnose(wrong, request as typeof purchase, options)
    t.strictSame(namesIn(diagnosis)?.toSorted(), names.toSorted())
    t.not(diagnosis.part2, 'unexplained')
  })
}

const ts = usual.time
/** Signatures whose shape differs, and texts between terms: none is told as a value. */
const shapes: ReadonlyArray<readonly [what: string, wrong: string, findings: readonly string[], ...More]> = [
  ['a format with a space', `${digest(`${ts}${sid} ${usual.amount}`)}///${part2}`, ['Between sid and amount, " " was added when it was signed.']],
  ['a template over two lines', `${digest(`${ts}${sid}\n  ${usual.amount}`)}///${part2}`, Array(2).fill('Between sid and amount, "\\n  " was added when it was signed.')],
  ['a dash after the time stamp', `${digest(`${ts}-${sid}${usual.amount}`)}///${part2}`, ['Between clientTimeStamp and sid, "-" was added when it was signed.']],
  ['a dash after the time stamp of both parts', `${digest(`${ts}-${sid}${usual.amount}`)}///${digest(`${ts}-Order-12${token}1025511234.50`)}`,
    ['After clientTimeStamp, "-" was added when it was signed.']],
  ['digits after the time stamp of both parts', signature('purchase', { time: `${ts}000` }),
    [`clientTimeStamp was "${ts}000" when it was signed; your request has "${ts}".`]],
  ['a currency at the end of both parts', signature('purchase', { amount: '1234.50EGP' }), ['After amount, "EGP" was added when it was signed.']],
  ['a text that was cut', `${part1}///${digest(partsOf(usual)[1].join('').slice(0, 48))}`, ['In part 2: Only the first 48 characters of the text were hashed.']],
  ['the formula of another product', `${part1}///${digest(`102551Order-121234.50${token}`)}`,
    ['The text of part 2 was made of accountNumber, orderIdOrNull, amount, merchantToken only, in this order.']],
  ['+ before ||', `${part1}///${digest(`${ts}Order-12`)}`, ['The text of part 2 was made of clientTimeStamp, orderIdOrNull only, in this order.']],
  ['the JSON of the body', `${digest(JSON.stringify(purchase))}///${digest(JSON.stringify(purchase) + token)}`,
    ['The text of part 1 was the JSON of the body.', 'The text of part 2 was the JSON of the body, and the token after it.']],
  ['an array without the empty reference', signed(usual, terms => digest(JSON.stringify(terms.filter(Boolean)))),
    ['Each term was in ", with "," between them, in [], empty ones left out.']],
  ['one half in base64', `${part1}///${Buffer.from(part2, 'hex').toString('base64')}`, ['The digest of part 2 was written in base64, not in hexadecimal.']],
  ['one half that was cut', `${part1}///${part2.slice(0, 50)}`, ['In part 2: Only the beginning of the right digest was given: the rest is missing.']],
  ['both halves cut to 40 digits, and another mistake', signature('purchase', { amount: '1234.5' }).split('///').map(part => part.slice(0, 40)).join('///'),
    ['The digests are the first 40 digits of SHA-256: the rest is missing.', 'amount was "1234.5" when it was signed; your request has "1234.50".']],
  ['hexadecimal digits of the text', signed(usual, terms => digest(Buffer.from(terms.join('')).toString('hex'))),
    ['The text was hashed as hexadecimal digits, not as UTF-8.']],
  ['Windows-1252', `${part1}///${digest(Buffer.from(`${ts}L\x92\xc9-7${token}1025511234.50`, 'latin1'))}`,
    ['In part 2: The text was hashed as Windows-1252, not as UTF-8.'], { ...purchase, orderId: 'L\u2019\u00c9-7' }],
  ['ISO-8859-6', `${part1}///${digest(Buffer.concat([Buffer.from(ts), Buffer.from([0xd7, 0xe4, 0xc8]), Buffer.from(`${token}1025511234.50`)]))}`,
    ['In part 2: The text was hashed as ISO-8859-6, not as UTF-8.'], { ...purchase, orderId: '\u0637\u0644\u0628' }],
  ['amount and time stamp, both wrong', signature('purchase', { time: '1709912345978', amount: '1234.5' }),
    [`clientTimeStamp was "1709912345978" when it was signed; your request has "${ts}".`, 'amount was "1234.5" when it was signed; your request has "1234.50".']],
  ['amount and time stamp of part 2 alone', `${part1}///${signature('purchase', { time: '1709912345687', amount: '1234.5' }).slice(67)}`,
    [`In part 2: clientTimeStamp was "1709912345687" when it was signed; your request has "${ts}".`, 'In part 2: At the end of amount, "0" was missing when it was signed.']],
  ['an id that went through a double', signature('purchase', { order: '90071992547409936.0' }),
    ['orderId was "90071992547409936.0" when it was signed; your request has "90071992547409931".'], { ...purchase, orderId: '90071992547409931' }],
  ['the bytes of a token in base64', `${part1}///${digest(Buffer.concat([Buffer.from(`${ts}Order-12`), Buffer.from('/wDDqQ==', 'base64'), Buffer.from('1025511234.50')]))}`,
    ['The token had 4 characters when it was signed; yours has 8 characters.'], purchase, { ...scheme, merchantToken: '/wDDqQ==' }]
]

/** Instructions, each for one mistake. */
for (const [what, wrong, fix, options = scheme] of [
  ['an empty token', signature('purchase', { token: '' }), /^Check that the variable reaches the process that signs/],
  ['an account number undefined', signature('purchase', { account: 'undefined' }), /^Check that the value reaches the code that signs/],
  ['a sid that was left out', signature('purchase', { sid: '' }), /^Check that the value reaches the code that signs/],
  ['a token cut at =', signature('purchase', { token: 's3cret' }), /^Put it in single quotes/, { ...scheme, merchantToken: 's3cret=abc' }],
  ['a token expanded in a shell', signature('purchase', { token: 'y0' }), /^Put it in single quotes/, { ...scheme, merchantToken: '$2y$10$KzqIh7BsW' }],
  ['a token without its prefix', signature('purchase', { token: 'ab12cd34' }), /^Use the whole token, with its prefix/, { ...scheme, merchantToken: 'sk_live_ab12cd34' }],
  ['a token whose + became a space', signature('purchase', { token: 'a b/c' }), /^Decode form data once/, { ...scheme, merchantToken: 'a+b/c' }],
  ['a percent-encoded token', signature('purchase', { token: 'a%2Bb%2Fc' }), /^Decode it before signing/, { ...scheme, merchantToken: 'a+b/c' }]
] as ReadonlyArray<readonly [string, string, RegExp, DiagnoseOptions?]>) {
  t.test(`advice for ${what}`, async t => {
    t.match(diagnose(wrong, purchase, options).causes[0]?.changes[0]?.fix, fix)
  })
}

const [latin1, byName] = [{ ...usual, order: 'Café' }, textsOf('B', requests.B, token)]
/** The facts of the causes that come first. */
const facts: ReadonlyArray<readonly [what: string, wrong: string, findings: readonly string[], ...More]> = [
  ...shapes,
  ['base64 of the whole texts', signed(usual, terms => digest(Buffer.from(terms.join('')).toString('base64'))),
    ['The text was hashed as base64, not as UTF-8.']],
  ['Latin-1', signed(latin1, terms => digest(Buffer.from(terms.join(''), 'latin1'))), ['In part 2: The text was hashed as Latin-1, not as UTF-8.'],
    { ...purchase, orderId: 'Café' }],
  ['the bytes of a token in hexadecimal', `${part1}///${digest(Buffer.from(partsOf({ ...usual, token: '\xc0\xff\xee\x01' })[1].join(''), 'latin1'))}`,
    ['The token had 4 characters when it was signed; yours has 8 characters.'], purchase, { ...scheme, merchantToken: 'c0ffee01' }],
  ['the terms in any order', `${signature('B').slice(0, 64)}///${digest(byName.account + byName.amount + byName.time + token + byName.reference)}`,
    ['The terms of part 2 were joined in the order accountNumber, amount, clientTimeStamp, merchantToken, referenceNumber.'], requests.B, variantB],
  ['both the reference and the order id of an inquiry, changed in one place', signature('inquiry', { reference: 'ORDER-12' }),
    ['transactionId was "ORDER-12" when it was signed; your request has "Order-12".'], inquiry],
  ['part 1 alone', part1, ['Only part 1 was given.'], purchase, quick],
  ['part 2 alone', part2, ['Only part 2 was given.'], purchase, quick],
  ['the token in part 1, too', `${digest(partsOf(usual)[0].join('') + token)}///${part2}`, ['Part 1 had the token at its end too.']],
  ['the token in part 1, too, in variant B', `${digest(partsOf(byName)[0].join('') + token)}///${signature('B').slice(67)}`,
    ['Part 1 had the token at its end too.'], requests.B, variantB],
  ['a term that stands twice in a row', `${digest(partsOf(usual)[0].join('') + usual.amount)}///${part2}`, ['Part 1 had amount twice.']],
  ['a term that stands twice, beside another sid', `${digest(`${usual.time}${usual.sid}\n${usual.amount}${usual.amount}`)}///${part2}`,
    ['Part 1 had amount twice.', 'Between sid and amount, "\\n" was added when it was signed.']],
  ['a term that is right in one part only', `${part1}///${signature('purchase', { amount: '1234.5' }).slice(67)}`,
    ['In part 2: At the end of amount, "0" was missing when it was signed.']],
  ['the time stamp of part 2 alone', `${part1}///${signature('purchase', { time: '1709912345679' }).slice(67)}`,
    ['In part 2: clientTimeStamp was "1709912345679" when it was signed; your request has "1709912345678".']],
  ['the amount of part 2 alone, and uncommonly', `${part1}///${signature('purchase', { amount: '1234.50 EGP' }).slice(67)}`,
    ['In part 2: After amount, " EGP" was added when it was signed.']],
  ['the other request is another operation with ids of its own', signature('refund', { reference: 'F-1', order: 'null' }),
    ['The signature is that of the other request.'], purchase,
    { ...scheme, otherRequest: { ...purchase, operationType: 'refund', transactionFCRN: 'F-1', orderId: undefined } }],
  ['the account number of the other request, in its other field', signature('purchase', { account: '777' }),
    ['merchantAccountNumber was "777" when it was signed; your request has "102551".'], purchase, { ...scheme, otherRequest: { accountNumber: '777' } }],
  ['fields of the other request that are read together', signature('inquiry', { reference: 'T-9', order: 'T-9' }),
    ['The signature is that of the other request.'], { ...inquiry, idType: 'FCRN' },
    { ...scheme, otherRequest: { ...inquiry, idType: 'ORDER_ID', transactionId: 'T-9' } }],
  ['one hash of both texts', digest(partsOf(usual).flat().join('')), ['Both parts were hashed together.']],
  ['the hash of nothing', `${digest('')}///${digest('')}`, ['Nothing was hashed: the digests are those of an empty text.']],
  ['a token of one character', signature('purchase', { token: '"x"' }), ['Around the token, "\\"" and "\\"" were added when it was signed.'],
    purchase, { ...scheme, merchantToken: 'x' }],
  ['decimals or zeros between amount and reference', signature('refund', { amount: '1234.5000' }),
    ['Between amount and transactionFCRN, "00" was added when it was signed.'], refund],
  ['a missing zero between amount and reference', signature('refund', { reference: '098765' }),
    ['Between amount and transactionFCRN, "0" was missing when it was signed.'], refund],
  ['zeros between sid and reference, which part 2 has whole', signature('void', { sid: 's10' }),
    ['In part 1: Between sid and transactionFCRN, "00" was missing when it was signed.'], { ...requests.void, sid: 's1000' }],
  ['zeros between time stamp and sid, which part 2 does not have', signature('purchase', { sid: `000${usual.sid}` }),
    ['In part 1: Between clientTimeStamp and sid, "000" was added when it was signed.']],
  ['an amount that is right in one part only, beside a reference', `${signature('refund', { reference: 'F-1' }).slice(0, 64)}///${signature('refund', { amount: '1234.5', reference: 'F-1' }).slice(67)}`,
    ['In part 2: amount was "1234.5" when it was signed; your request has "1234.50".'], { ...refund, transactionFCRN: 'F-1' }],
  ['amount and reference as numbers, whose text is that of another amount', signature('refund', { amount: '100', reference: '98' }),
    ['Between amount and transactionFCRN, ".0000" was missing when it was signed.'], { ...refund, amount: '100.00', transactionFCRN: '0098' }],
  ['spaces behind amount and reference', signature('refund', { amount: '1234.50 ', reference: '0098765 ' }),
    ['Around transactionFCRN, " " and " " were added when it was signed.'], refund],
  ['a line break before the amount, which both parts show', signature('purchase', { amount: '\n1234.50' }),
    ['Before amount, "\\n" was added when it was signed.']],
  ['a line break between token and account number', signature('purchase', { token: `${token}\n` }),
    ['Between the token and merchantAccountNumber, "\\n" was added when it was signed.']],
  ['a character between token and account number, which may be the token\'s', signatureOf({ ...usual, token: 'tok' }),
    ['Between the token and merchantAccountNumber, 1 character was missing when it was signed.'], purchase, { ...scheme, merchantToken: 'tok1' }],
  ['a letter between token and account number', signature('purchase', { account: 'M102551' }),
    ['Between the token and merchantAccountNumber, 1 character was added when it was signed.']],
  ['a letter that is the variant too', signature('purchase', { account: 'A102551' }),
    ['Between the token and merchantAccountNumber, 1 character was added when it was signed.']],
  ['a digit that the configured token lacks', signature('purchase', { token: `${token}0` }),
    ['Between the token and merchantAccountNumber, 1 character was added when it was signed.']],
  ['a letter that the configured token lacks at its start', signature('purchase', { token: `x${token}` }),
    ['Between orderId and the token, 1 character was added when it was signed.']],
  ['zeros before an account number', signature('purchase', { account: '0000102551' }),
    ['Between the token and merchantAccountNumber, 4 characters were added when it was signed.']],
  ['a list of Python', signed(usual, terms => digest(`[${terms.map(term => `'${term}'`).join(', ')}]`)),
    ['Each term was in \', with ", " between them, in [].']],
  ['part 1 in place of part 2', `${part1}///${part1}`, ['Part 2 had the terms of part 1.']],
  ['a placeholder', signature('purchase', { account: '{merchantAccountNumber}' }),
    ['merchantAccountNumber was "{merchantAccountNumber}" when it was signed; your request has "102551".']],
  ['the order term of an inquiry alone', signature('inquiry', { order: 'null' }),
    ['The order id was "null" when it was signed; your request has "Order-12".'], inquiry],
  ['an absent order id', signature('refund', { order: '' }), ['The order id was "" when it was signed; for your request it is "null".'], refund],
  ['a purchase without amount, whose terms are those of a void without reference', signature('purchase', { amount: '' }),
    ['amount was "" when it was signed; your request has "1234.50".']],
  ['the amount of a void', signature('void', { amount: '12.00' }), ['Before transactionFCRN, where amount is empty, "12.00" was added when it was signed.'],
    { ...requests.void, amount: '12.00' }],
  ['another token of the same length', signature('purchase', { token: token.toUpperCase() }),
    ['The token was another text when it was signed; both have 24 characters.']],
  ['another operation', signature('refund', { reference: '' }), ['The terms were those of a purchase; your request is a refund.'], refund],
  ['another variant', signature('B', { order: '' }), ['The terms were those of variant B, not of variant A.'], requests.B],
  ['an empty term has no place in another order', `${part1}///${digest(token + usual.account + usual.order + usual.time + usual.amount)}`,
    ['The terms of part 2 were joined in the order merchantToken, accountNumber, orderIdOrNull, clientTimeStamp, amount.']]
]
for (const [what, wrong, findings, request = purchase, options = scheme] of facts) {
  t.test(what, async t => {
    const diagnosis = diagnose(wrong, request as typeof purchase, options)
    t.strictSame(findingsIn(diagnosis), findings)
    t.notMatch([diagnosis.part1, diagnosis.part2], ['unexplained'])
    t.notOk(JSON.stringify(diagnosis).includes(token), 'no token is shown')
  })
}

t.test('an order of terms is reported once, despite empty and equal terms', async t => {
  for (const use of ['purchase', 'inquiry'] as const) {
    const { account, amount, time, reference, order } = textsOf(use, requests[use], token)
    const second = digest(account + amount + time + reference + token + order)
    t.equal(diagnose(`${signature(use).slice(0, 64)}///${second}`, requests[use], scheme).causes.length, 1, use)
  }
})

const hintsOfToken = ['Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.',
  "Part 2 differs, and no cause was found: compare the order id, account number and token with the signer's, the token by its key check value."]
const limit = /^The search reached its limit/
/** Next steps after a match. openssl dgst -hmac made the key check value. */
const next = [/was exactly this sent to the payment side/, /key check value 77fbdd/, /variant A\?$/]
/** The states of the parts, the causes and the hints. */
const open: ReadonlyArray<readonly [
  what: string, wrong: string, parts: string, names: string[] | undefined, hints: Array<RegExp | string>, ...More
]> = [
  ['a right signature', signature('purchase'), 'matches matches', undefined, next],
  ['a right part 2', `${signature('refund').slice(0, 64)}///${part2}`, 'explained matches', ['reference-from-another-field'], [], { ...purchase, transactionFCRN: '0098765' }],
  ['another token that nobody knows', signature('refund', { token: 'of another planet' }), 'matches unexplained', undefined, [...hintsOfToken, limit], refund, limited],
  ['an explained part 1, and another token', signature('refund', { amount: '1234.5', token: 'of another planet' }), 'explained unexplained', ['amount-decimals'],
    [/^Part 1 is explained/, /^Part 2 probably has the same mistake, and another/, limit], refund, limited],
  ['another token in variant B', signature('B', { token: 'of another planet' }), 'matches unexplained', undefined,
    [/^Part 1/, /compare the account number and token with/, limit], requests.B, { ...limited, variant: 'B' }],
  ['another sid', signature('purchase', { sid: 'x' }), 'unexplained matches', undefined, [/^Part 2 matches: the token, .* in part 2, are right\. Part 1 differs in something else, most often the sid: generate/, limit], purchase, limited],
  ['another sid beside another mistake', signature('purchase', { sid: 'x', order: 'null' }), 'unexplained explained', ['identifier-absent'],
    [/^Part 2 is explained: besides the causes above, the token, .* are right\. Part 1 differs in something else, most often the sid/, limit], purchase, { ...quick, maxTries: 20_000 }],
  ['a separator, and another sid', signed({ ...usual, sid: 'x' }, terms => digest(terms.join('|'))), 'unexplained explained', ['terms-separated'],
    [/\. Part 1 probably has the same mistake, and differs in something else, most often the sid/, limit], purchase, { ...scheme, maxTries: 20_000 }],
  ['a separator, and another token', signed({ ...usual, token: 'x' }, terms => digest(terms.join('|'))), 'explained unexplained', ['terms-separated'],
    [/^Part 1 is explained/, /^Part 2 probably has the same mistake, and another one that was not found: compare the order id/, limit],
    purchase, { ...scheme, maxTries: 20_000 }],
  ['a mistake, without a token', signature('purchase', { amount: '1234.5', token: '?' }), 'explained unsearched', ['amount-decimals'],
    [/^Part 1 is explained/, /because there is no token\. It probably has the same mistake\. Part 2/], purchase, { variant: 'A', maxChanges: 1 }],
  ['only the form, without a token', `"${signature('purchase')}"`, 'matches unsearched', ['signature-quoted'], [/^Part 1 matches: /, /because there is no token/],
    purchase, { variant: 'A', maxChanges: 1 }],
  ['a bad writer, without a token', [part1, part2].map(part => Buffer.from(part).toString('hex')).join('///'), 'matches unsearched', ['digest-hex-twice'],
    [/^Part 1 matches/, /because there is no token/], purchase, { variant: 'A' }],
  ['nothing, without a token', unknown, 'unexplained unsearched', undefined, [/^Part 1 differs, and no cause was found/, /because there is no token/, limit],
    purchase, { variant: 'A', maxChanges: 1, maxTries: 2000 }],
  ['the token of the request', signature('purchase'), 'matches matches', undefined, [/^The request contains merchantToken/, ...next], { ...purchase, merchantToken: token }, { variant: 'A' }],
  ['the given token, which takes precedence', signature('purchase'), 'matches matches', undefined, next, { ...purchase, merchantToken: 'its own' }],
  ['a request that is refused, and right', signature('purchase', { sid: ' ' }), 'matches matches', undefined,
    ['The service would refuse this request: sid must be a non-empty string.'], { ...purchase, sid: ' ' }],
  ['a request without an account number', signature('purchase', { account: 'undefined' }), 'matches matches', undefined,
    [/merchantAccountNumber or accountNumber is required/], { ...purchase, merchantAccountNumber: undefined }],
  ['a warning of explain', unknown, 'unexplained unexplained', undefined,
    [/^Neither/, /^Part 1 does not contain the token, so/, 'The request has the key order_id, which is not read: the field is orderId.'], { ...purchase, order_id: '7' }, { ...scheme, maxChanges: 0 }],
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
  t.equal(diagnose(amount, purchase, { ...scheme, maxChanges: 0 }).causes.length, 0)
  t.equal(diagnose(amount, purchase, quick).causes.length, 1)
  t.equal(diagnose(unknown, { sid: '', clientTimeStamp: '' }, { variant: 'A', maxChanges: 1 }).complete, true)
})

for (const [text, fault] of [
  ['', 'it is empty.'], ['a///b///c', /this has 9/], ['refused', /this has 7/], ['///', /part 1 has 0/], ['z'.repeat(131), /131/], ['{"error":"no"}', /14/], ['{'.repeat(1_000_000), /1000000/],
  [`${part1}///${part2.slice(1)}`, 'part 2 has 63 hexadecimal digits, not 64.'],
  [`${part1}///${part2.slice(3)}`, 'part 2 has 61 hexadecimal digits, not 64.'],
  [signature('purchase').replace(/(?<=\/\/\/)./, 'O'), 'part 2 has "O" at position 1, which is not a hexadecimal digit.'],
  [`${'g'.repeat(8)}${'a'.repeat(56)}///${'a'.repeat(61)}`, 'part 1 has "g" at position 1, which is not a hexadecimal digit.'],
  ['abc', 'a signature is 64 hexadecimal digits, /// and 64 more, 131 characters; this has 3.']
] as const) {
  t.test(`${JSON.stringify(text.slice(0, 20))}, ${text.length} characters, is no signature`, async t => {
    const { valid, hints: [hint, ...others], tries } = diagnose(text, purchase, scheme)
    t.strictSame([valid, tries, others], [false, 0, []])
    t.match(hint, 'This is not a signature: ')
    t.match(hint, fault)
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
  t.equal(diagnose(signature('purchase', { sid: 'another' }), purchase, { ...scheme, otherRequest }).causes.length, 1)
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

for (const [name, field, hashed, sent] of [
  ['token-white-space', 'token', 'tok', 'tok '],
  ['token-utf-16', 'token', 't\0o\0k\0', 'tok'],
  ['token-utf-16', 'token', '\0t\0o\0k', 'tok'],
  ['identifier-white-space', 'order', 'ORD-1', 'ORD-1 '],
  ['sid-white-space', 'sid', 'abc', ' abc'],
  ['sid-lost-character', 'sid', 'abc', 'abc/'],
  ['account-number-white-space', 'account', 'EG3800190005', 'EG38 0019 0005'],
  ['account-number-dashes', 'account', '102551', '10-25-51'],
  ['account-number-integer', 'account', '0x19097', '102551'],
  ['amount-separators', 'amount', '1234.50', '1 234.50'],
  ['amount-currency', 'amount', '1234.50', 'EGP 1234.50'],
  ['amount-currency', 'amount', '100.00', 'Rs.100.00'],
  ['amount-sign', 'amount', '5.00', '-5.00'],
  ['amount-digits', 'amount', '1234.50', '١٢٣٤٫٥٠'],
  ['amount-leading-zeros', 'amount', '0.50', '.50'],
  ['amount-absent', 'amount', '', 'None'],
  ['timestamp-taken-twice', 'time', '1709912345653', '1709912345678'],
  ['timestamp-epoch', 'time', '731605145678', '1709912345678'],
  ['timestamp-iso', 'time', '20240308', '1709912345678'],
  ['timestamp-iso', 'time', '3/8/2024, 12:00:00 PM', '1709899200000'],
  ['timestamp-iso', 'time', '2024-03-08T15:39:05.678+00:00', '1709912345678'],
  ['identifier-absent', 'order', '00000000-0000-0000-0000-000000000000', ''],
  ['identifier-wrapped', 'order', "u'ORD-1'", 'ORD-1'],
  ['identifier-wrapped', 'order', 'Optional[ORD-1]', 'ORD-1'],
  ['identifier-dashes', 'order', 'A_B_1', 'A#B!1'],
  ['identifier-encoding', 'order', '5â‚¬', '5€'],
  ['identifier-lost-characters', 'order', 'A\ufffdB', 'A😀B'],
  ['identifier-base64', 'order', 'T1JELTE', 'ORD-1']
] as const) {
  t.test(`${JSON.stringify(hashed)} for ${JSON.stringify(sent)} is ${name} before anything else`, async t => {
    const names = { token: '', time: 'clientTimeStamp', order: 'orderId', sid: 'sid', account: 'merchantAccountNumber', amount: 'amount' }
    const request = { ...purchase, ...(field === 'token' ? {} : { [names[field]]: sent }) }
    const texts = { ...textsOf('purchase', request, token), [field]: hashed }
    const { causes } = diagnose(signatureOf(texts), request, { variant: 'A', merchantToken: field === 'token' ? sent : token })
    t.strictSame(causes[0]!.changes.map(({ hypothesis }) => hypothesis), [name])
    const [{ alsoKnownAs } = { alsoKnownAs: [] }] = causes[0]!.changes
    t.equal(new Set([name, ...alsoKnownAs]).size, alsoKnownAs.length + 1, 'no name twice')
  })
}

t.test('interpretations', async t => {
  for (const [use, wrong, interpretation] of [
    ['purchase', { time: '1709912345999' }, 'Perhaps the clock was read twice, once for the signature and once for the request.'],
    ['purchase', { amount: '99.00' }, 'Perhaps the value was changed, calculated again, or taken from another request.'],
    ['purchase', { order: 'Orde' }, 'Perhaps a part of it was left out or masked: 4 of 8 characters remain.'],
    ['purchase', { token: 'changeme' }, 'Perhaps it was missing: an empty text or a placeholder was used.'],
    ['inquiry', { order: 'null' }, 'Perhaps idType was read differently: transactionId is the order id only if idType is ORDER_ID, in upper or lower case.'],
    ['void', { amount: '0.00' }, 'Perhaps amount was "0.00": the amount was used for an operation that ignores it.']
  ] as const) {
    const { causes } = diagnose(signatureOf({ ...textsOf(use, requests[use], token), ...wrong }), requests[use], scheme)
    t.equal(causes[0]?.changes[0]?.interpretation, interpretation)
  }
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
  for (const limits of [{ maxChanges: 4 }, { maxChanges: -1 }, { maxTries: 0 }, { maxTries: Number.NaN }]) {
    t.throws(() => diagnose('', purchase, { ...scheme, ...limits }), {
      name: 'UsageError', code: 'ERR_LIMIT', message: /^maxChanges must be 0, 1, 2 or 3, and maxTries an integer above 0$/
    })
  }
})

// A request with few values to try: each text that is left is an ordinary value of one field.
const short = { sid: 'a', clientTimeStamp: 'n', amount: 'x', merchantAccountNumber: 'n', orderId: 'ab' }
for (const [sent, signed, finding, isDeep = false] of [
  [{ amount: '12.50' }, { amount: '14.25' }, 'amount was "14.25" when it was signed; your request has "12.50".'],
  [{ amount: '1350' }, { amount: '7' }, 'amount was "7" when it was signed; your request has "1350".'],
  [{ clientTimeStamp: 1709912345678 }, { time: '1709912345670' },
    'clientTimeStamp was "1709912345670" when it was signed; your request has "1709912345678".'],
  [{ orderId: 'A-120' }, { order: 'A-123' }, 'orderId was "A-123" when it was signed; your request has "A-120".'],
  [{ merchantAccountNumber: '102551' }, { account: '102951' },
    'merchantAccountNumber was "102951" when it was signed; your request has "102551".'],
  [{ merchantAccountNumber: '00102551' }, { account: '00102553' },
    'merchantAccountNumber was "00102553" when it was signed; your request has "00102551".'],
  [{}, { order: 'xb' }, 'orderId was "xb" when it was signed; your request has "ab".'],
  [{}, { order: 'axb' }, 'orderId was "axb" when it was signed; your request has "ab".'],
  [{}, { order: 'b' }, 'orderId was "b" when it was signed; your request has "ab".'],
  [{}, { order: 'ba' }, 'orderId was "ba" when it was signed; your request has "ab".'],
  [{ amount: '12.50' }, { amount: '2014.25' }, 'amount was "2014.25" when it was signed; your request has "12.50".', true]
] as const) {
  t.test(`another value or a wrong character: ${finding}`, async t => {
    const request = { ...short, ...sent }
    const wrong = signatureOf({ ...textsOf('purchase', request, 'x'), ...signed })
    const options = { variant: 'A', merchantToken: 'x', maxChanges: 1, deep: isDeep } as const
    t.strictSame(findingsIn(diagnose(wrong, request, options)), [finding])
    if (isDeep) t.equal(diagnose(wrong, request, { ...options, deep: false }).causes.length, 0)
  })
}

t.test('a deep search of an unknown signature ends without a cause', async t => {
  const request = { sid: '', clientTimeStamp: '' }
  const { complete, causes } = diagnose(unknown, request, { variant: 'A', maxChanges: 0, deep: true, maxTries: 400_000 })
  t.strictSame([complete, causes], [true, []])
})

t.test('a search of texts that are no numbers ends without a cause', async t => {
  const { complete, causes } = diagnose(unknown, { sid: '', clientTimeStamp: 'x' }, { variant: 'A', maxChanges: 1 })
  t.strictSame([complete, causes], [true, []])
})

t.test('a signature that contains the token has a warning', async t => {
  const appended = signed(textsOf('purchase', purchase, token), terms => Buffer.from(terms.join('')).toString('hex') + digest(''))
  const plain = `${digest('1')}///${Buffer.from(token).toString('base64')}`
  for (const text of [appended, plain, `${token}///${digest('1')}`]) {
    const { hints } = diagnose(text, purchase, { ...scheme, maxChanges: 0 })
    t.equal(hints[0], 'The signature contains the merchant token. The token is published: replace it now.')
    t.notMatch(JSON.stringify(hints), token)
  }
})

t.test('the token is suspected only if the rest of part 2 is the same in the other request', async t => {
  for (const [otherRequest, isToken] of [[purchase, true], [{ ...purchase, orderId: 'X' }, false], [undefined, false]] as const) {
    const { hints } = diagnose(`${part1}///${nothing}`, purchase, { ...limited, otherRequest })
    t.equal(/perhaps the token of another environment/.test(String(hints[1])), isToken)
  }
})

t.test('invisible characters are searched inside texts of at most 64 characters', async t => {
  const inside = text.find(([name]) => name === 'marks')?.[3][9]
  t.ok([...inside!('a'.repeat(64))].includes(`a\u200e${'a'.repeat(63)}`))
  t.strictSame([...inside!('a'.repeat(65))], [])
})

t.test('the sid of another request of the file is found, beside a request that cannot be read', async t => {
  const other = { ...purchase, sid: 'the-previous-sid' }
  const unreadable = { ...purchase, amount: JSON.parse('['.repeat(200) + ']'.repeat(200)) }
  const { causes } = diagnoseInFile(signatureOf(textsOf('purchase', other, token)), purchase, { ...quick, otherRequests: [unreadable, other] })
  t.strictSame(causes[0]?.changes.map(({ hypothesis }) => hypothesis), ['other-request'])
})

t.test('another algorithm of the same length is one change', async t => {
  const wrong = signed(usual, terms => digest(terms.join(''), 'sha3-512'))
  const { causes } = diagnose(wrong, purchase, quick)
  t.strictSame(causes[0]?.changes.map(({ hypothesis, finding }) => [hypothesis, finding]),
    [['digest-algorithm', 'The digests are those of SHA3-512; the scheme uses SHA-256.']])
})

t.test('digests in uppercase or base64, and quotes that only the sender has', async t => {
  const base64 = signed(usual, terms => Buffer.from(digest(terms.join('')), 'hex').toString('base64'))
  t.strictSame(diagnose(base64, purchase, quick).causes[0]?.changes.map(({ hypothesis }) => hypothesis), ['digest-base64'])
  const upper = diagnose(signature('purchase').toUpperCase(), purchase, quick)
  t.strictSame(upper.causes[0]?.changes.map(({ hypothesis }) => hypothesis), ['digest-upper-case'])
  const quoted = diagnose(signature('purchase'), { ...purchase, orderId: `"${String(purchase.orderId)}"` }, quick)
  t.match(quoted.causes[0]?.changes, [{ hypothesis: 'identifier-quotes', fix: /^Remove the quotes on your side/ }])
})
