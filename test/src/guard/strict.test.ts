import fc from 'fast-check'
import t from 'tap'
import { strictGrammar, strictTokenFault } from '../../../src/guard/strict.js'
import type { Operation } from '../../../src/scheme/operation.js'
import { operationOf, operations } from '../../../src/scheme/operation.js'
import { preImagesOf } from '../../../src/scheme/pre-images.js'
import { readLoosely } from '../../../src/scheme/reading.js'
import type { SignatureRequest, Variant } from '../../../src/scheme/request.js'
import { VariantA } from '../../../src/scheme/signer.js'
import { toOptional } from '../../../src/scheme/text.js'

/** What is wrong with a request, whatever the scheme itself refuses. */
function strictly (variant: Variant, digits: number) {
  const faultIn = strictGrammar(digits, 86_400_000)
  return (request: SignatureRequest) => faultIn(readLoosely(variant, request)!, 1709912345678)
}

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const common = { merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }

const accepted: Array<[what: string, variant: 'A' | 'B', request: SignatureRequest]> = [
  ['a purchase', 'A', { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }],
  ['a purchase without an order id', 'A', { ...common, operationType: 'Purchase', amount: '0.01', orderId: '' }],
  ['a purchase that does not say so', 'A', { ...common, amount: '999999999999.99' }],
  ['a refund', 'A', { ...common, operationType: 'REFUND', amount: '1.00', transactionFCRN: '987654', orderId: 'INV.2024-1' }],
  ['a refund without an order id', 'A', { ...common, operationType: 'refund', amount: '1.00', transactionFCRN: '9' }],
  ['an order id that only begins like null', 'A', { ...common, amount: '1.00', orderId: 'nullable-1' }],
  ['an order id that only ends like undefined', 'A', { ...common, amount: '1.00', orderId: 'x-undefined' }],
  ['a void', 'A', { ...common, operationType: 'void', transactionFCRN: '987654', amount: null, orderId: 'A_1' }],
  ['an inquiry', 'A', { ...common, operationType: 'inquiry', transactionId: 'ORDER-12345', idType: 'order_id' }],
  ['accountNumber', 'A', { ...common, merchantAccountNumber: '', accountNumber: '102551', amount: '1.00' }],
  ['a time stamp of a day ahead', 'A', { ...common, clientTimeStamp: 1709998745678, amount: '1.00' }],
  ['a time stamp of the past', 'A', { ...common, clientTimeStamp: 1000000000000, amount: '1.00' }],
  ['a time stamp as text', 'A', { ...common, clientTimeStamp: '1709912345678', amount: '1.00' }],
  ['variant B', 'B', { ...common, amount: '100.00', orderId: 'ORDER-12345' }],
  ['variant B without an order id', 'B', { ...common, amount: '100.00', merchantToken: null, transactionFCRN: '' }]
]

for (const [what, variant, request] of accepted) {
  t.test(`${what} is accepted`, async t => {
    t.equal(strictly(variant, 6)(request), undefined)
  })
}

const purchase = { ...common, amount: '100.00' }
const anAmount = 'amount must be 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'
const anOrderId = 'orderId must be 1 to 64 ASCII letters, digits, points, - and _, with a letter, - or _ among them; not null or undefined'
const notUsed = 'must be left out: a purchase does not use it'

const refused: Array<[request: SignatureRequest, fault: string]> = [
  [{ ...purchase, amount: '100' }, anAmount],
  [{ ...purchase, amount: '100.0' }, anAmount],
  [{ ...purchase, amount: '1234567890123.00' }, anAmount],
  [{ ...purchase, amount: '1,000.00' }, `${anAmount}; it has U+002C at position 2`],
  [{ ...purchase, amount: '100.00 ' }, `${anAmount}; it has U+0020 at position 7`],
  [{ ...purchase, amount: '100.00\n' }, `${anAmount}; it has U+000A at position 7`],
  [{ ...purchase, amount: '١٠٠.00' }, `${anAmount}; it has U+0661 at position 1`],
  [{ ...purchase, amount: '１00.00' }, `${anAmount}; it has U+FF11 at position 1`],
  [{ ...purchase, amount: '1\u00a0000.00' }, `${anAmount}; it has U+00A0 at position 2`],
  [{ ...purchase, amount: '𝟏00.00' }, `${anAmount}; it has U+1D7CF at position 1`],
  [{ ...purchase, amount: '1.00-' }, `${anAmount}; it has U+002D at position 5`],
  [{ ...purchase, amount: 100 }, 'amount must be a string: 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'],
  [{ ...purchase, amount: ['1.00'] }, 'amount must be a string: 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'],
  [{ ...common }, 'amount is required for a purchase'],
  [{ ...purchase, operationType: 'sale' }, 'operationType must be purchase, refund, void or inquiry'],
  [{ ...purchase, operationType: 'SALE' }, 'operationType must be purchase, refund, void or inquiry'],
  [{ ...purchase, operationType: ' refund' }, 'operationType must be purchase, refund, void or inquiry; it has U+0020 at position 1'],
  [{ ...purchase, operationType: ['refund'] }, 'operationType must be a string: purchase, refund, void or inquiry'],
  [{ ...purchase, orderId: '12345' }, anOrderId],
  [{ ...purchase, orderId: 'null' }, anOrderId],
  [{ ...purchase, orderId: 'undefined' }, anOrderId],
  [{ ...purchase, orderId: 'x'.repeat(65) }, anOrderId],
  [{ ...purchase, orderId: '100.00' }, anOrderId],
  [{ ...purchase, orderId: 'A/1' }, `${anOrderId}; it has U+002F at position 2`],
  [{ ...purchase, orderId: 'order\u200b1' }, `${anOrderId}; it has U+200B at position 6`],
  [{ ...purchase, orderId: 'a\ud800' }, `${anOrderId}; it has U+D800 at position 2`],
  [{ ...purchase, merchantAccountNumber: '10255' }, 'merchantAccountNumber must be 6 ASCII digits'],
  [{ ...purchase, merchantAccountNumber: '10255x' }, 'merchantAccountNumber must be 6 ASCII digits; it has U+0078 at position 6'],
  [{ ...purchase, merchantAccountNumber: 102551 }, 'merchantAccountNumber must be a string: 6 ASCII digits'],
  [{ ...purchase, accountNumber: '102551' }, 'accountNumber must be left out when merchantAccountNumber is given'],
  [{ ...purchase, merchantAccountNumber: 0, accountNumber: '102551' },
    'merchantAccountNumber must be a string: 6 ASCII digits'],
  [{ ...purchase, sid: 'client-generated-session-id' }, 'sid must be a UUID version 4; it has U+006C at position 2'],
  [{ ...purchase, sid: `${sid} ` }, 'sid must be a UUID version 4; it has U+0020 at position 37'],
  [{ ...purchase, clientTimeStamp: 1709912345 }, 'clientTimeStamp must be 13 digits, epoch milliseconds'],
  [{ ...purchase, clientTimeStamp: 1709912345678.5 },
    'clientTimeStamp must be 13 digits, epoch milliseconds; it has U+002E at position 14'],
  [{ ...purchase, clientTimeStamp: '' }, 'clientTimeStamp is required for a purchase'],
  [{ ...purchase, clientTimeStamp: [1709912345678] }, 'clientTimeStamp must be a string: 13 digits, epoch milliseconds'],
  [{ ...purchase, clientTimeStamp: 1709998745679 },
    'clientTimeStamp 1709998745679 is 86400001 ms ahead of the service\'s clock; it may be at most 86400000 ms ahead'],
  [{ ...purchase, clientTimeStamp: '9999999999999' },
    'clientTimeStamp 9999999999999 is 8290087654321 ms ahead of the service\'s clock; it may be at most 86400000 ms ahead'],
  [{ ...purchase, merchantToken: 'mine' }, 'merchantToken must be left out: only the configured token signs'],
  [{ ...purchase, transactionFCRN: '1' }, `transactionFCRN ${notUsed}`],
  [{ ...purchase, transactionId: 'A' }, `transactionId ${notUsed}`],
  [{ ...purchase, idType: 'ORDER_ID' }, `idType ${notUsed}`],
  [{ ...common, operationType: 'void', transactionFCRN: '1', amount: '1.00' }, 'amount must be left out: a void does not use it'],
  [{ ...common, operationType: 'void' }, 'transactionFCRN is required for a void'],
  [{ ...purchase, operationType: 'refund' }, 'transactionFCRN is required for a refund'],
  [{ ...purchase, operationType: 'refund', transactionFCRN: 'A1' },
    'transactionFCRN must be 1 to 32 ASCII digits; it has U+0041 at position 1'],
  [{ ...common, operationType: 'inquiry', transactionId: 'A' }, 'idType is required for an inquiry'],
  [{ ...common, operationType: 'inquiry', transactionId: '987654', idType: 'ORDER_ID' },
    anOrderId.replace('orderId', 'transactionId')],
  [{ ...common, operationType: 'inquiry', transactionId: 'A', idType: 'FCRN' },
    'idType must be ORDER_ID (an inquiry by any other id could be signed like a void)'],
  [{ ...common, operationType: 'inquiry', transactionId: 'A', idType: 'order_ıd' },
    'idType must be ORDER_ID (an inquiry by any other id could be signed like a void); it has U+0131 at position 7'],
  [{ ...common, operationType: 'inquiry', transactionId: 'A', idType: 'ORDER_ID', orderId: 'A' },
    'orderId must be left out: an inquiry does not use it'],
  [{ ...purchase, AMOUNT: '1.00' } as SignatureRequest, 'AMOUNT must be left out: the field is amount'],
  [{ ...purchase, ſid: 'x' } as SignatureRequest, 'ſid must be left out: the field is sid'],
  [{ ...purchase, OPERATIONTYPE: 'refund' } as SignatureRequest, 'OPERATIONTYPE must be left out: the field is operationType'],
  [{ ...purchase, amount: 'null' }, `${anAmount}; it has U+006E at position 1`],
  [{ ...purchase, operationType: 'null' }, 'operationType must be purchase, refund, void or inquiry']
]

for (const [request, fault] of refused) {
  t.test(fault, async t => {
    t.equal(strictly('A', 6)(request), fault)
  })
}

t.test('variant B has no operation', async t => {
  const faultIn = strictly('B', 6)
  t.equal(faultIn({ ...purchase, operationType: 'purchase' }), 'operationType must be left out: variant B does not use it')
  t.equal(faultIn({ ...common, merchantToken: '' }), 'amount is required for variant B')
})

t.test('the length of an account number is configurable', async t => {
  t.equal(strictly('A', 10)({ ...purchase, merchantAccountNumber: '0000102551' }), undefined)
  t.equal(strictly('A', 10)(purchase), 'merchantAccountNumber must be 10 ASCII digits')
})

// The guarantee: among the requests that the grammar accepts, each part's pre-image belongs to one meaning only.

const digits = (minimum: number, maximum: number) =>
  fc.string({ unit: fc.constantFrom('0', '1'), minLength: minimum, maxLength: maximum })
const word = fc.string({ unit: fc.constantFrom('0', '1', 'a', '-', '.'), minLength: 1, maxLength: 5 })
const amount = fc.tuple(digits(1, 3), digits(2, 2)).map(([whole, cents]) => `${whole}.${cents}`)

/** Requests of all operations, some of which are accepted; few characters, so that texts overlap wherever they can. */
const anyRequest = fc.record({
  operationType: fc.constantFrom(...operations),
  amount,
  orderId: fc.option(word, { nil: undefined }),
  transactionFCRN: digits(1, 4),
  transactionId: word
}).map(({ operationType, amount, orderId, transactionFCRN, transactionId }): SignatureRequest => ({
  merchantAccountNumber: '10',
  sid,
  clientTimeStamp: 1709912345678,
  operationType,
  ...{
    purchase: { amount, orderId },
    refund: { amount, orderId, transactionFCRN },
    void: { orderId, transactionFCRN },
    inquiry: { transactionId, idType: 'ORDER_ID' }
  }[operationType]
}))

const variantBRequest = anyRequest.map(request => ({
  ...request, operationType: '', transactionFCRN: '', transactionId: '', idType: ''
}))

const faultsIn = { A: strictly('A', 2), B: strictly('B', 2) }

/** All that each part is to stand for, whatever the texts are. */
function meanings (variant: 'A' | 'B', request: SignatureRequest) {
  const operation = variant === 'A' ? operationOf(request.operationType) : 'B'
  const { clientTimeStamp, sid, amount, transactionFCRN, merchantAccountNumber } = request
  const reference = { inquiry: request.transactionId, B: request.orderId }[String(operation)] ?? transactionFCRN
  const order = operation === 'inquiry' ? request.transactionId : request.orderId
  const texts = (...values: unknown[]) => JSON.stringify(values.map(toOptional))
  return {
    part1: texts(operation, clientTimeStamp, sid, amount, reference),
    part2: texts(operation, clientTimeStamp, order, merchantAccountNumber, amount, reference)
  }
}

/** Every way to cut `text` into `count` pieces, empty ones included. */
function * cuts (text: string, count: number): Generator<string[]> {
  if (count === 1) {
    yield [text]
    return
  }
  for (let end = 0; end <= text.length; end++) {
    for (const rest of cuts(text.slice(end), count - 1)) yield [text.slice(0, end), ...rest]
  }
}

const requestOf = (
  operationType: Operation, clientTimeStamp: string, sid: string, merchantAccountNumber: string,
  orderId: string, amount: string, reference: string
): SignatureRequest => ({
  operationType,
  clientTimeStamp,
  sid,
  merchantAccountNumber,
  amount,
  ...(operationType === 'inquiry'
    ? { transactionId: reference, idType: 'ORDER_ID' }
    : { orderId, transactionFCRN: reference })
})

/** Every request of variant A, accepted or not, that has this pre-image of part 1. */
function * readingsOfPart1 (text: string): Generator<SignatureRequest> {
  for (const operationType of operations) {
    for (const [time = '', rest = ''] of [12, 13, 14].map(end => [text.slice(0, end), text.slice(end)])) {
      for (const [sid = '', after = ''] of [35, 36, 37].map(end => [rest.slice(0, end), rest.slice(end)])) {
        for (const [amount = '', reference = ''] of cuts(after, 2)) {
          yield requestOf(operationType, time, sid, '10', '', amount, reference)
        }
      }
    }
  }
}

/** Every request of variant A, accepted or not, that has this pre-image of part 2 under this token. */
function * readingsOfPart2 (text: string, token: string): Generator<SignatureRequest> {
  for (const end of [12, 13, 14]) {
    const clientTimeStamp = text.slice(0, end)
    for (let at = text.indexOf(token, end); at !== -1; at = text.indexOf(token, at + 1)) {
      const order = text.slice(end, at)
      for (const [account = '', amount = '', reference = ''] of cuts(text.slice(at + token.length), 3)) {
        for (const operationType of operations) {
          yield requestOf(operationType, clientTimeStamp, sid, account, order, amount, reference)
          if (order === 'null') yield requestOf(operationType, clientTimeStamp, sid, account, '', amount, reference)
        }
      }
    }
  }
}

const token = fc.string({ unit: fc.constantFrom('0', '1', 'a', '-', '.'), minLength: 1, maxLength: 9 })
  .filter(text => strictTokenFault(text) === undefined) // such a token is refused at the start

/** Whether the request spells out one whole period of the token; then its sender knows the token anyway. */
function spellsOut (token: string, request: SignatureRequest): boolean {
  const { merchantAccountNumber, amount, transactionFCRN, transactionId } = request
  let period = 1
  while (!token.startsWith(token.slice(period))) period++
  const after = [merchantAccountNumber, amount, transactionFCRN, transactionId].map(toOptional).join('')
  return after.includes(token.slice(-period))
}

const runs = { numRuns: 2000 }

const preImages = (variant: Variant, request: SignatureRequest, token: string) =>
  preImagesOf(readLoosely(variant, request)!, token)

t.test('variant A, part 1: every other accepted reading of a pre-image means the same', async () => {
  fc.assert(fc.property(anyRequest, request => {
    fc.pre(faultsIn.A(request) === undefined)
    const { part1 } = preImages('A', request, 't')
    for (const reading of readingsOfPart1(part1)) {
      if (faultsIn.A(reading) !== undefined) continue
      if (preImages('A', reading, 't').part1 !== part1) continue
      if (meanings('A', reading).part1 !== meanings('A', request).part1) return false
    }
    return true
  }), runs)
})

t.test('variant A, part 2: every other accepted reading of a pre-image means the same', async () => {
  fc.assert(fc.property(anyRequest, token, (request, token) => {
    fc.pre(faultsIn.A(request) === undefined)
    const { part2 } = preImages('A', request, token)
    for (const reading of readingsOfPart2(part2, token)) {
      if (faultsIn.A(reading) !== undefined || spellsOut(token, reading) || spellsOut(token, request)) continue
      if (preImages('A', reading, token).part2 !== part2) continue
      if (meanings('A', reading).part2 !== meanings('A', request).part2) return false
    }
    return true
  }), runs)
})

for (const [variant, requests] of [['A', anyRequest], ['B', variantBRequest]] as const) {
  t.test(`variant ${variant}: requests of different meaning have different pre-images`, async t => {
    const seen = { part1: new Map<string, string>(), part2: new Map<string, string>() }
    fc.assert(fc.property(requests, request => {
      fc.pre(faultsIn[variant](request) === undefined)
      const both = preImages(variant, request, 'token')
      const meaning = meanings(variant, request)
      return (['part1', 'part2'] as const).every(part => {
        const known = seen[part].get(both[part])
        seen[part].set(both[part], meaning[part])
        return known === undefined || known === meaning[part]
      })
    }), { numRuns: 20_000 })
    t.ok(seen.part1.size > 100 && seen.part2.size > 100, 'many were accepted')
  })
}

t.test('without the grammar it is not so: an inquiry and a refund have the same signature', async t => {
  const signer = new VariantA('token')
  const inquiry = { ...common, operationType: 'inquiry', idType: 'FCRN', transactionId: '100.00987654' }
  const refund = { ...common, operationType: 'refund', amount: '100.00', transactionFCRN: '987654' }
  t.equal(signer.sign(inquiry), signer.sign(refund))
  t.equal(strictly('A', 6)(refund), undefined)
  t.not(strictly('A', 6)(inquiry), undefined)
})
