import { irregularitiesOf, type Irregularity } from '../../src/guards/irregularities.js'
import type { Caller } from '../../src/guards/policy-schema.js'
import { policyRefusalOf } from '../../src/guards/policy.js'
import { strictRule } from '../../src/guards/strict.js'
import { overlap } from '../../src/merchants/merchants-file.js'
import { tokenFaults } from '../../src/merchants/token-rules.js'
import type { Operation, Reading, SignatureRequest } from '../../src/scheme/request.js'
import { readerOf, type Variant } from '../../src/scheme/variants.js'
import { readLoosely } from '../../tools/diagnosis/context.js'

/** True for a token that STRICT accepts. */
export const isStrictToken = (token: string): boolean =>
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
      if (rest === '') yield served('clear-cache')
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
export const strictFaultIn = strictRule(1, true)

/** A rule that is left out. */
export interface Relaxed {
  /** Accepts some requests that STRICT refuses. */
  readonly accepts?: ((reading: Reading, irregularities: readonly Irregularity[]) => boolean) | undefined
  /** Returns a reading that the policy judges instead of the real one. */
  readonly judged?: (reading: Reading) => Reading
}

/** True if the service signs a request for a caller. */
function signs (caller: Caller, request: SignatureRequest, reading: Reading, relaxed: Relaxed = {}): boolean {
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
function * breachesBy (caller: Caller, reading: Reading, token: string): Generator<Served> {
  const { orderIdOrNull, accountNumber, amount, referenceNumber } = reading
  const variant = reading.variant as Variant
  if (spellsOut(token, accountNumber + amount + referenceNumber)) return
  for (const served of servedBy(variant, readerOf(variant).preImagesOf(reading, token).part2, token)) {
    if (isCorrelationId(served.referenceNumber) && spellsOut(token, orderIdOrNull)) continue
    const isListing = served.operation === 'clear-cache' || (served.operation === 'inquiry' && served.referenceNumber === '')
    const mayList = caller.operations.includes('inquiry-without-id') || caller.operations.includes('clear-cache')
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
export const fitTogether = (token: string, other: string): boolean =>
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
  const { part2 } = readerOf(reading.variant as Variant).preImagesOf(reading, token)
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
export function textsOver (alphabet: readonly string[], maxLength: number): string[] {
  const longest = Array.from({ length: maxLength - 1 }).reduce<string[][]>(levels =>
    [...levels, levels.at(-1)!.flatMap(text => alphabet.map(one => text + one))], [[...alphabet]])
  return longest.flat()
}

/** Returns the UUIDs in which each group repeats one of some characters. */
export function correlationIdsOf (alphabet: readonly string[]): string[] {
  return [8, 4, 4, 4, 12].reduce<string[]>((starts, length, at) => starts.flatMap(start =>
    alphabet.map(one => `${start}${at === 0 ? '' : '-'}${one.repeat(length)}`)), [''])
}

export interface Alphabets {
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
function callersFor ({ merchantAccountNumber, amount }: SignatureRequest): Caller[] {
  const limits = amount === undefined ? {} : { minimumAmount: String(amount), maximumAmount: String(amount) }
  const rights: Array<Caller['operations']> = [
    ['purchase'], ['refund'], ['void'], ['inquiry'], ['inquiry', 'void'], ['inquiry-without-id'], ['clear-cache']
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
export function * breachesAmong (
  variant: Variant, texts: Alphabets, tokens: readonly string[], relaxed?: Relaxed
): Generator<Breach> {
  for (const request of requestsOf(variant, texts)) {
    const reading = readLoosely(variant, request, true) as Reading
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
export function * breachesBetween (
  variant: Variant, texts: Alphabets, pairs: ReadonlyArray<readonly [token: string, other: string]>
): Generator<BreachBetween> {
  for (const request of requestsOf(variant, texts)) {
    const reading = readLoosely(variant, request, true) as Reading
    if (strictFaultIn(reading, irregularitiesOf(request, reading), 1709912345678) !== undefined) continue
    for (const [token, otherToken] of pairs) {
      for (const other of merchantsWith(otherToken)) {
        for (const served of servedByOther(reading, token, other)) yield { request, token, other, served }
      }
    }
  }
}
