import t from 'tap'
import { irregularitiesOf, type Irregularity } from '../../../../src/guards/strict/irregularities.js'
import type { PolicyCaller } from '../../../../src/guards/policy/policy-schema.js'
import { policyRefusalOf } from '../../../../src/guards/policy/policy.js'
import { alsoSignedLike } from '../../../../src/scheme/same-signature.js'
import { strictRule } from '../../../../src/guards/strict/strict.js'
import { overlap } from '../../../../src/merchants/many/merchants-file.js'
import { tokenFaults } from '../../../../src/merchants/token-rules.js'
import type { Operation, Reading, SignatureRequest } from '../../../../src/scheme/request.js'
import { VariantA } from '../../../../src/scheme/variant-a.js'
import { preImagesOf } from '../../../../src/scheme/signer.js'
import { rulesOf, type Variant } from '../../../../src/scheme/variants.js'
import { readLoosely } from '../../../../tools/diagnosis/context.js'

/** Returns the strict fault of a request, without the refusals of the scheme. */
function strictly (variant: Variant, digits: number) {
  const faultIn = strictRule(digits, true)
  return (request: SignatureRequest) => {
    const reading = readLoosely(variant, request)!
    return faultIn(reading, irregularitiesOf(request, reading), 1709912345678)?.message
  }
}

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const correlationId = '0f8fad5b-d9cb-169f-2165-70867728950e'
const common = { merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }

/** Returns an inquiry by an id. */
const inquiry = (transactionId: unknown, idType: unknown) => ({ ...common, operationType: 'inquiry', transactionId, idType })

const purchase = { ...common, amount: '100.00' }

const accepted: Array<[what: string, variant: 'A' | 'B', request: SignatureRequest]> = [
  ['a refund', 'A', { ...common, operationType: 'REFUND', amount: '1.00', transactionFCRN: '987654', orderId: 'INV.2024-1' }],
  ['unknown fields', 'A', { ...purchase, amountInCents: 1, order_id: 2, '': 3, merchantAccountNumberAndMore: 4 } as SignatureRequest],
  ['a void', 'A', { ...common, operationType: 'void', transactionFCRN: '987654', amount: null, orderId: 'A_1' }],
  ['an order id like an amount', 'A', { ...common, amount: '1.00', orderId: '100.00' }],
  ['an inquiry by order id', 'A', inquiry('ORDER-12345', 'order_id')],
  ['an inquiry by an order id with a point', 'A', inquiry('100.00-1', 'ORDER_ID')],
  ['an inquiry by FCRN', 'A', inquiry('987654', 'fcrn')],
  ['an inquiry by correlation id', 'A', inquiry(correlationId, 'CORRUID')],
  ['an inquiry by correlation id, as the Android library names it', 'A', inquiry(correlationId, 'correlation_uid')],
  ['an inquiry without an id', 'A', { ...common, operationType: 'inquiry' }],
  ['a clear cache', 'A', { ...common, operationType: 'clearCache' }],
  ['a clear cache with empty fields', 'A', { ...common, operationType: 'CLEARCACHE', amount: '', orderId: null, transactionFCRN: '', transactionId: null, idType: '' }],
  ['accountNumber', 'A', { ...common, merchantAccountNumber: '', accountNumber: '102551', amount: '1.00' }],
  ['a time stamp of a day ahead', 'A', { ...common, clientTimeStamp: 1709998745678, amount: '1.00' }],
  ['variant B without an order id', 'B', { ...common, amount: '100.00', merchantToken: null, transactionFCRN: '' }]
]

t.test('requests that are accepted', async t => {
  for (const [what, variant, request] of accepted) t.equal(strictly(variant, 6)(request), undefined, what)
})

const anAmount = 'amount must be 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'
const anOrderId = 'orderId must be 1 to 64 ASCII letters, digits, points, - and _; not null or undefined'
const aTransactionId = 'transactionId must be 1 to 64 ASCII letters, digits, points, - and _; not null or undefined; and no digits ' +
  'with a point alone, which would be signed like a purchase or a refund'
const aCorrelationId = 'transactionId must be a UUID: 8-4-4-4-12 hexadecimal digits'
const anIdType = 'idType must be ORDER_ID, FCRN, CORRUID or CORRELATION_UID (by another type, the signature could be that of a purchase, a refund or a void)'
const aSid = 'sid must be 1 to 256 printable ASCII characters'

const refused: Array<[request: SignatureRequest, fault: string]> = [
  [{ ...purchase, amount: '100' }, anAmount],
  [{ ...purchase, amount: '1234567890123.00' }, anAmount],
  [{ ...purchase, amount: '100.00\n' }, `${anAmount}; it has U+000A at position 7`],
  [{ ...purchase, amount: '１00.00' }, `${anAmount}; it has U+FF11 at position 1`],
  [{ ...purchase, amount: 100 }, 'amount must be a string: 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'],
  [{ ...common }, 'amount is required for a purchase; for clear cache, send operationType clearCache'],
  [{ ...common, orderId: 'A-1' }, 'amount is required for a purchase'],
  ...[{ amount: '1.00' }, { orderId: 'A-1' }, { transactionFCRN: '1' }, { transactionId: 'A-1' }, { idType: 'FCRN' }].map((field): [SignatureRequest, string] =>
    [{ ...common, operationType: 'ClearCache', ...field }, 'operationType must come without amount, orderId, transactionFCRN, transactionId and idType if it is clearCache']),
  [{ ...purchase, operationType: 'clear-cache' }, 'operationType must be purchase, refund, void, inquiry or clearCache; it has U+002D at position 6'],
  [{ ...purchase, operationType: ' refund' }, 'operationType must be purchase, refund, void, inquiry or clearCache; it has U+0020 at position 1'],
  [{ ...purchase, orderId: 'null' }, anOrderId],
  [{ ...purchase, orderId: 'A/1' }, `${anOrderId}; it has U+002F at position 2`],
  ...['10255', '1025511'].map((merchantAccountNumber): [SignatureRequest, string] =>
    [{ ...purchase, merchantAccountNumber }, 'merchantAccountNumber must be 6 ASCII digits']),
  [{ ...purchase, merchantAccountNumber: 102551 }, 'merchantAccountNumber must be a string: 6 ASCII digits'],
  [{ ...purchase, accountNumber: '102551' }, 'accountNumber must be left out when merchantAccountNumber is given'],
  [{ ...purchase, merchantAccountNumber: 0, accountNumber: '102551' }, 'merchantAccountNumber must be a string: 6 ASCII digits'],
  [{ ...purchase, sid: 'x'.repeat(257) }, aSid],
  [{ ...purchase, sid: 'session\u200b1' }, `${aSid}; it has U+200B at position 8`],
  [{ ...purchase, clientTimeStamp: '' }, 'clientTimeStamp is required for a purchase'],
  [{ ...purchase, clientTimeStamp: [1709912345678] }, 'clientTimeStamp must be a string: 13 digits, epoch milliseconds'],
  [{ ...purchase, clientTimeStamp: 1709998745679 },
    'clientTimeStamp 1709998745679 is 86400001 ms ahead of the service\'s clock; it may be at most 86400000 ms ahead'],
  [{ ...purchase, merchantToken: 'mine' }, 'merchantToken must be left out: only the configured token signs'],
  [{ ...common, operationType: 'void', transactionFCRN: '1', amount: '1.00' }, 'amount must be left out: a void does not use it'],
  [{ ...purchase, operationType: 'refund' }, 'transactionFCRN is required for a refund'],
  [{ ...common, operationType: 'inquiry', transactionId: 'A' }, 'idType is required for an inquiry with a transactionId'],
  ...['RRN', 'ORDER_IDS', 'XFCRN'].map((idType): [SignatureRequest, string] => [inquiry('', idType), anIdType]),
  [{ ...common, operationType: 'inquiry', transactionId: 'null' }, aTransactionId],
  ...[correlationId.replaceAll('-', ''), `${correlationId}0`, correlationId.slice(1)].map((transactionId): [SignatureRequest, string] =>
    [inquiry(transactionId, 'CORRUID'), aCorrelationId]),
  [inquiry('A-1', 'correlation_uid'), aCorrelationId],
  [inquiry('100.00', 'ORDER_ID'), aTransactionId],
  [inquiry('100.00987654', 'FCRN'), 'transactionId must be 1 to 32 ASCII digits; it has U+002E at position 4'],
  [inquiry('A', 'order_ıd'), `${anIdType}; it has U+0131 at position 7`],
  [{ ...purchase, AMOUNT: '1.00' } as SignatureRequest, 'AMOUNT must be left out: the field is amount'],
  // 14 characters: the ligature of s and t is one.
  [{ ...purchase, clientTimeﬆamp: 1 } as SignatureRequest, 'clientTimeﬆamp must be left out: the field is clientTimeStamp']
]

t.test('requests that are refused', async t => {
  for (const [request, fault] of refused) t.equal(strictly('A', 6)(request), fault)
})

t.test('variant B has no operation', async t => {
  const faultIn = strictly('B', 6)
  t.equal(faultIn({ ...purchase, operationType: 'purchase' }), 'operationType must be left out: variant B does not use it')
  t.equal(faultIn({ ...common, merchantToken: '' }), 'amount is required for variant B')
})

t.test('an inquiry by digits only is signed like a void, and other inquiries are not', async t => {
  const signer = new VariantA('token')
  const sign = (request: SignatureRequest) => signer.sign(signer.read(request))
  const ofVoid = (orderId?: string) => sign({ ...common, operationType: 'void', transactionFCRN: '987654', orderId })
  t.equal(sign(inquiry('987654', 'FCRN')), ofVoid())
  t.equal(sign(inquiry('987654', 'ORDER_ID')), ofVoid('987654'))
  const also = (request: SignatureRequest, variant: Variant = 'A') => alsoSignedLike(readLoosely(variant, request)!)
  for (const idType of ['FCRN', 'ORDER_ID']) t.equal(also(inquiry('987654', idType)), 'void')
  for (const id of ['987654a', '98.7654', correlationId]) t.equal(also(inquiry(id, 'ORDER_ID')), undefined)
  t.equal(also({ ...common, operationType: 'void', transactionFCRN: '987654' }), undefined)
  t.equal(also({ ...common, amount: '1.00', orderId: '987654' }, 'B'), undefined)
})

t.test('a clear cache is signed like an inquiry without an id, and like a purchase without an amount', async t => {
  const signer = new VariantA('token')
  // printf '%s' '17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11' | sha256sum
  // printf '%s' '1709912345678nulltoken102551' | sha256sum
  const signature = '073332f50642ae83005ce45ddd9187dd966fb0f7fcf621ae0b82d53858760ab1///5aa45b97b4fff5e9fdbdf8606df07dfea975c340bdf3f7758a46b6c4a4205b10'
  for (const request of [common, { ...common, operationType: 'clearCache' }, { ...common, operationType: 'inquiry' }]) {
    t.equal(signer.sign(signer.read(request)), signature)
  }
  const clearCache = { ...common, operationType: 'CLEARcache' }
  t.match([signer.read(common).operation, signer.read(clearCache).operation], ['purchase', 'clearCache'])
  t.equal(readLoosely('B', { ...clearCache })!.operation, 'purchase')
  t.equal(alsoSignedLike(signer.read(clearCache)), 'inquiry')
  t.equal(alsoSignedLike(signer.read(inquiry('', 'FCRN'))), 'clearCache')
  t.equal(alsoSignedLike(signer.read(common)), undefined, 'a purchase')
})

// The promise: no caller gets a signature that serves as a purchase, refund, void or inquiry without an id which the
// policy does not allow it.

/** True for a token that STRICT accepts. */
const isStrictToken = (token: string): boolean =>
  tokenFaults(token, { strict: true, production: false }).next().done === true

// Values that a payment side accepts: the assumptions of SECURITY.md without the length of an FCRN, and with account
// numbers of one digit. Order ids can be any text. Session ids are not in part 2.
const isAmount = /^\d+\.\d\d$/
const isFcrn = /^\d+$/
const isCorrelationId = (text: string): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)

/** An operation for which a signature is valid, with the fields that a policy checks, and the place of the token. */
type Served = Pick<Reading, 'operation' | 'accountNumber' | 'amount' | 'referenceNumber'> & { readonly tokenAt: number }

/**
 * Yields each operation that has a text as its pre-image of part 2, with the token at any place and the rest cut at any
 * place: purchases, refunds, voids, inquiries without an id, clear caches, and inquiries by CORRUID. Other inquiries
 * are left out: a void is allowed to serve as an inquiry by FCRN, and an order id may be any text.
 */
function * servedBy (variant: Variant, part2: string, token: string): Generator<Served> {
  for (let at = part2.indexOf(token, 13); at !== -1; at = part2.indexOf(token, at + 1)) {
    if (variant === 'B' && at > 13) return // it has no order term
    const [accountNumber = '', rest] = [part2[at + token.length], part2.slice(at + token.length + 1)]
    if (!/^\d$/.test(accountNumber)) continue
    for (let end = 0; end <= rest.length; end++) {
      const [amount, referenceNumber] = [rest.slice(0, end), rest.slice(end)]
      const served = (operation: Operation) => ({ operation, accountNumber, amount, referenceNumber, tokenAt: at })
      if (variant === 'B') {
        if (isAmount.test(amount)) yield served('purchase')
        continue
      }
      if (amount === '' && isFcrn.test(referenceNumber)) yield served('void')
      if (isAmount.test(amount) && isFcrn.test(referenceNumber)) yield served('refund')
      if (isAmount.test(amount) && referenceNumber === '') yield served('purchase')
      if (rest === '' || (amount === '' && isCorrelationId(rest))) yield served('inquiry')
      if (rest === '') yield served('clearCache')
    }
  }
}

/** True if a text contains a whole period of the token. Whoever chose the text knows the token and can sign. */
function spellsOut (token: string, text: string): boolean {
  let period = 1
  while (!token.startsWith(token.slice(period))) period++
  return text.includes(token.slice(-period))
}

/** Returns the strict fault of a reading with an account number of one digit. */
const strictFaultIn = strictRule(1, true)

/** A rule that is left out. */
interface Relaxed {
  /** Accepts some requests that STRICT refuses. */
  readonly accepts?: ((reading: Reading, irregularities: readonly Irregularity[]) => boolean) | undefined
  /** Returns a reading that the policy judges instead of the real one. */
  readonly judged?: (reading: Reading) => Reading
}

/** True if the service signs a request for a caller. */
function signs (caller: PolicyCaller, request: SignatureRequest, reading: Reading, relaxed: Relaxed = {}): boolean {
  const irregularities = irregularitiesOf(request, reading)
  const fault = strictFaultIn(reading, irregularities, 1709912345678)
  if (fault !== undefined && relaxed.accepts?.(reading, irregularities) !== true) return false
  return policyRefusalOf(caller, relaxed.judged?.(reading) ?? reading) === undefined
}

/**
 * Yields each operation that the policy does not allow the caller, although the signature of an allowed request serves
 * for that operation. The promise is that there are none.
 *
 * A token in the order id is an excuse for inquiries by CORRUID only: the other operations are safe whatever the order
 * id is.
 */
function * breachesBy (caller: PolicyCaller, reading: Reading, token: string): Generator<Served> {
  const { orderIdOrNull, accountNumber, amount, referenceNumber } = reading
  const variant = reading.variant as Variant
  if (spellsOut(token, accountNumber + amount + referenceNumber)) return
  for (const served of servedBy(variant, preImagesOf(rulesOf(variant), reading, token).part2, token)) {
    if (isCorrelationId(served.referenceNumber) && spellsOut(token, orderIdOrNull)) continue
    const isListing = served.operation === 'clearCache' || (served.operation === 'inquiry' && served.referenceNumber === '')
    const mayList = caller.operations.includes('inquiry-without-id')
    if (policyRefusalOf(caller, served as unknown as Reading) !== undefined || (isListing && !mayList)) yield served
  }
}

/** A merchant of a service that signs for several. */
interface Merchant {
  readonly variant: Variant
  readonly token: string
}

/**
 * True for two tokens that a file of merchants may have under STRICT, and of which none is inside the other or the text
 * `null` before it. Random tokens are such tokens.
 */
const fitTogether = (token: string, other: string): boolean =>
  !`null${token}`.includes(other) && !`null${other}`.includes(token) && !overlap([token, other])

/** Length of the text that two ranges share. */
const sharedLength = (start: number, end: number, otherStart: number, otherEnd: number): number =>
  Math.max(0, Math.min(end, otherEnd) - Math.max(start, otherStart))

/**
 * Yields each operation of another merchant for which the signature of a merchant's request is valid. The promise is
 * that there are none, for two tokens that {@link fitTogether}. An account belongs to one of the two merchants, so the
 * other's account is not that of the request.
 *
 * The only excuse is a request that contains a part of the other's token.
 */
function * servedByOther (reading: Reading, token: string, other: Merchant): Generator<Served> {
  const { part2 } = preImagesOf(rulesOf(reading.variant), reading, token)
  const { accountNumber } = reading
  const orderTerm = reading.variant === 'A' ? reading.orderIdOrNull : ''
  const start = 13 + orderTerm.length
  for (const served of servedBy(other.variant, part2, other.token)) {
    const [first, end] = [served.tokenAt, served.tokenAt + other.token.length]
    const notRequested = sharedLength(first, end, start, start + token.length) +
      (orderTerm === 'null' ? sharedLength(first, end, 13, start) : 0)
    if (served.accountNumber !== accountNumber && notRequested === other.token.length) yield served
  }
}

/** Returns the merchants whose token is given, one for each variant. */
const merchantsWith = (token: string): Merchant[] => (['A', 'B'] as const).map(variant => ({ variant, token }))

/** Returns every text of one to `maxLength` characters of an alphabet. */
function textsOver (alphabet: readonly string[], maxLength: number): string[] {
  const longest = Array.from({ length: maxLength - 1 }).reduce<string[][]>(levels =>
    [...levels, levels.at(-1)!.flatMap(text => alphabet.map(one => text + one))], [[...alphabet]])
  return longest.flat()
}

/** Returns the UUIDs in which each group repeats one of some characters. */
function correlationIdsOf (alphabet: readonly string[]): string[] {
  return [8, 4, 4, 4, 12].reduce<string[]>((starts, length, at) => starts.flatMap(start =>
    alphabet.map(one => `${start}${at === 0 ? '' : '-'}${one.repeat(length)}`)), [''])
}

interface Alphabets {
  readonly orderIds: readonly string[]
  readonly amounts: readonly string[]
  readonly transactionFCRNs: readonly string[]
  readonly transactionIds: readonly string[]
  readonly accountNumbers: readonly string[]
}

/** Returns every request that can be made of some texts, strict or not. */
function * requestsOf (variant: Variant, texts: Alphabets): Generator<SignatureRequest> {
  const { orderIds, amounts, transactionFCRNs, transactionIds, accountNumbers } = texts
  for (const merchantAccountNumber of accountNumbers) {
    const common = { merchantAccountNumber, sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }
    if (variant === 'A') yield { ...common, operationType: 'clearCache' }
    for (const orderId of ['', ...orderIds]) {
      for (const amount of amounts) yield { ...common, amount, orderId, ...variant === 'A' && { operationType: 'purchase' } }
      if (variant === 'B') continue
      for (const transactionFCRN of transactionFCRNs) {
        yield { ...common, operationType: 'void', orderId, transactionFCRN }
        for (const amount of amounts) yield { ...common, operationType: 'refund', orderId, amount, transactionFCRN }
      }
    }
    if (variant === 'B') continue
    for (const transactionId of transactionIds) {
      for (const idType of ['ORDER_ID', 'FCRN', 'CORRUID', 'RRN', '']) yield { ...common, operationType: 'inquiry', transactionId, idType }
    }
  }
}

/** Returns the callers whose rights are the least that a request needs. */
function callersFor ({ merchantAccountNumber, amount }: SignatureRequest): PolicyCaller[] {
  const limits = amount === undefined ? {} : { maximumAmount: String(amount) }
  const rights: Array<PolicyCaller['operations']> = [
    ['purchase'], ['refund'], ['void'], ['inquiry'], ['inquiry', 'void'], ['inquiry-without-id']
  ]
  return rights.map(operations =>
    ({ name: operations.join('+'), operations, accountNumbers: [String(merchantAccountNumber)], ...limits }))
}

/** A breach of the promise: the caller, the signed request, and the other operation that its signature serves for. */
interface Breach {
  readonly caller: string
  readonly request: SignatureRequest
  readonly token: string
  readonly served: Served
}

/** Returns every breach among some texts and tokens. */
function * breachesAmong (
  variant: Variant, texts: Alphabets, tokens: readonly string[], relaxed?: Relaxed
): Generator<Breach> {
  for (const request of requestsOf(variant, texts)) {
    const reading = readLoosely(variant, request) as Reading
    for (const caller of callersFor(request)) {
      if (!signs(caller, request, reading, relaxed)) continue
      for (const token of tokens) {
        for (const served of breachesBy(caller, reading, token)) {
          yield { caller: caller.name, request, token, served }
        }
      }
    }
  }
}

/** A breach between merchants: the request, the token that signs it, and what it serves for at the other. */
interface BreachBetween {
  readonly request: SignatureRequest
  readonly token: string
  readonly other: Merchant
  readonly served: Served
}

/** Returns every breach between two merchants, among some texts and pairs of tokens. */
function * breachesBetween (
  variant: Variant, texts: Alphabets, pairs: ReadonlyArray<readonly [token: string, other: string]>
): Generator<BreachBetween> {
  for (const request of requestsOf(variant, texts)) {
    const reading = readLoosely(variant, request) as Reading
    if (strictFaultIn(reading, irregularitiesOf(request, reading), 1709912345678) !== undefined) continue
    for (const [token, otherToken] of pairs) {
      for (const other of merchantsWith(otherToken)) {
        for (const served of servedByOther(reading, token, other)) yield { request, token, other, served }
      }
    }
  }
}

const correlationIds = correlationIdsOf(['0', 'a'])
/** Texts that are nearly UUIDs: a point, or no hyphens, or both. */
const nearlyCorrelationIds = ['-', ''].flatMap(hyphen => ['.', ''].map(point =>
  ['0'.repeat(8), '0000', '0000', '0000', `${'0'.repeat(10)}${point}00`].join(hyphen)))

const texts: Alphabets = {
  orderIds: [
    ...textsOver(['0', '1', '.', 'a'], 2), 'null', 'nul', '0.00', '1.00', '0.000', '00.00a', 'e5', '5a',
    // `null`, a token, an account number and most of a UUID: the token and digits of a void can complete the UUID.
    'nulla', 'nulla0', 'nulla000000000-0000-0000-0000-000000', correlationIds[0]!
  ],
  amounts: ['0.00', '00.00', '10.00', '0.0', '0', '0.000', ''],
  transactionFCRNs: ['0', '00', '000', '1000', '0.00', 'a', '', correlationIds[0]!],
  transactionIds: [
    '', ...correlationIds, ...nearlyCorrelationIds, ...textsOver(['0', '1', '.', 'a'], 3),
    '0.00', '0.000', '00.00', '0.00a', '0e00', '-0.00', '-0.000', '0_0.00', '0_0.000', '0.00-0', 'token0', '0a00a'
  ],
  accountNumbers: ['0']
}

const tokens = [
  ...textsOver(['0', '.', 'a'], 3), 'null', 'lnul', 'nullnull', '0null', '1a', 'a1', 'a0a0', 'a.0a.0', '0.00a', '-', 'a-', '0-0-', 'é0é',
  '\ud83d\ude00'
].filter(token => isStrictToken(token))

for (const variant of ['A', 'B'] as const) {
  t.test(`the promise, variant ${variant}: every request of a few texts, cut in every way`, async t => {
    t.strictSame([...breachesAmong(variant, texts, tokens)], [])
  })
}

t.test('two merchants: no signature of one serves for the other, if none is inside the other or inside null and the other', async t => {
  const few = { ...texts, orderIds: ['a', '0.00'], accountNumbers: ['0', '1'] }
  const pairs = tokens.flatMap(token => tokens.map(other => [token, other] as const))
    .concat([['a0.00ab', 'nulla'], ['b0.00', 'ab'], ['ab', 'b0.00']])
  const fitting = pairs.filter(pair => fitTogether(...pair))
  const others = pairs.filter(pair => !fitting.includes(pair))
  t.ok(fitting.length > 500)
  for (const variant of ['A', 'B'] as const) {
    t.strictSame([...breachesBetween(variant, few, fitting)], [])
    t.equal(breachesBetween(variant, few, others).next().done, false, 'without the rule there are breaches')
  }
  t.strictSame(fitting.filter(([token]) => token === 'a0.00ab'), [])
})

/** Removes one rule: a reading passes if it is strict after the given texts replace its own. */
const but = (change: (reading: Reading) => Partial<Reading>): Relaxed['accepts'] => (reading, irregularities) =>
  strictFaultIn({ ...reading, ...change(reading) }, irregularities, 1709912345678) === undefined
const digits = (text: string): string => text.replace('.', '')

const relaxations: Array<[rule: string, relaxed: Relaxed, tokens?: string[]]> = [
  ['inquiries by digits only', { judged: reading => alsoSignedLike(reading) ? { ...reading, referenceNumber: 'X' } : reading }],
  ['inquiries without an id for whoever may inquire', { judged: reading => ({ ...reading, referenceNumber: reading.referenceNumber || 'X' }) }],
  ['inquiries by CORRUID of any form', { accepts: but(({ idType }) => /^corruid$/i.test(idType) ? { referenceNumber: correlationIds[0]! } : {}) }],
  ['voids without an FCRN', { accepts: but(({ operation, referenceNumber }) => operation === 'void' && referenceNumber === '' ? { referenceNumber: '0' } : {}) }],
  ['purchases without an amount', { accepts: but(({ operation, amount }) => operation === 'purchase' && amount === '' ? { amount: '0.00' } : {}) }],
  ['inquiries by digits and a point', { accepts: but(reading => reading.operation === 'inquiry' ? { referenceNumber: digits(reading.referenceNumber) } : {}) }],
  ['amounts without decimals', { accepts: but(({ amount }) => /^\d+$/.test(amount) ? { amount: `${amount}.00` } : {}) }],
  ['amounts of three decimals', { accepts: but(({ amount }) => ({ amount: amount.replace(/^(\d+\.\d\d)\d$/, '$1') })) }],
  ['FCRNs with a point', { accepts: but(reading => reading.operation === 'void' ? { referenceNumber: digits(reading.referenceNumber) } : {}) }],
  ['account numbers of another length', { accepts: but(({ accountNumber }) => ({ accountNumber: accountNumber.slice(0, 1) })) }],
  ['tokens of digits and points', {}, ['0', '0.0', '0.', '.00']]
]

for (const [rule, relaxed, ownTokens = tokens] of relaxations) {
  t.test(`with ${rule} the promise is broken`, async t => {
    const breach = breachesAmong('A', { ...texts, accountNumbers: ['0', '00'] }, ownTokens, relaxed)
    t.equal(breach.next().done, false)
  })
}
