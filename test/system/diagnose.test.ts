import { createHmac } from 'node:crypto'
import t from 'tap'
import { quote } from '../../tools/explain/characters.js'
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import type { Diagnosis, DiagnoseOptions } from '../../tools/diagnosis/diagnosis.js'
import { namedMistakes } from '../support/named-mistakes.js'
import { digest, partsOf, requests, sid, signature, signatureOf, signed, textsOf, token } from '../support/wrong-signatures.js'
import type { Mistake } from '../support/wrong-signatures.js'

/** True if the first cause consists of exactly this mistake. `a|b` is either hypothesis, `a+b` is both. */
function isFirst ({ hypothesis }: Mistake, { causes, part1, part2 }: Diagnosis): boolean {
  const changes = [...causes[0]?.changes ?? []]
  if (changes.length === 0 || part1 === 'unexplained' || part2 === 'unexplained') return false
  for (const name of hypothesis.split('+')) {
    const index = changes.findIndex(({ hypothesis, alsoKnownAs }) => [hypothesis, ...alsoKnownAs].some(known => name.split('|').includes(known)))
    if (index === -1) return false
    changes.splice(index, 1)
  }
  return changes.length === 0
}

// The long searches. test/tools/diagnosis has what is fast.

t.test('the right cause is first for each named mistake, quotes the hashed and the sent text, and never the token', async t => {
  let quoted = 0
  for (const [index, mistake] of namedMistakes.entries()) {
    const { hypothesis, what: mistaken } = mistake
    // The uses take turns: all uses of all mistakes take five times as long.
    const [use, { signature, request, options }] = [...mistake.attempts][index % mistake.attempts.size]!
    const diagnosis = diagnose(signature, request, options)
    const what = `${use}, ${hypothesis}, ${mistaken}`
    t.ok(isFirst(mistake, diagnosis), `${what}: ${JSON.stringify(diagnosis.causes)}`)
    t.notOk(JSON.stringify(diagnosis).includes(options.merchantToken!), `${what}: no token is shown`)
    const [{ finding = '' } = {}] = diagnosis.causes[0]?.changes ?? []
    const [, hashed, sent] = /^(?:In part \d: )?\w+ was "(.*)" when it was signed; your request has "(.*)"\.$/.exec(finding) ?? []
    const [, isHashed, isSent] = /^\w+ "(.*)" for "?(.*?)"?$/.exec(mistaken) ?? []
    if (hashed === undefined || isHashed === undefined || isSent === undefined || isHashed === '' || hypothesis.includes('+')) continue
    t.strictSame([hashed, sent], [isHashed, isSent].map(text => quote(JSON.parse(`"${text}"`)).slice(1, -1)), what)
    quoted++
  }
  t.ok(quoted > 60, String(quoted))
})

const scheme = { variant: 'A', merchantToken: token } as const
const variantB = { ...scheme, variant: 'B' } as const
const nothing = 'a'.repeat(64)
const unknown = `${nothing}///${nothing}`
const { purchase, refund, inquiry } = requests
const [usual, latin1, byName] = [textsOf('purchase', purchase, token), textsOf('purchase', { ...purchase, orderId: 'Café' }, token), textsOf('B', requests.B, token)]
const ts = usual.time
const [part1 = '', part2 = ''] = signature('purchase').split('///')

type More = readonly [request?: object, options?: DiagnoseOptions]

/** The causes that come first, by the names of their hypotheses. */
const named: ReadonlyArray<readonly [what: string, wrong: string, names: string[], ...More]> = [
  ['three mistakes, two of them in each part', signature('purchase', { time: '1709912345', sid: `{${sid}}`, token: `${token}\n` }),
    ['timestamp-unit', 'sid-wrapped', 'token-newline']],
  ['what part 2 settles helps with part 1', signature('purchase', { time: '1709912345', amount: '1234.5', sid: `Optional(${sid})` }),
    ['timestamp-unit', 'amount-decimals', 'sid-wrapped']],
  ['bytes with dashes between them', `${part1}///${part2}`.replace(/[^/]{2}(?=[^/])/g, '$&-'), ['signature-bytes-marked']],
  ['the form and a term', signature('refund', { amount: '1234.5' }).toUpperCase(), ['digest-upper-case', 'amount-decimals'], refund],
  ['values that are no amount, no time and no text of a URL', signature('purchase', { amount: '1.2.3', time: 'now', order: '%ZZ' }), ['identifier-case'],
    { ...purchase, amount: '1.2.3', clientTimeStamp: 'now', orderId: '%zz' }],
  ['a refund for variant B', signature('refund', { amount: '1234.50', reference: '77', order: 'Order-12' }), ['variant'],
    { ...requests.B, transactionFCRN: '77' }, variantB],
  ['the other request, in both parts', signature('inquiry', { reference: 'T-9', order: 'T-9' }), ['other-request'], inquiry,
    { ...scheme, otherRequest: { ...inquiry, transactionId: 'T-9' } }],
  ['the other request, in part 2 alone', `${digest('?')}///${signature('inquiry', { reference: 'T-9', order: 'T-9' }).slice(67)}`, ['other-request'], inquiry,
    { ...scheme, otherRequest: { ...inquiry, transactionId: 'T-9' } }]
]
for (const [what, wrong, names, request = purchase, options = scheme] of named) {
  t.test(what, async t => {
    const { causes, part2 } = diagnose(wrong, request as typeof purchase, options)
    t.strictSame(causes[0]?.changes.map(({ hypothesis }) => hypothesis).toSorted(), names.toSorted())
    t.not(part2, 'unexplained')
  })
}

/** The facts of the causes that come first. */
const facts: ReadonlyArray<readonly [what: string, wrong: string, findings: readonly string[], ...More]> = [
  ['a separator and an HMAC', signed(usual, terms => createHmac('sha256', token).update(terms.filter(term => term !== token).join('|')).digest('hex')),
    ['The terms were joined with "|" between them.', 'The digests were HMACs with the token as the key.']],
  ['a format with a space', `${digest(`${ts}${sid} ${usual.amount}`)}///${part2}`, ['Between sid and amount, " " was added when it was signed.']],
  ['a dash after the time stamp of both parts', `${digest(`${ts}-${sid}${usual.amount}`)}///${digest(`${ts}-Order-12${token}1025511234.50`)}`,
    ['After clientTimeStamp, "-" was added when it was signed.']],
  ['the formula of another product', `${part1}///${digest(`102551Order-121234.50${token}`)}`,
    ['The text of part 2 was made of accountNumber, orderIdOrNull, amount, merchantToken only, in this order.']],
  ['+ before ||', `${part1}///${digest(`${ts}Order-12`)}`, ['The text of part 2 was made of clientTimeStamp, orderIdOrNull only, in this order.']],
  ['the JSON of the body', `${digest(JSON.stringify(purchase))}///${digest(JSON.stringify(purchase) + token)}`,
    ['The text of part 1 was the JSON of the body.', 'The text of part 2 was the JSON of the body, and the token after it.']],
  ['an array without the empty reference', signed(usual, terms => digest(JSON.stringify(terms.filter(Boolean)))),
    ['The terms were in ", with "," between them, in [], empty ones left out.']],
  ['a tuple whose first term is a number', signed(usual, ([time = '', ...terms]) => digest(`(${time}, '${terms.join("', '")}')`)),
    ['The terms were in \', except clientTimeStamp, with ", " between them, in ().']],
  ['one half in base64', `${part1}///${Buffer.from(part2, 'hex').toString('base64')}`, ['The digest of part 2 was written in base64, not in hexadecimal.']],
  ['one half that was cut', `${part1}///${part2.slice(0, 50)}`, ['In part 2: Only the beginning of the right digest was given: the rest is missing.']],
  ['Windows-1252', `${part1}///${digest(Buffer.from(`${ts}L\x92\xc9-7${token}1025511234.50`, 'latin1'))}`,
    ['In part 2: The text was hashed as Windows-1252, not as UTF-8.'], { ...purchase, orderId: 'L\u2019\u00c9-7' }],
  ...([['Windows-1256', [0xd8, 0xe1, 0xc8]], ['ISO-8859-6', [0xd7, 0xe4, 0xc8]]] as const).map(([page, bytes]) => [page,
    `${part1}///${digest(Buffer.concat([Buffer.from(ts), Buffer.from(bytes), Buffer.from(`${token}1025511234.50`)]))}`,
    [`In part 2: The text was hashed as ${page}, not as UTF-8.`], { ...purchase, orderId: '\u0637\u0644\u0628' }] as const),
  ['part 1 in SHA-256, part 2 in MD5', `${part1}///${digest(partsOf(usual)[1].join(''), 'md5')}`,
    ['In part 2: The digests are those of MD5; the scheme uses SHA-256.']],
  ['part 1 in SHA-1, part 2 in SHA-512', `${digest(partsOf(usual)[0].join(''), 'sha1')}///${digest(partsOf(usual)[1].join(''), 'sha512')}`,
    ['In part 1: The digests are those of SHA1; the scheme uses SHA-256.', 'In part 2: The digests are those of SHA512; the scheme uses SHA-256.']],
  ['an MD5 of part 2 alone, with another mistake', `${signature('purchase', { amount: '1234.5' }).slice(0, 64)}///${digest(`${ts}Order-12${token}1025511234.5`, 'md5')}`,
    ['amount was "1234.5" when it was signed; your request has "1234.50".', 'In part 2: The digests are those of MD5; the scheme uses SHA-256.']],
  ['the bytes of a token in base64', `${part1}///${digest(Buffer.concat([Buffer.from(`${ts}Order-12`), Buffer.from('/wDDqQ==', 'base64'), Buffer.from('1025511234.50')]))}`,
    ['The token had 4 bytes when it was signed; yours has 8 characters.'], purchase, { ...scheme, merchantToken: '/wDDqQ==' }],
  ['another amount and another time stamp', signature('purchase', { time: '1709912345683', amount: '1284.50' }),
    [`clientTimeStamp was "1709912345683" when it was signed; your request has "${ts}".`, 'amount was "1284.50" when it was signed; your request has "1234.50".']],
  ['a float of numpy', signature('purchase', { amount: 'np.float64(1234.5)' }), Array(2).fill('amount was "np.float64(1234.5)" when it was signed; your request has "1234.50".')],
  ['Latin-1', signed(latin1, terms => digest(Buffer.from(terms.join(''), 'latin1'))), ['In part 2: The text was hashed as Latin-1, not as UTF-8.'],
    { ...purchase, orderId: 'Café' }],
  ['the bytes of a token in hexadecimal', `${part1}///${digest(Buffer.from(partsOf({ ...usual, token: '\xc0\xff\xee\x01' })[1].join(''), 'latin1'))}`,
    ['The token had 4 bytes when it was signed; yours has 8 characters.'], purchase, { ...scheme, merchantToken: 'c0ffee01' }],
  ['the terms in any order', `${signature('B').slice(0, 64)}///${digest(byName.account + byName.amount + byName.time + token + byName.reference)}`,
    ['The terms of part 2 were joined in the order accountNumber, amount, clientTimeStamp, merchantToken, referenceNumber.'], requests.B, variantB],
  ['both the reference and the order id of an inquiry, changed in one place', signature('inquiry', { reference: 'ORDER-12' }),
    ['transactionId was "ORDER-12" when it was signed; your request has "Order-12".'], inquiry],
  ['part 1 alone', part1, ['Only part 1 was given.']],
  ['the token in part 1, too', `${digest(partsOf(usual)[0].join('') + token)}///${part2}`, ['Part 1 had the token at its end too.']],
  ['a term that stands twice in a row', `${digest(partsOf(usual)[0].join('') + usual.amount)}///${part2}`, ['Part 1 had amount twice.']],
  ['a term that is right in one part only', `${part1}///${signature('purchase', { amount: '1234.5' }).slice(67)}`,
    ['In part 2: At the end of amount, "0" was missing when it was signed.']],
  ['the account number of the other request, in its other field', signature('purchase', { account: '777' }),
    ['merchantAccountNumber was "777" when it was signed; your request has "102551".'], purchase, { ...scheme, otherRequest: { accountNumber: '777' } }],
  ['fields of the other request that are read together', signature('inquiry', { reference: 'T-9', order: 'T-9' }),
    ['The signature is that of the other request.'], { ...inquiry, idType: 'FCRN' },
    { ...scheme, otherRequest: { ...inquiry, idType: 'ORDER_ID', transactionId: 'T-9' } }],
  ['decimals or zeros between amount and reference', signature('refund', { amount: '1234.5000' }),
    ['Between amount and transactionFCRN, "00" was added when it was signed.'], refund],
  ['zeros between sid and reference, which part 2 has whole', signature('void', { sid: 's10' }),
    ['In part 1: Between sid and transactionFCRN, "00" was missing when it was signed.'], { ...requests.void, sid: 's1000' }],
  ['amount and reference as numbers, whose text is that of another amount', signature('refund', { amount: '100', reference: '98' }),
    ['Between amount and transactionFCRN, "00.00" was missing when it was signed.'], { ...refund, amount: '100.00', transactionFCRN: '0098' }],
  ['a line break before the amount, which both parts show', signature('purchase', { amount: '\n1234.50' }),
    ['Before amount, "\\n" was added when it was signed.']],
  ['a line break between token and account number', signature('purchase', { token: `${token}\n` }),
    ['Between the token and merchantAccountNumber, "\\n" was added when it was signed.']],
  ['a character between token and account number, which may be the token\'s', signatureOf({ ...usual, token: 'tok' }),
    ['Between the token and merchantAccountNumber, 1 character was missing when it was signed.'], purchase, { ...scheme, merchantToken: 'tok1' }],
  ['a letter that the configured token lacks at its start', signature('purchase', { token: `x${token}` }),
    ['Between orderId and the token, 1 character was added when it was signed.']],
  ['part 1 in place of part 2', `${part1}///${part1}`, ['Part 2 had the terms of part 1.']],
  ['the order term of an inquiry alone', signature('inquiry', { order: 'null' }),
    ['The order id was "null" when it was signed; your request has "Order-12".'], inquiry],
  ['a purchase without amount, whose terms are those of a void without reference', signature('purchase', { amount: '' }),
    ['amount was "" when it was signed; your request has "1234.50".']],
  ['the amount of a void', signature('void', { amount: '12.00' }), ['Where amount is empty, "12.00" was added when it was signed.'],
    { ...requests.void, amount: '12.00' }],
  ['another token of the same length', signature('purchase', { token: token.toUpperCase() }),
    ['The token was another text when it was signed; both have 24 characters.']]
]
for (const [what, wrong, findings, request = purchase, options = scheme] of facts) {
  t.test(what, async t => {
    const diagnosis = diagnose(wrong, request as typeof purchase, options)
    t.strictSame(diagnosis.causes[0]?.changes.map(({ finding }) => finding), findings)
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

t.test('zeros between amount and reference have two readings, that of the amount first', async t => {
  for (const zeros of ['0', '00', '00000', '00000000']) {
    const { causes } = diagnose(signature('refund', { reference: `${zeros}98765` }), { ...refund, transactionFCRN: '98765' }, scheme)
    t.strictSame(causes.map(({ changes }) => changes.map(({ interpretation }) => interpretation)), [
      [`Perhaps amount was "1234.50${zeros}": its decimals were different.`],
      [`Perhaps transactionFCRN was "${zeros}98765": its leading zeros were different.`]
    ])
  }
})

t.test('interpretations', async t => {
  for (const [use, wrong, interpretation] of [
    ['purchase', { time: '1709912345999' }, 'Perhaps the clock was read twice, once for the signature and once for the request.'],
    ['purchase', { amount: '99.00' }, 'Perhaps the value was changed, calculated again, or taken from another request.'],
    ['purchase', { order: 'Orde' }, 'Perhaps a part of it was left out or masked: 4 of 8 characters remain.'],
    ['purchase', { token: 'changeme' }, 'Perhaps it was missing: an empty text or a placeholder was used.'],
    ['purchase', { token: 'k7Hq••••••••Yc6d' }, 'Perhaps it was masked, as a screen or a log shows it.'],
    ['purchase', { token: 'k7Hq2mZ9pL4xVb8sRt3wYcGd' }, 'Perhaps it had a character that looks alike, as O and 0 do, at position 23.'],
    ['purchase', { token: 'k7Hq2mZ9Lp4xVb8sRt3wYc6d' }, 'Perhaps the characters at positions 9 and 10 were exchanged.'],
    ['purchase', { token: 'k7Hq2mZ9pL4xVb8sRt3Yc6d' }, 'Perhaps it lacked a character, from position 20 on.'],
    ['purchase', { token: 'k7Hq2mZ9pL4t3wYc6d' }, 'Perhaps it lacked 6 characters, from position 12 on.'],
    ['purchase', { token: 'k7Hq2mZ9pL4xVb8sRt3wYYc6d' }, 'Perhaps it had one more character, at position 22.'],
    ['purchase', { token: 'k7Hq2mZ9pL4xV58sRt3wYc6d' }, 'Perhaps the character at position 14 was another one.'],
    ['inquiry', { order: 'null' }, 'Perhaps idType was read differently: transactionId is the order id only if idType is ORDER_ID, in upper or lower case.'],
    ['void', { amount: '0.00' }, 'Perhaps amount was "0.00": the amount was used for an operation that ignores it.']
  ] as const) {
    const { causes } = diagnose(signatureOf({ ...textsOf(use, requests[use], token), ...wrong }), requests[use], scheme)
    t.equal(causes[0]?.changes[0]?.interpretation, interpretation)
  }
})

// A request with few values to try: each text that is left is an ordinary value of one field.
const short = { sid: 'a', clientTimeStamp: 'n', amount: 'x', merchantAccountNumber: 'n', orderId: 'ab' }
for (const [sent, signed, finding] of [
  [{ amount: '12.50' }, { amount: '14.25' }, 'amount was "14.25" when it was signed; your request has "12.50".'],
  [{ clientTimeStamp: 1709912345678 }, { time: '1709912345670' },
    'clientTimeStamp was "1709912345670" when it was signed; your request has "1709912345678".'],
  [{ orderId: 'A-120' }, { order: 'A-123' }, 'orderId was "A-123" when it was signed; your request has "A-120".'],
  [{ merchantAccountNumber: '102551' }, { account: '102951' },
    'merchantAccountNumber was "102951" when it was signed; your request has "102551".']
] as const) {
  t.test(`another value: ${finding}`, async t => {
    const request = { ...short, ...sent }
    const wrong = signatureOf({ ...textsOf('purchase', request, 'x'), ...signed })
    const options = { variant: 'A', merchantToken: 'x' } as const
    t.strictSame(diagnose(wrong, request, options).causes[0]?.changes.map(({ finding }) => finding), [finding])
  })
}

for (const use of ['purchase', 'B'] as const) {
  t.test(`an unknown signature has no cause, within the documented number of texts: ${use}`, async t => {
    const options = use === 'B' ? variantB : scheme
    const whole = diagnose(unknown, requests[use], options)
    // An incomplete search would not reach the other amounts and ids, which are last.
    t.match(whole, { part1: 'unexplained', part2: 'unexplained', causes: [], complete: true })
    t.ok(whole.tries > 100_000 && whole.tries <= 900_000, `${whole.tries} tries`)
    const half = diagnose(signature(use).replace(/[^/]+$/, nothing), requests[use], options)
    t.match(half, { part1: 'matches', part2: 'unexplained', causes: [] })
    t.ok(half.tries <= 1_300_000, `${half.tries} tries for part 2`)
  })
}
