import t from 'tap'
import type { SignatureRequest } from '../../../src/scheme/fields.js'
import { readerOf } from '../../../src/scheme/variants.js'
import { explain } from '../../../tools/explain/explain.js'
import { warningsOf } from '../../../tools/explain/warnings.js'
import { requests, signature, token } from '../../support/wrong-signatures.js'

const sourcesOf = (request: Record<string, unknown>, variant: 'A' | 'B' = 'A') =>
  Object.fromEntries(explain(request as never, { variant }).terms
    .map(({ name, text, source }) => [name, [text, source]]))

const refund = { ...requests.refund, amount: '100.00' }

t.test('a refund, with the token', async t => {
  const explanation = explain(refund, { variant: 'A', merchantToken: token })
  t.same(explanation, {
    variant: 'A',
    operation: 'refund',
    terms: [
      { name: 'clientTimeStamp', text: '1709912345678', source: 'clientTimeStamp' },
      { name: 'sid', text: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', source: 'sid' },
      { name: 'amount', text: '100.00', source: 'amount' },
      { name: 'referenceNumber', text: '0098765', source: 'transactionFCRN' },
      { name: 'orderIdOrNull', text: 'null', source: 'the text null: orderId is absent' },
      { name: 'merchantToken', text: '<merchantToken>', source: 'the configured token' },
      { name: 'accountNumber', text: '102551', source: 'merchantAccountNumber' }
    ],
    part1: {
      preImage: '17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.000098765',
      bytes: '31373039393132333435363738' + '35663063356634652d396330622d346134332d386436652d306439663364306137623131' +
        '3130302e3030' + '30303938373635',
      digest: signature('refund', { amount: '100.00' }).slice(0, 64)
    },
    part2: {
      preImage: '1709912345678null<merchantToken>102551100.000098765',
      bytes: '313730393931323334353637386e756c6c<merchantToken>3130323535313130302e303030303938373635',
      digest: signature('refund', { amount: '100.00' }).slice(67)
    },
    signature: signature('refund', { amount: '100.00' }),
    warnings: []
  })
  t.notMatch(JSON.stringify(explanation), token)
})

t.test('without a token part 2 has no digest', async t => {
  const { part1, part2, signature: whole } = explain(requests.purchase, { variant: 'A' })
  t.equal(part1.digest, signature('purchase').slice(0, 64))
  t.same([part2.digest, whole], [undefined, undefined])
})

t.test('the token of the request is masked too', async t => {
  const explanation = explain({ ...requests.purchase, merchantToken: 'its own token' }, { variant: 'A' })
  t.notMatch(JSON.stringify(explanation), 'its own token')
  t.equal(explanation.terms.find(({ name }) => name === 'merchantToken')?.source, 'merchantToken of the request')
  t.equal(explanation.part2.digest, signature('purchase', { token: 'its own token' }).slice(67))
})

t.test('where terms come from', async t => {
  t.match(sourcesOf({ ...requests.purchase, amount: 'null', orderId: null }), {
    amount: ['', 'nothing: amount has the text null, which counts as empty'],
    referenceNumber: ['', 'nothing: a purchase has no reference'],
    orderIdOrNull: ['null', 'the text null: orderId is null']
  })
  t.match(sourcesOf({ ...requests.void, amount: '5.00', transactionFCRN: '' }), {
    amount: ['', 'nothing: a void does not use the amount'],
    referenceNumber: ['', 'nothing: transactionFCRN is empty']
  })
  t.match(sourcesOf(requests.inquiry), {
    amount: ['', 'nothing: an inquiry does not use the amount'],
    referenceNumber: ['Order-12', 'transactionId'],
    orderIdOrNull: ['Order-12', 'transactionId, since idType is ORDER_ID']
  })
  t.match(sourcesOf({ ...requests.inquiry, idType: 'FCRN' }).orderIdOrNull, ['null', 'the text null: idType is not ORDER_ID'])
  t.match(sourcesOf({ ...requests.inquiry, transactionId: '' }).orderIdOrNull, ['null', 'the text null: there is no transactionId'])
  t.match(sourcesOf({ ...requests.purchase, merchantAccountNumber: '', accountNumber: '7' }).accountNumber, ['7', 'accountNumber'])
})

t.test('variant B', async t => {
  const sources = sourcesOf(requests.purchase, 'B')
  t.same(Object.keys(sources), ['clientTimeStamp', 'sid', 'amount', 'referenceNumber', 'merchantToken', 'accountNumber'])
  t.same(sources.referenceNumber, ['Order-12', 'orderId'])
  t.equal(explain(requests.purchase, { variant: 'B' }).operation, undefined)
})

t.test('what cannot be signed cannot be explained', async t => {
  t.throws(() => explain({ ...requests.purchase, amount: '0' }, { variant: 'A' }), { code: 'ERR_AMOUNT_NOT_POSITIVE' })
  t.throws(() => explain({ ...requests.purchase, sid: 'x' }, { variant: 'B' }), { code: 'ERR_SID_INVALID' })
  t.throws(() => explain([] as never, { variant: 'B' }), { code: 'ERR_REQUEST' })
  t.throws(() => explain(requests.purchase, { variant: 'B', merchantToken: '' }), { code: 'ERR_MERCHANT_TOKEN' })
})

t.test('the bytes are those that are hashed, also where two terms make one character', async t => {
  const { part1 } = explain({ ...requests.purchase, sid: 's\ud83d', amount: '\ude00' }, { variant: 'A' })
  t.equal(part1.bytes, '3137303939313233343536373873f09f9880')
})

t.test('warnings', async t => {
  const { purchase, refund, inquiry } = requests
  const someSid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'

  for (const [what, request, expected] of [
    ['nothing', purchase, []],
    ['an amount that is a number', { ...refund, amount: 100.5 }, ['not-a-string amount', 'amount-format amount']],
    ['an amount of one decimal', { ...refund, amount: '100.5' }, ['amount-format amount']],
    ['an amount with a sign', { ...refund, amount: '+100.50' }, ['amount-format amount']],
    ['an amount without a zero before the point', { ...refund, amount: '.50' }, ['amount-format amount']],
    ['an amount of three decimals', { ...refund, amount: '100.500' }, ['amount-format amount']],
    ['a time stamp with a sign', { ...purchase, clientTimeStamp: '-1709912345678' }, ['timestamp-not-milliseconds clientTimeStamp']],
    ['an inquiry without an id', { ...inquiry, transactionId: '', orderId: '' }, []],
    ['no amount', { ...purchase, amount: null }, ['amount-missing amount']],
    ['no amount in a refund', { ...refund, amount: '' }, ['amount-missing amount']],
    ['no amount in a void', { ...refund, operationType: 'void', amount: undefined }, []],
    ['an amount with the text null', { ...purchase, amount: 'null' }, ['text-counts-as-empty amount']],
    ['seconds', { ...purchase, clientTimeStamp: 1709912345 }, ['timestamp-not-milliseconds clientTimeStamp']],
    ['a time stamp as text', { ...purchase, clientTimeStamp: '1709912345678' }, []],
    ['a fraction of a millisecond', { ...purchase, clientTimeStamp: 1709912345678.5 }, [
      'not-a-string clientTimeStamp', 'timestamp-not-milliseconds clientTimeStamp'
    ]],
    ['an unknown operation', { ...purchase, operationType: 'refnd' }, ['operation-unknown operationType']],
    ['an operation in another case', { ...purchase, operationType: 'PURCHASE' }, []],
    ['an FCRN in a purchase', { ...purchase, transactionFCRN: '1' }, ['field-not-used transactionFCRN']],
    ['an amount in an inquiry', { ...inquiry, amount: '1', orderId: '' }, ['field-not-used amount']],
    ['an inquiry by another id', { ...inquiry, idType: 'FCRN', orderId: undefined }, ['id-type-unknown idType']],
    ['the text null', { ...purchase, orderId: 'null' }, ['text-counts-as-empty orderId']],
    ['white space', { ...purchase, orderId: 'a\n' }, ['white-space orderId']],
    ['a zero-width space', { ...purchase, orderId: 'a\u200bb' }, ['invisible-character orderId']],
    ['decomposed', { ...purchase, orderId: 'e\u0301' }, ['not-normalized orderId']],
    ['half of a pair', { ...purchase, orderId: 'a\ud800' }, ['lone-surrogate orderId']],
    ['an array', { ...purchase, orderId: ['a'] }, ['not-a-string orderId']],
    ['an object', { ...purchase, orderId: {} }, ['not-a-string orderId']],
    ['two account numbers', { ...purchase, accountNumber: '1' }, ['two-account-numbers accountNumber']],
    ['a key in another case', { ...purchase, AMOUNT: '1.00' }, ['key-case amount']],
    ['a token', { ...purchase, merchantToken: 'mine' }, ['token-in-request merchantToken']]
  ] as const) {
    t.test(what, async t => {
      const warnings = warningsOf(readerOf('A').read(request as SignatureRequest))
      t.same(warnings.map(({ code, field }) => `${code} ${field}`), expected)
      for (const { message } of warnings) t.match(message, /\.$/)
      t.notMatch(JSON.stringify(warnings), 'mine')
    })
  }

  t.test('word for word', async t => {
    for (const [change, message] of [
      [{ orderId: 7 }, 'orderId was a number, and the text that JavaScript makes of it is hashed. Send a string.'],
      [{ orderId: ['a'] }, 'orderId was an array, and the text that JavaScript makes of it is hashed. Send a string.'],
      [{ amount: 100 }, 'amount was a number, and the text that JavaScript makes of it is hashed: 100.00 becomes 100. Send a string.'],
      [{ orderId: 'null' }, 'orderId has the text null, which counts as empty.'],
      [{ operationType: 'refnd' }, 'operationType is not purchase, refund, void or inquiry, so this is signed as a purchase.'],
      [{ transactionFCRN: '1' }, 'transactionFCRN is given, but a purchase does not use it.'],
      [{ ...refund, transactionId: '1' }, 'transactionId is given, but a refund does not use it.'],
      [{ accountNumber: '1' }, 'merchantAccountNumber and accountNumber are both given; merchantAccountNumber is used.'],
      [{ merchantToken: 'mine' }, 'The request brings a token of its own, which is used instead of the configured one.'],
      [{ AMOUNT: '1.00' }, 'The request has the key AMOUNT, which is not read: the field is amount.'],
      [{ orderId: 'a\ud800' }, 'orderId has half of a surrogate pair, which is hashed as U+FFFD.'],
      [{ orderId: 'a ' }, 'orderId begins or ends with white space, which is hashed too.'],
      [{ orderId: 'a\u200bb\u00adc' }, 'orderId has an invisible or unusual character inside, U+200B, which is hashed too.'],
      [{ orderId: 'e\u0301' }, "orderId is not in Unicode's composed form (NFC): what looks the same elsewhere may be other bytes."],
      [{ amount: '' }, 'amount is absent or empty, and a purchase is signed without one.'],
      [{ amount: '1' }, 'amount is not digits, a point and two decimals, as in 100.00.'],
      [{ clientTimeStamp: 1 }, 'clientTimeStamp is not 13 digits, as epoch milliseconds are: 10 would be seconds, 16 microseconds.'],
      [{ ...inquiry, amount: '', orderId: '', idType: 'FCRN' }, 'idType is not ORDER_ID, so transactionId is not used as the order id.']
    ] as const) {
      const [warning] = warningsOf(readerOf('A').read({ ...purchase, ...change, sid: someSid } as SignatureRequest))
      t.equal(warning?.message, message)
    }
    const [warning] = warningsOf(readerOf('B').read({ ...purchase, transactionFCRN: '1', sid: someSid } as SignatureRequest))
    t.equal(warning?.message, 'transactionFCRN is given, but variant B does not use it.')
  })

  t.test('of every text that is signed', async t => {
    for (const [request, field] of [
      [purchase, 'sid'], [purchase, 'clientTimeStamp'], [purchase, 'merchantAccountNumber'], [purchase, 'merchantToken'],
      [purchase, 'amount'], [purchase, 'orderId'], [refund, 'transactionFCRN'], [inquiry, 'transactionId'], [inquiry, 'idType'],
      [{ ...purchase, merchantAccountNumber: '' }, 'accountNumber']
    ] as const) {
      const warnings = warningsOf(readerOf('A').read({ ...request, [field]: '1 ' } as SignatureRequest))
      t.same(warnings.filter(({ code }) => code === 'white-space').map(({ field }) => field), [field])
    }
    t.ok(warningsOf(readerOf('B').read({ ...purchase, sid: someSid, orderId: '1 ' } as SignatureRequest))
      .some(({ code, field }) => code === 'white-space' && field === 'orderId'))
  })

  t.test('variant B', async t => {
    const codes = (request: object) => warningsOf(readerOf('B').read({ ...request, sid: someSid } as never)).map(({ code, field }) => `${code} ${field}`)
    t.same(codes({ ...purchase, orderId: 'null' }), [])
    t.same(codes({ ...purchase, amount: undefined }), ['amount-missing amount'])
    t.same(codes({ ...purchase, amount: 'undefined' }), ['text-counts-as-empty amount'])
    t.same(codes({ ...purchase, operationType: 'void', transactionFCRN: '1' }), ['field-not-used transactionFCRN'])
  })
})
