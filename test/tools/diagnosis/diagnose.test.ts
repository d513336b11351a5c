import t from 'tap'
import { diagnose } from '../../../tools/diagnosis/diagnose.js'
import { isFirst, pairsOf } from '../../support/diagnosed.js'
import { namedMistakes } from '../../support/named-mistakes.js'
import { unnamedMistakes } from '../../support/unnamed-mistakes.js'
import { digest, partsOf, requests, signature, signatureOf, signed, textsOf, token } from '../../support/wrong-signatures.js'

// Each mistake in one of its uses. test/system/diagnose.test.ts has all uses.
t.test('mistakes with a name: the right cause is first', async t => {
  for (const [index, mistake] of namedMistakes.entries()) {
    const [use, attempt] = [...mistake.attempts].at(index % mistake.attempts.size)!
    const diagnosis = diagnose(attempt.signature, attempt.request, attempt.options)
    t.ok(isFirst([mistake], diagnosis), `${use}, ${mistake.hypothesis}, ${mistake.what}: ${JSON.stringify(diagnosis.causes)}`)
    t.equal(diagnosis.valid, false)
    t.notMatch(JSON.stringify(diagnosis), attempt.options.merchantToken, 'no token is shown')
    for (const { finding, interpretation, fix } of diagnosis.causes[0]!.changes) {
      t.match(finding + interpretation + fix, /^[a-zA-Z].*\.[A-Z].*\.$/s, 'sentences')
    }
  }
})

t.test('mistakes that nobody named: most are found', async t => {
  const some = unnamedMistakes.filter((_mistake, index) => index % 14 === 1)
  const first = some.filter(mistake => {
    const { signature, request, options } = [...mistake.attempts.values()][0]!
    return isFirst([mistake], diagnose(signature, request, options))
  })
  t.ok(first.length >= 0.8 * some.length, `${first.length} of ${some.length}`)
})

t.test('two mistakes are found together', async t => {
  const pairs = pairsOf(namedMistakes.filter(({ hypothesis }) => !/timestamp-(?:taken-twice|local-date|fraction)/.test(hypothesis)), 6)
  const found = pairs.filter(({ one, other, attempt: { signature, request, options } }) =>
    isFirst([one, other], diagnose(signature, request, options)))
  t.ok(found.length >= 5, `${found.length} of ${pairs.length}`)
})

const scheme = { variant: 'A', merchantToken: token } as const
const nothing = 'a'.repeat(64)
const unknown = `${nothing}///${nothing}`

t.test('three mistakes in part 1 and two in part 2', async t => {
  const { causes, part1, part2 } = diagnose(signature('purchase', {
    time: '1709912345', amount: '1,234.50', sid: '{5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11}', order: 'ORDER-12', token: `${token}\n`
  }), requests.purchase, scheme)
  t.same(causes[0]!.changes.map(({ hypothesis }) => hypothesis), [
    'timestamp-unit', 'sid-braces', 'amount-thousands-separators', 'identifier-case', 'token-newline'
  ])
  t.same([part1, part2], ['explained', 'explained'])
})

t.test('what part 2 settles helps with part 1', async t => {
  const { causes, part1, part2 } = diagnose(signature('purchase', {
    time: '1709912345', amount: '1234.5', sid: '11b7a0d3f9d0-e6d8-34a4-b0c9-e4f5c0f5'
  }), requests.purchase, scheme)
  t.same(causes[0]!.changes.map(({ hypothesis }) => hypothesis), ['timestamp-unit', 'amount-decimals', 'sid-reversed'])
  t.same([part1, part2], ['explained', 'explained'])
})

t.test('what happened to the whole text of both parts', async t => {
  const texts = textsOf('purchase', requests.purchase, token)
  const wrong = signed(texts, terms => digest(Buffer.from(terms.join('')).toString('base64')))
  const { causes } = diagnose(wrong, requests.purchase, scheme)
  t.same(causes[0]!.changes.map(({ hypothesis, finding }) => [hypothesis, finding.slice(0, 18)]), [
    ['text-base64', 'The text of part 1'], ['text-base64', 'The text of part 2']
  ])
  const latin1 = signed({ ...texts, order: 'Café' }, terms => digest(Buffer.from(terms.join(''), 'latin1')))
  const { causes: [cause] } = diagnose(latin1, { ...requests.purchase, orderId: 'Café' }, scheme)
  t.match(cause!.changes[0]!.finding, 'In part 2: The text was hashed as Latin-1')
})

t.test('the terms in any order', async t => {
  const [first] = signature('B').split('///')
  const { account, amount, time, reference } = textsOf('B', requests.B, token)
  const second = digest(account + amount + time + token + reference)
  const { causes: [cause] } = diagnose(`${first}///${second}`, requests.B, { ...scheme, variant: 'B' })
  t.match(cause!.changes[0]!.finding, 'The terms of part 2 were joined in the order accountNumber, amount, clientTimeStamp, merchantToken, referenceNumber.')
})

t.test('an order of the terms is told once, wherever an empty one or one of two alike stands', async t => {
  for (const use of ['purchase', 'inquiry'] as const) {
    const first = signature(use).split('///')[0]
    const { account, amount, time, reference, order } = textsOf(use, requests[use], token)
    const second = digest(account + amount + time + reference + token + order)
    t.equal(diagnose(`${first}///${second}`, requests[use], scheme).causes.length, 1, use)
  }
})

t.test('the bytes of a signature, marked', async t => {
  const [first, second] = signature('purchase').split('///') as [string, string]
  for (const form of [(part: string) => `0x${part}`, (part: string) => part.replace(/..(?=.)/g, '$&-')]) {
    const { causes } = diagnose(`${form(first)}///${form(second)}`, requests.purchase, scheme)
    t.same(causes[0]!.changes.map(({ hypothesis }) => hypothesis), ['signature-bytes-marked'])
  }
})

t.test('what is both the reference and the order id of an inquiry, changed in one place', async t => {
  const { causes } = diagnose(signature('inquiry', { reference: 'ORDER-12' }), requests.inquiry, scheme)
  t.same(causes[0]!.changes.map(({ finding }) => finding), [
    'transactionId was "ORDER-12" when it was signed; your request has "Order-12".'
  ])
})

t.test('one part of a signature', async t => {
  for (const half of [0, 1]) {
    const { causes, part1, part2 } = diagnose(signature('purchase').split('///')[half]!, requests.purchase, { ...scheme, maxChanges: 1 })
    t.same(causes[0]!.changes.map(({ finding }) => finding), [`Only part ${half + 1} was given.`])
    t.notMatch([part1, part2], ['unexplained'])
  }
})

t.test('without a token only part 1 is searched', async t => {
  const found = diagnose(signature('purchase', { amount: '1234.5', token: '?' }), requests.purchase, { variant: 'A', maxChanges: 1 })
  t.same([found.part1, found.part2, found.valid, found.causes[0]!.changes.length], ['explained', 'unsearched', false, 1])
  const right = diagnose(`"${signature('purchase')}"`, requests.purchase, { variant: 'A', maxChanges: 1 })
  t.same([right.part1, right.part2, right.valid], ['matches', 'unsearched', false])
  t.same(right.causes[0]!.changes.map(({ hypothesis }) => hypothesis), ['signature-quoted'])
  t.match(right.hints, [/^Part 1 matches, which settles/])
  const wrong = diagnose(unknown, requests.purchase, { variant: 'A', maxChanges: 1 })
  t.same([wrong.part1, wrong.part2, wrong.causes], ['unexplained', 'unsearched', []])
  t.match(wrong.hints, [/^Part 1 does not match/, /needs the token/])
  const own = { ...requests.purchase, merchantToken: token }
  t.equal(diagnose(signature('purchase'), own, { variant: 'A' }).valid, true, 'unless the request has one')
  t.equal(diagnose(signature('purchase'), { ...own, merchantToken: 'its own' }, scheme).valid, true, 'the given token takes precedence')
})

t.test('the token is not shown where it does not belong', async t => {
  const { causes } = diagnose(signature('purchase', { sid: token.toUpperCase() }), requests.purchase, scheme)
  t.match(causes[0]!.changes[0]!.finding, 'sid was another text when it was signed; your request has "5f0c5f4e')
  t.notMatch(JSON.stringify(causes), new RegExp(token, 'i'))
})

t.test('the token in part 1, too: part 2 is right', async t => {
  for (const use of ['purchase', 'B'] as const) {
    const [, right = ''] = signature(use).split('///')
    const [terms] = partsOf(textsOf(use, requests[use], token))
    const variant = use === 'B' ? 'B' : 'A'
    const { causes, part1, part2 } = diagnose(`${digest(terms.join('') + token)}///${right}`, requests[use], { ...scheme, variant })
    t.equal(causes[0]!.changes[0]!.finding, 'Part 1 had the token at its end too.')
    t.same([part1, part2], ['explained', 'matches'])
  }
})

t.test('two mistakes in one term', async t => {
  const { causes } = diagnose(signature('purchase', { order: 'ORDER-12 ' }), requests.purchase, scheme)
  t.same(causes[0]!.changes.map(({ hypothesis }) => hypothesis).toSorted(), ['identifier-case', 'identifier-white-space'])
})

t.test('a term that is right in one part only', async t => {
  const [right = ''] = signature('purchase').split('///')
  const [, wrong = ''] = signature('purchase', { amount: '1234.5' }).split('///')
  const { causes } = diagnose(`${right}///${wrong}`, requests.purchase, scheme)
  t.match(causes[0]!.changes[0]!.finding, /^In part 2: amount was "1234\.5"/)
})

t.test('a right signature', async t => {
  t.match(diagnose(signature('purchase'), requests.purchase, scheme), {
    valid: true, part1: 'matches', part2: 'matches', causes: [], hints: [], complete: true
  })
})

t.test('another token that nobody knows', async t => {
  const { valid, part1, part2, causes, hints, complete } =
    diagnose(signature('refund', { token: 'of another planet' }), requests.refund, { ...scheme, maxChanges: 1 })
  t.same([valid, part1, part2, causes, complete], [false, 'matches', 'unexplained', [], true])
  t.match(hints, [/^Part 1 matches, which settles the time stamp, sid, amount and reference of part 1\.$/, /^Part 2 differs, and nothing that was tried makes it match: compare the order id, account number and token with/])
})

t.test('an explained part 1, and another token that nobody knows', async t => {
  const { part1, part2, hints } =
    diagnose(signature('refund', { amount: '1234.5', token: 'of another planet' }), requests.refund, { ...scheme, maxChanges: 1 })
  t.same([part1, part2], ['explained', 'unexplained'])
  t.match(hints[0], /^Part 1 is explained/)
})

t.test('nothing fits', async t => {
  const { part1, part2, causes, hints, tries } = diagnose(unknown, requests.purchase, scheme)
  t.same([part1, part2, causes], ['unexplained', 'unexplained', []])
  t.match(hints, [/^Neither part matches/, /^Part 1 holds no secret/])
  t.equal(hints.length, 2)
  t.ok(tries > 100_000 && tries < 1_300_000, `${tries} tries`)
})

t.test('the bounds on the work are kept', async t => {
  const { tries, complete, hints } = diagnose(unknown, requests.purchase, { ...scheme, maxTries: 1000 })
  t.same([tries, complete], [900, false])
  t.match(hints.at(-1), /^The search reached its limit/)
  const amount = signature('purchase', { amount: '1234.5' })
  t.equal(diagnose(amount, requests.purchase, { ...scheme, maxChanges: 0 }).causes.length, 0)
  t.equal(diagnose(amount, requests.purchase, { ...scheme, maxChanges: 1 }).causes.length, 1)
})

t.test('a session id that was made anew, beside another mistake', async t => {
  const { part1, part2, causes, hints } = diagnose(signature('purchase', { sid: 'x', order: 'null' }), requests.purchase, { ...scheme, maxChanges: 1 })
  t.same([part1, part2], ['unexplained', 'explained'])
  t.same(causes[0]!.changes.map(({ hypothesis }) => hypothesis), ['identifier-absent'])
  t.match(hints, [/^Part 2 is explained, which settles .* another sid was signed/])
  const alone = diagnose(signature('purchase', { sid: 'x' }), requests.purchase, { ...scheme, maxChanges: 1 })
  t.same([alone.part1, alone.part2, alone.causes], ['unexplained', 'matches', []])
  t.match(alone.hints, [/^Part 2 matches, which settles .* another sid was signed/])
})

t.test('variant B: its own mistakes, and variant A instead', async t => {
  const variantB = { ...scheme, variant: 'B' } as const
  const request = { ...requests.purchase, operationType: undefined }
  const own = signature('B')
  t.equal(diagnose(own, request, variantB).valid, true)
  for (const [operation, wrong] of [
    ['purchase', signature('purchase')],
    ['refund', signature('refund', { amount: '1234.50', reference: '77', order: 'Order-12' })]
  ] as const) {
    const { causes } = diagnose(wrong, { ...request, transactionFCRN: '77' }, variantB)
    t.equal(causes[0]!.changes[0]!.hypothesis, 'variant', operation)
  }
  const { hints } = diagnose(signature('purchase', { reference: 'Order-12', order: '', token: 'of another planet' }), request, variantB)
  t.match(hints[1], /compare the account number and token with/)
})

t.test('a request that would be refused says so, and is searched all the same', async t => {
  const blank = diagnose(signature('purchase', { sid: ' ' }), { ...requests.purchase, sid: ' ' }, scheme)
  t.same([blank.valid, blank.part1, blank.part2], [false, 'matches', 'matches'])
  t.same(blank.hints, ['The service would refuse this request: sid must be a non-empty string.'])

  const { merchantAccountNumber, sid, ...rest } = requests.purchase
  const lacking = diagnose(signature('purchase', { sid: '', account: 'undefined' }), rest as never, scheme)
  t.equal(lacking.part2, 'matches')
  t.match(lacking.hints, [/merchantAccountNumber or accountNumber is required/])

  const nothingAtAll = diagnose(unknown, { sid: '', clientTimeStamp: '' }, { variant: 'A', maxChanges: 1 })
  t.equal(nothingAtAll.complete, true)

  const noText = diagnose(signature('purchase'), { ...requests.purchase, amount: { toString: 1 } }, scheme)
  t.match(noText, { valid: false, tries: 0, hints: [/Cannot convert object to primitive value/] })
})

for (const text of ['', 'refused', '///', 'z'.repeat(131), '{"error":"no"}', '{'.repeat(1_000_000)]) {
  t.test(`${JSON.stringify(text.slice(0, 20))} is no signature`, async t => {
    const { valid, hints, tries } = diagnose(text, requests.purchase, scheme)
    t.same([valid, tries], [false, 0])
    t.match(hints, [/^This is not a signature: /])
  })
}

t.test('what is wrong in part of a form and in a term is told together', async t => {
  const { causes } = diagnose(signature('refund', { amount: '1234.5' }).toUpperCase(), requests.refund, scheme)
  t.same(causes[0]!.changes.map(({ hypothesis }) => hypothesis), ['digest-upper-case', 'amount-decimals'])
})

t.test('values that are no amount, no time and no text of a URL are searched all the same', async t => {
  const request = { ...requests.purchase, amount: '1.2.3', clientTimeStamp: 'now', orderId: '%zz' }
  const { causes } = diagnose(signature('purchase', { amount: '1.2.3', time: 'now', order: '%ZZ' }), request, scheme)
  t.equal(causes[0]!.changes[0]!.hypothesis, 'identifier-case')
  t.equal(diagnose(unknown, request, { ...scheme, maxChanges: 1 }).complete, true)
  const half = diagnose(signature('purchase', { amount: '0.50' }), { ...requests.purchase, amount: '.5' }, scheme)
  t.equal(half.causes[0]!.changes[0]!.hypothesis, 'amount-decimals')
})

for (const [what, wrong, hint] of [
  ['a digit missing', signature('purchase').slice(0, -1), 'part 2 has 63 hexadecimal digits, not 64.'],
  ['cut off by a column', signature('purchase').slice(0, 128), 'part 2 has 61 hexadecimal digits, not 64.'],
  ['a letter for a digit', `O${signature('purchase').slice(1)}`, 'part 1 has "O" at position 1, which is not a hexadecimal digit.'],
  ['nothing like it', 'abc', 'a signature is 64 hexadecimal digits, /// and 64 more, 131 characters; this has 3.']
] as const) {
  t.test(`a signature with ${what}`, async t => {
    t.same(diagnose(wrong, requests.purchase, scheme).hints, [`This is not a signature: ${hint}`])
  })
}

const noText = { toString: 1, valueOf: 1 }

t.test('values without a text in fields that are not signed', async t => {
  const request = { ...requests.purchase, accountNumber: noText }
  t.equal(diagnose(signature('purchase'), request, scheme).valid, true)
  const unused = {
    ...requests.purchase, transactionFCRN: noText, transactionId: noText, idType: noText, operationType: noText
  }
  const own = signature('purchase', { reference: 'Order-12', order: '' })
  t.equal(diagnose(own, unused, { ...scheme, variant: 'B' }).valid, true)
  t.equal(diagnose(unknown, unused, { ...scheme, variant: 'B', maxChanges: 1 }).complete, true)
  const otherRequest = { ...requests.purchase, orderId: noText, amount: 10n, sid: 'another' }
  t.equal(diagnose(signature('purchase', { sid: 'another' }), requests.purchase, { ...scheme, otherRequest }).causes.length, 1)
})

t.test('the other request is another operation with ids of its own', async t => {
  const otherRequest = { ...requests.purchase, operationType: 'refund', transactionFCRN: 'F-1', orderId: undefined }
  const other = signature('refund', { reference: 'F-1', order: 'null' })
  const { causes: [cause] } = diagnose(other, requests.purchase, { ...scheme, otherRequest })
  t.strictSame(cause!.changes.map(({ finding }) => finding), [
    'The signature is that of the other request.'
  ])
})

t.test('a field of the other request that is in both parts is one change', async t => {
  const other = signature('inquiry', { reference: 'T-9', order: 'T-9' })
  const otherRequest = { ...requests.inquiry, transactionId: 'T-9' }
  const { causes: [cause] } = diagnose(other, requests.inquiry, { ...scheme, otherRequest })
  t.strictSame(cause!.changes.map(({ hypothesis }) => hypothesis), ['other-request'])
  t.match(cause!.changes[0]!.finding, 'transactionId was "T-9" when it was signed; your request has "')
})

t.test('fields of the other request that are read together', async t => {
  const request = { ...requests.inquiry, idType: 'FCRN' }
  const byOrderId = { ...request, idType: 'ORDER_ID', transactionId: 'T-9' }
  const { causes: [cause] } = diagnose(signature('inquiry', { reference: 'T-9', order: 'T-9' }), request, { ...scheme, otherRequest: byOrderId })
  t.equal(cause!.changes.at(-1)!.finding, 'The signature is that of the other request.')

  const otherRequest = { accountNumber: '777' }
  const other = diagnose(signature('purchase', { account: '777' }), requests.purchase, { ...scheme, otherRequest })
  t.match(other.causes[0]!.changes.map(({ finding }) => finding), ['merchantAccountNumber was "777" when it was signed; your request has "102551".'])
})

t.test('of operations that sign the same, that of the other request is named first', async t => {
  const ids = { transactionFCRN: 'F-1', transactionId: 'F-1' }
  const request = { ...ids, sid: 'abc', clientTimeStamp: 1709912345678, operationType: 'purchase', merchantAccountNumber: '102551' }
  const signed = signature('purchase', { sid: 'abc', amount: '', reference: 'F-1', order: 'null' })
  for (const operationType of ['refund', 'void', 'inquiry']) {
    const { causes } = diagnose(signed, request, { ...scheme, otherRequest: { ...request, operationType } })
    t.equal(causes[0]!.changes[0]!.finding, `The operation was ${operationType}, not purchase.`)
  }
})

t.test('one change that both the reference and the order id show is told once', async t => {
  const otherRequest = { ...requests.inquiry, transactionId: 'T-9' }
  const first = digest('nobody knows')
  const second = signature('inquiry', { reference: 'T-9', order: 'T-9' }).split('///')[1]
  const { causes } = diagnose(`${first}///${second}`, requests.inquiry, { ...scheme, otherRequest })
  t.strictSame(causes[0]!.changes.map(({ hypothesis }) => hypothesis), ['other-request'])
})

t.test('a text that differs in part 2 alone, and uncommonly', async t => {
  const [first] = signature('purchase').split('///')
  for (const [texts, hypothesis] of [
    [{ time: '1709912345679' }, 'timestamp-taken-twice'], [{ amount: '1234.50 EGP' }, 'amount-currency']
  ] as const) {
    const second = signature('purchase', texts).split('///')[1]
    const { causes, part1 } = diagnose(`${first}///${second}`, requests.purchase, scheme)
    t.equal(part1, 'matches')
    t.strictSame(causes[0]?.changes.map(({ hypothesis }) => hypothesis), [hypothesis])
    t.match(causes[0]?.changes[0]?.finding, /^In part 2: /)
  }
})

t.test('float noise below a power of two', async t => {
  for (const [amount, noisy] of [['1.00', '0.9999999999999999'], ['8.00', '7.999999999999999']] as const) {
    const { causes } = diagnose(signature('purchase', { amount: noisy }), { ...requests.purchase, amount }, scheme)
    t.equal(causes[0]?.changes[0]?.hypothesis, 'amount-floating-point')
  }
})

t.test('many fields that are not signed, and many other tokens, take no time', async t => {
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]))
  const otherTokens = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`token${index}`, `its text ${index}`]))
  const otherRequest = { ...requests.purchase, ...unknown }
  const { causes } = diagnose(signature('purchase', { token: 'its text 19999' }), { ...requests.purchase, ...unknown }, { ...scheme, otherRequest, otherTokens })
  t.match(causes[0]!.changes[0]!.interpretation, 'the one named token19999')
})

t.test('long texts count for more, so that the time is bounded', async t => {
  const request = { ...requests.purchase, orderId: 'x'.repeat(50_000), amount: '9'.repeat(3000) }
  const { tries, complete } = diagnose(unknown, request, { ...scheme, maxTries: 10_000 })
  t.equal(complete, false)
  t.ok(tries < 2000, `${tries} tries`)
})

for (const [name, field, hashed, sent] of [
  ['token-white-space', 'token', 'tok', 'tok '],
  ['identifier-white-space', 'order', 'ORD-1', 'ORD-1 '],
  ['sid-white-space', 'sid', 'abc', ' abc'],
  ['sid-lost-character', 'sid', 'abc', 'abc/'],
  ['account-number-white-space', 'account', 'EG3800190005', 'EG38 0019 0005'],
  ['account-number-dashes', 'account', '102551', '10-25-51'],
  ['amount-thousands-separators', 'amount', '1234.50', '1 234.50'],
  ['amount-currency', 'amount', '1234.50', 'EGP 1234.50'],
  ['amount-currency', 'amount', '100.00', 'Rs.100.00'],
  ['amount-sign', 'amount', '5.00', '-5.00'],
  ['amount-digits', 'amount', '1234.50', '١٢٣٤٫٥٠'],
  ['amount-leading-zeros', 'amount', '0.50', '.50'],
  ['amount-absent', 'amount', '', 'None']
] as const) {
  t.test(`${JSON.stringify(hashed)} for ${JSON.stringify(sent)} is ${name} before anything else`, async t => {
    const names = { token: '', order: 'orderId', sid: 'sid', account: 'merchantAccountNumber', amount: 'amount' }
    const request = { ...requests.purchase, ...(field === 'token' ? {} : { [names[field]]: sent }) }
    const texts = { ...textsOf('purchase', request, token), [field]: hashed }
    const { causes } = diagnose(signatureOf(texts), request, { variant: 'A', merchantToken: field === 'token' ? sent : token })
    t.match(causes[0]!.changes, [{ hypothesis: name }])
    const [{ alsoKnownAs } = { alsoKnownAs: [] }] = causes[0]!.changes
    t.equal(new Set([name, ...alsoKnownAs]).size, alsoKnownAs.length + 1, 'no name twice')
  })
}

for (const [what, wrong] of [
  ['letters in an amount', { amount: `1${'a'.repeat(5000)}1` }],
  ['digits of a time stamp', { clientTimeStamp: '7'.repeat(50_000) }],
  ['characters of several bytes', { sid: '€'.repeat(200_000) }]
] as const) {
  t.test(`many ${what} are no trouble`, async t => {
    const { tries, complete } = diagnose(unknown, { ...requests.purchase, ...wrong }, { ...scheme, maxTries: 2000 })
    t.ok(tries <= 2000)
    t.equal(complete, false)
  })
}

t.test('letters of a token that stands for the amount are no trouble', async t => {
  const merchantToken = `sk_live_${'abcdefghijklmnopqrstuvwxyz'.repeat(3)}_1`
  t.equal(diagnose(unknown, requests.purchase, { ...scheme, merchantToken, maxTries: 500_000 }).complete, false)
})

t.test('a fault that is no refusal is thrown on', async t => {
  const faulty = { ...requests.purchase, get amount (): string { throw new RangeError('not ours') } }
  t.throws(() => diagnose(unknown, faulty, scheme), new RangeError('not ours'))
})

t.test('misuse throws', async t => {
  t.throws(() => diagnose(7 as never, requests.purchase, scheme), { code: 'ERR_SIGNATURE' })
  t.throws(() => diagnose('', null as never, scheme), { code: 'ERR_REQUEST' })
  t.throws(() => diagnose('', requests.purchase, { ...scheme, merchantToken: '' }), { code: 'ERR_MERCHANT_TOKEN' })
  t.throws(() => diagnose('', requests.purchase, { ...scheme, otherTokens: { none: '' } }), { code: 'ERR_MERCHANT_TOKEN' })
  t.throws(() => diagnose('', requests.purchase, { ...scheme, variant: 'C' as never }), { code: 'ERR_VARIANT' })
  t.throws(() => diagnose('', requests.purchase, { ...scheme, otherRequest: null as never }), { code: 'ERR_REQUEST' })
  for (const limits of [{ maxChanges: 4 }, { maxChanges: -1 }, { maxTries: 0 }, { maxTries: Number.NaN }]) {
    t.throws(() => diagnose('', requests.purchase, { ...scheme, ...limits }), {
      name: 'UsageError', code: 'ERR_LIMIT', message: /^maxChanges must be 0, 1, 2 or 3, and maxTries an integer above 0$/
    })
  }
})

t.test('other values are found, which nothing explains', async t => {
  for (const [texts, request, finding] of [
    [{ amount: '1425.57' }, {}, 'amount was "1425.57" when it was signed; your request has "1234.50".'],
    [{ amount: '7' }, { amount: '1350' }, 'amount was "7" when it was signed; your request has "1350".'],
    [{ order: 'A-123' }, { orderId: 'A-120' }, 'orderId was "A-123" when it was signed; your request has "A-120".'],
    [{ account: '102951' }, {}, 'merchantAccountNumber was "102951" when it was signed; your request has "102551".'],
    [{ account: '00102553' }, { merchantAccountNumber: '00102551' },
      'merchantAccountNumber was "00102553" when it was signed; your request has "00102551".']
  ] as const) {
    const sent = { ...requests.purchase, ...request }
    const { causes, part1, part2 } = diagnose(signatureOf({ ...textsOf('purchase', sent, token), ...texts }), sent, scheme)
    t.match(causes, [{ equallyLikely: 1, changes: [{ hypothesis: /-another-value$/, finding }] }])
    t.equal(causes[0]!.changes.length, 1)
    t.notMatch([part1, part2], ['unexplained'])
  }
})

t.test('a deep search finds one wrong character and two', async t => {
  const deep = { ...scheme, merchantToken: 'x', maxChanges: 0, deep: true } as const
  const request = { sid: 'a', clientTimeStamp: 'n', amount: 'x', merchantAccountNumber: 'n', orderId: 'ab' }
  const texts = textsOf('purchase', request, 'x')
  for (const [signed, findings] of [
    [{ order: 'abc' }, ['orderId was "abc" when it was signed; your request has "ab".']],
    [{ order: 'ba' }, ['orderId was "ba" when it was signed; your request has "ab".']],
    [{ order: 'cd' }, ['orderId was "cd" when it was signed; your request has "ab".']],
    [{ time: '5', sid: 'b' }, ['clientTimeStamp was "5" when it was signed; your request has "n".',
      'sid was "b" when it was signed; your request has "a".']]
  ] as const) {
    const { causes } = diagnose(signatureOf({ ...texts, ...signed }), request, deep)
    t.strictSame(causes[0]?.changes.map(({ finding }) => finding), findings)
  }
  t.equal(diagnose(unknown, request, { ...deep, maxTries: 60_000 }).causes.length, 0)
})

t.test('the token is published', async t => {
  const appended = signed(textsOf('purchase', requests.purchase, token), terms => Buffer.from(terms.join('')).toString('hex') + digest(''))
  const plain = `${digest('1')}///${Buffer.from(token).toString('base64')}`
  for (const text of [appended, plain, `${token}///${digest('1')}`]) {
    const { hints } = diagnose(text, requests.purchase, { ...scheme, maxChanges: 0 })
    t.equal(hints[0], 'The signature contains the merchant token. The token is published: replace it now.')
    t.notMatch(JSON.stringify(hints), token)
  }
})

t.test('digests that are written wrongly, without a token', async t => {
  const [first, second] = signature('purchase').split('///').map(part => Buffer.from(part).toString('hex'))
  const { part1, part2, causes } = diagnose(`${first}///${second}`, requests.purchase, { variant: 'A' })
  t.match({ part1, part2, causes }, { part1: 'explained', part2: 'unsearched', causes: [{ changes: [{ hypothesis: 'digest-hex-twice' }] }] })
})

t.test('parts that are right match, whatever the other part is', async t => {
  const [, second] = signature('purchase').split('///')
  const [first] = signature('refund').split('///')
  const { part1, part2 } = diagnose(`${first}///${second}`, { ...requests.purchase, transactionFCRN: '0098765' }, scheme)
  t.strictSame([part1, part2], ['explained', 'matches'])
})

t.test('what explain warns of is a hint where a part is open', async t => {
  const { hints } = diagnose(unknown, { ...requests.purchase, order_id: '7' } as never, { ...scheme, maxChanges: 0 })
  t.equal(hints.at(-1), 'The request has the key order_id, which is not read: the field is orderId.')
})

t.test('the token is suspected only where the rest of part 2 agrees', async t => {
  const [first] = signature('purchase').split('///')
  for (const [otherRequest, isToken] of [[requests.purchase, true], [{ ...requests.purchase, orderId: 'X' }, false], [undefined, false]] as const) {
    const { hints } = diagnose(`${first}///${nothing}`, requests.purchase, { ...scheme, maxChanges: 0, otherRequest })
    t.equal(/perhaps the token of another environment/.test(String(hints[1])), isToken)
  }
})
