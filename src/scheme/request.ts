import { InvalidRequestError, SigningError, UsageError } from './errors.js'

/** Letter of a variant of the scheme (specification, part 9). */
export type Variant = 'A' | 'B'

/** The fields of a signature request (specification 2.1). `routes/schemas.ts` must have the same. */
export const fieldNames = [
  'operationType', 'amount', 'merchantAccountNumber', 'accountNumber', 'orderId', 'sid', 'clientTimeStamp',
  'merchantToken', 'transactionFCRN', 'transactionId', 'idType'
] as const

export type Field = typeof fieldNames[number]

/**
 * A decoded JSON body. The values are `unknown` because the scheme is defined for every JSON value: a variant converts
 * them to text by its own rules. Code that runs before a variant must not coerce, default, trim or drop a field.
 */
export type SignatureRequest = { readonly [field in Field]?: unknown } &
  { readonly sid: unknown, readonly clientTimeStamp: unknown }

/** The operations of variant A (specification 2.1). */
export const operations = ['purchase', 'refund', 'void', 'inquiry'] as const

/**
 * An operation of a reading. `clearCache` is the fifth operation of the payment library. The specification signs it as
 * a purchase without an amount (4.3, rule 3).
 */
export type Operation = typeof operations[number] | 'clearCache'

/** A request with the types of the specification (2.1), or a clear cache. Each is also a {@link SignatureRequest}. */
export type PaymentRequest =
  { readonly [field in Exclude<Field, 'operationType' | 'sid' | 'clientTimeStamp'>]?: string | undefined } &
  { readonly operationType?: Operation | undefined, readonly sid: string, readonly clientTimeStamp: number }

/** True for an object that is not an array. */
export const isRequest = (request: unknown): request is SignatureRequest =>
  typeof request === 'object' && request !== null && !Array.isArray(request)

/** Returns the field that the account number comes from: `merchantAccountNumber` wins (specification 4.1, step 3). */
export const accountFieldOf = ({ merchantAccountNumber }: SignatureRequest): 'merchantAccountNumber' | 'accountNumber' =>
  merchantAccountNumber ? 'merchantAccountNumber' : 'accountNumber'

/** Depth limit of arrays. The conversion of deeper arrays overflows the stack. Real requests have no arrays. */
const maxDepth = 8

/** True if arrays are nested deeper than some levels. */
const isDeeper = (value: unknown, levels: number): boolean =>
  Array.isArray(value) && (levels === 0 || value.some(item => isDeeper(item, levels - 1)))

/**
 * Converts a value of a decoded JSON body to text, like JavaScript's `String` (specification 10.1). The
 * number `100.00` becomes `100`.
 *
 * @throws SigningError `ERR_NOT_TEXT`: the value cannot be converted, or has arrays nested more than 8 levels deep
 */
export function toText (value: unknown): string {
  if (typeof value === 'string') return value
  if (isDeeper(value, maxDepth)) throw new SigningError('ERR_NOT_TEXT', `a value is nested more than ${maxDepth} levels deep`)
  try {
    return String(value)
  } catch (cause) {
    throw new SigningError('ERR_NOT_TEXT', cause instanceof Error ? cause.message : 'a value has no text', { cause })
  }
}

/**
 * Converts a value to text. Returns an empty text for an absent or null value, or one whose text is `undefined`
 * or `null` (specification 4.3, "toOptional").
 *
 * @throws SigningError `ERR_NOT_TEXT`
 */
export function toOptional (value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = toText(value)
  return text === 'undefined' || text === 'null' ? '' : text
}

/**
 * Performs steps 1 to 5 of specification 4.1. The first step that fails determines the response.
 *
 * @returns the request; a copy with the text of the amount if the amount is an object, which may be slow to convert
 *
 * @throws InvalidRequestError a required field is missing, or the amount is not positive
 * @throws SigningError `ERR_NOT_TEXT`: the amount cannot be converted to text
 * @throws UsageError `ERR_REQUEST`: the request is not an object
 */
export function checkRequest (request: SignatureRequest): SignatureRequest {
  if (!isRequest(request)) throw new UsageError('ERR_REQUEST')
  const { sid, clientTimeStamp } = request
  const amount = toText(request.amount ?? '')
  // parseFloat reads the leading decimal prefix. A text that is no number, such as an empty one, passes.
  if (Number.parseFloat(amount) <= 0) throw new InvalidRequestError('ERR_AMOUNT_NOT_POSITIVE')
  if (!request[accountFieldOf(request)]) throw new InvalidRequestError('ERR_ACCOUNT_NUMBER_REQUIRED')
  if ((sid ?? '') === '') throw new InvalidRequestError('ERR_SID_REQUIRED')
  if (clientTimeStamp == null) throw new InvalidRequestError('ERR_CLIENT_TIMESTAMP_REQUIRED')
  return typeof request.amount === 'object' ? { ...request, amount } : request
}

/** The names of the terms that are joined and hashed (specification 4.2). */
export type TermName =
  'clientTimeStamp' | 'sid' | 'amount' | 'referenceNumber' | 'orderIdOrNull' | 'merchantToken' | 'accountNumber'

/** A field that the table of a variant can name. */
type TableField = 'amount' | 'orderId' | 'transactionFCRN' | 'transactionId' | 'idType'

/** The texts that a variant derives from a request (specification 4.3 and 4.4), and the fields that they come from. */
export interface Derivation extends Readonly<Record<'amount' | 'referenceNumber' | 'orderIdOrNull' | 'idType', string>> {
  /** Variant B has one operation, which no field names. */
  readonly operation: Operation
  /** Row of the variant's table: the field of each text. Without one, a text is empty, or `null` as A's order term. */
  readonly sources: { readonly [name in 'amount' | 'referenceNumber' | 'orderId' | 'idType']?: TableField }
}

/**
 * A request as it will be signed: the texts that enter the pre-images, without the token, and the fields that they come
 * from. Guards, record and signature use this frozen object and not the request; only STRICT judges how it was sent.
 */
export interface Reading extends Derivation, Readonly<Record<Exclude<TermName, 'merchantToken'>, string>> {
  readonly variant: Variant
  /** The field that the account number came from. */
  readonly accountNumberField: 'merchantAccountNumber' | 'accountNumber'
  /** True if the time stamp was sent as an integer, and not as text. */
  readonly hasNumericTimeStamp: boolean
}

/** The fields that a signature is made from, as text. A time stamp is a number if a safe integer was sent. */
export type SignedFields =
  Omit<PaymentRequest, 'operationType' | 'merchantAccountNumber' | 'accountNumber' | 'merchantToken' | 'clientTimeStamp'> &
  {
    readonly operationType?: Operation | undefined
    readonly merchantAccountNumber: string
    readonly clientTimeStamp: number | string
  }

/**
 * Returns the fields of the specification (2.1) that the signature is made from and that are not empty, each once.
 * `operationType` and `idType` select what is hashed; all others have the text that is hashed, with U+FFFD for each
 * lone surrogate. The time stamp is a number if a safe integer was sent.
 *
 * If one term ends with the first half of a surrogate pair and the next term begins with the second half, the joined
 * text contains the whole character, but both fields contain U+FFFD here.
 *
 * @example
 * fieldsOf(readerOf('A').read(request)).merchantAccountNumber // '102551'
 */
export function fieldsOf (reading: Reading): SignedFields {
  const { variant, operation, sources, amount, referenceNumber, orderIdOrNull, idType, clientTimeStamp } = reading
  // Assignments: a spread takes thirty times as long, and STRICT, authorize and the audit call this function.
  const values: Partial<Record<Field, string | number>> = {}
  if (variant === 'A') values.operationType = operation
  values.merchantAccountNumber = reading.accountNumber.toWellFormed()
  if (sources.amount !== undefined && amount !== '') values[sources.amount] = amount.toWellFormed()
  if (sources.orderId !== undefined && orderIdOrNull !== 'null') values[sources.orderId] = orderIdOrNull.toWellFormed()
  if (sources.referenceNumber !== undefined && referenceNumber !== '') values[sources.referenceNumber] = referenceNumber.toWellFormed()
  if (idType !== '') values.idType = idType.toUpperCase().toWellFormed()
  values.sid = reading.sid.toWellFormed()
  values.clientTimeStamp = reading.hasNumericTimeStamp ? Number(clientTimeStamp) : clientTimeStamp.toWellFormed()
  return Object.freeze(values) as SignedFields
}
