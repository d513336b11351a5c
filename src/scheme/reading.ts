import { checkRequest } from './check.js'
import { uses } from './operation.js'
import type { Operation, User } from './operation.js'
import type { Terms } from './pre-images.js'
import { fields } from './request.js'
import type { Field, SignatureRequest, Variant } from './request.js'
import { isEmpty, toText } from './text.js'
import { assertRequest, assertVariant } from './usage.js'
import { checkSidA, deriveA } from './variant-a.js'
import { checkSidB, deriveB } from './variant-b.js'

/** Something that is legal about how a request was sent, and that nobody should have to guess the meaning of. */
export interface Irregularity {
  /**
   * - `type`: not of the specification's type (2.1)
   * - `counts-as-empty`: one of the texts that are signed as an empty one
   * - `unknown-operation`: it is signed as a purchase
   * - `not-used`: the operation, or the variant, does not use the field
   * - `two-account-numbers`: the other field has one too
   * - `own-token`: the request brings a token
   * - `key-case`: a key that equals the field's but for the case of its letters; it was not read
   */
  readonly kind: 'type' | 'counts-as-empty' | 'unknown-operation' | 'not-used' | 'two-account-numbers' | 'own-token' | 'key-case'
  readonly field: Field
  /** `type`: the value's, such as `an array`; `counts-as-empty`, `unknown-operation`: its text; `key-case`: the key. */
  readonly sent: string
}

/**
 * A request as it will be signed: the very texts that enter the pre-images, but for the token, and what was irregular
 * about how it was sent. Whatever judges, records or signs a request goes by this and by nothing else. It is frozen.
 */
export interface Reading extends Terms {
  readonly variant: Variant
  /** Undefined in variant B, which has no operations. */
  readonly operation: Operation | undefined
  /** An inquiry's, as sent; empty when absent. */
  readonly idType: string
  /** Where the account number came from. */
  readonly accountNumberField: 'merchantAccountNumber' | 'accountNumber'
  readonly irregularities: readonly Irregularity[]
}

/** The tokens that requests bring. Not in the reading, which others get to see. */
const ownTokens = new WeakMap<Reading, string>()

/** The token to sign a request with: its own, or else the configured one (specification 4.2). */
export const merchantTokenOf = (reading: Reading, configured: string): string => ownTokens.get(reading) ?? configured

/** True if the request has its own `merchantToken`. */
export const bringsToken = (reading: Reading): boolean => ownTokens.has(reading)

function typeOf (value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const maxFieldLength = Math.max(...fields.map(field => field.length))

/** A key as decoders compare it that ignore the case: `\u017fid`, for one, is `sid` to Go's. */
const folded = (key: string): string => key.toUpperCase().toLowerCase()

const fieldOfFolded: ReadonlyMap<string, Field> = new Map(fields.map(field => [folded(field), field]))

/** Whether a field that an operation uses is signed as an empty text (specification 4.3 and 4.4). */
function isSignedAsEmpty (user: User, field: Field, text: string): boolean {
  if (user === 'B') return field === 'amount' && text === 'undefined'
  return text === '' || text === 'undefined' || text === 'null'
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Fields that more than one step converts to text. */
const convertedFields = fields.filter(field => uses.B.get(field) !== 'always')

/**
 * A copy of a request, with texts for arrays and objects, so that each is converted once: the time for nested arrays
 * grows with the square of their depth. A value that cannot be converted is kept: the step that needs its text throws.
 */
function withTexts (request: SignatureRequest): SignatureRequest {
  if (!convertedFields.some(field => isObject(request[field]))) return request
  const copy = Object.fromEntries(fields.map(field => [field, request[field]]))
  for (const field of convertedFields.filter(field => isObject(copy[field]))) {
    try {
      copy[field] = toText(copy[field])
    } catch {}
  }
  return copy as unknown as SignatureRequest
}

/** @param texts - the same request with the texts of its arrays and objects */
function irregularitiesOf (request: SignatureRequest, texts: SignatureRequest, user: User): readonly Irregularity[] {
  const found: Irregularity[] = []
  const note = (kind: Irregularity['kind'], field: Field, sent = ''): void => { found.push({ kind, field, sent }) }

  for (const key of Object.keys(request)) {
    const use = uses[user].get(key)
    if (use === undefined) {
      const field = key.length > maxFieldLength ? undefined : fieldOfFolded.get(folded(key))
      if (field !== undefined) note('key-case', field, key)
      continue
    }
    const field = key as Field
    const value = request[field]
    if (isEmpty(value)) continue
    if (use === 'never') {
      note('not-used', field)
      continue
    }
    const isRegular = field === 'clientTimeStamp' ? Number.isSafeInteger(value) : typeof value === 'string'
    if (!isRegular) note('type', field, typeOf(value))
    if (use === 'always') continue
    const text = toText(texts[field])
    if (isSignedAsEmpty(user, field, text)) note('counts-as-empty', field, text)
    else if (field === 'operationType' && text.toLowerCase() !== user) note('unknown-operation', field, text)
  }
  if (!isEmpty(request.merchantAccountNumber) && !isEmpty(request.accountNumber)) note('two-account-numbers', 'accountNumber')
  if (request.merchantToken) note('own-token', 'merchantToken')
  // In the specification's order, whatever the client's is: of several the first one is named.
  return Object.freeze(found.sort((one, other) => fields.indexOf(one.field) - fields.indexOf(other.field)))
}

function read (variant: Variant, request: SignatureRequest, isChecked: boolean): Reading {
  const texts = withTexts(request)
  if (isChecked) checkRequest(texts)
  const derivation = variant === 'A' ? deriveA(texts) : deriveB(texts)
  if (isChecked) (variant === 'A' ? checkSidA : checkSidB)(request.sid)
  const clientTimeStamp = toText(request.clientTimeStamp)
  const ownToken = request.merchantToken ? toText(request.merchantToken) : undefined
  const accountNumberField = request.merchantAccountNumber ? 'merchantAccountNumber' : 'accountNumber'
  const reading: Reading = Object.freeze({
    variant,
    ...derivation,
    clientTimeStamp,
    sid: toText(request.sid ?? ''),
    accountNumber: toText(request[accountNumberField]),
    accountNumberField,
    irregularities: irregularitiesOf(request, texts, derivation.operation ?? 'B')
  })
  if (ownToken !== undefined) ownTokens.set(reading, ownToken)
  return reading
}

/**
 * Reads a request: steps 1 to 6 of specification 4.1, with all that they refuse.
 *
 * @throws InvalidRequestError a required field is missing, or the amount is not positive (4.1, steps 2 to 5)
 * @throws SigningError `ERR_SID_INVALID` (4.3, rule 4; 4.4); `ERR_NOT_TEXT`: a value cannot be converted to text
 * @throws UsageError `ERR_REQUEST`, `ERR_VARIANT`
 */
export function readRequest (variant: Variant, request: SignatureRequest): Reading {
  assertRequest(request)
  assertVariant(variant)
  return read(variant, request, true)
}

/**
 * Reads a request that may be one that {@link readRequest} refuses: whoever signed it may not have refused it.
 *
 * @returns undefined if a value cannot be converted to text
 */
export function readLoosely (variant: Variant, request: SignatureRequest): Reading | undefined {
  try {
    return read(variant, request, false)
  } catch {
    return undefined
  }
}

const wellFormed = (text: string): string => text.toWellFormed()

/**
 * The fields of the specification (2.1) that are signed and not empty, each once, with the text that is hashed: U+FFFD
 * replaces each lone surrogate. The time stamp is a number if a number was sent.
 *
 * A time stamp that ends with half of a character and a session ID that begins with the other half are hashed as the
 * whole character. Both fields still have U+FFFD here, which shows that the request is not an ordinary one.
 */
export function fieldsOf (reading: Reading, textOf = wellFormed): Readonly<Partial<Record<Field, string | number>>> {
  const { variant, operation, amount, referenceNumber, orderIdOrNull, idType, accountNumber } = reading
  const { sid, clientTimeStamp, irregularities } = reading
  const isNumber = clientTimeStamp !== '' && !irregularities.some(({ kind, field }) => kind === 'type' && field === 'clientTimeStamp')
  const orderId = variant === 'B' ? referenceNumber : orderIdOrNull === 'null' ? '' : orderIdOrNull
  const isInquiry = operation === 'inquiry'
  // Assigned and not spread, which takes thirty times as long, for each guard that asks.
  const fields: Partial<Record<Field, string | number>> = {}
  if (operation !== undefined) fields.operationType = operation
  fields.merchantAccountNumber = textOf(accountNumber)
  if (amount !== '') fields.amount = textOf(amount)
  if (!isInquiry && orderId !== '') fields.orderId = textOf(orderId)
  if (variant === 'A' && referenceNumber !== '') {
    fields[isInquiry ? 'transactionId' : 'transactionFCRN'] = textOf(referenceNumber)
  }
  if (isInquiry && idType !== '') fields.idType = textOf(idType.toUpperCase())
  fields.sid = textOf(sid)
  fields.clientTimeStamp = isNumber ? Number(clientTimeStamp) : textOf(clientTimeStamp)
  return Object.freeze(fields)
}

/**
 * The reading as a request that gets the same signature, with the token that the request brought, if any. Lone
 * surrogates are kept: two halves of a character can meet where terms are joined.
 */
export function requestOf (reading: Reading): SignatureRequest {
  const request = fieldsOf(reading, String) as SignatureRequest // sid and clientTimeStamp are always there
  const merchantToken = ownTokens.get(reading)
  return merchantToken === undefined ? request : { ...request, merchantToken }
}
