import { hasOwnToken } from '../../scheme/signer.js'
import { fieldNames, toOptional, toText, type Field, type Reading, type SignatureRequest } from '../../scheme/request.js'

/** A legal property of a request that is often a mistake. */
export interface Irregularity {
  /**
   * - `type`: not of the specification's type (2.1)
   * - `counts-as-empty`: a text that is signed as an empty text
   * - `unknown-operation`: signed as a purchase
   * - `not-used`: the operation, or the variant, does not use the field
   * - `two-account-numbers`: both fields have an account number
   * - `own-token`: the request contains a token
   * - `key-case`: a key that differs from the field's name only in the case of its letters; it is not read
   */
  readonly kind: 'type' | 'counts-as-empty' | 'unknown-operation' | 'not-used' | 'two-account-numbers' | 'own-token' | 'key-case'
  readonly field: Field
  /** `type`: the type, such as `an array`. `counts-as-empty`, `unknown-operation`: the text. `key-case`: the key. */
  readonly sent: string
}

/** The fields that every operation of every variant reads. */
const commonFields: ReadonlySet<Field> =
  new Set(['sid', 'clientTimeStamp', 'merchantAccountNumber', 'accountNumber', 'merchantToken'])

/** Returns the name of a request's operation in a sentence, such as `a refund`. */
export function titleOf ({ variant, operation }: Reading): string {
  if (variant === 'B') return 'variant B'
  if (operation === 'inquiry') return 'an inquiry'
  return operation === 'clearCache' ? 'a clear cache' : `a ${operation}`
}

function typeOf (value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** True for a field that counts as absent: undefined, null or an empty text. */
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Returns a key as case-insensitive decoders compare keys. Go's decoder reads `\u017fid` as `sid`. */
const folded = (key: string): string => /[\u0080-\uffff]/.test(key) ? key.toUpperCase().toLowerCase() : key.toLowerCase()

const fieldOfFolded: ReadonlyMap<string, Field> = new Map(fieldNames.map(field => [folded(field), field]))

const known: ReadonlySet<string> = new Set(fieldNames)

const maxFieldLength = Math.max(...fieldNames.map(field => field.length))

/** True for a text that names the operation of a reading. The lower case of a long text is expensive. */
function isNamed (text: string, { operation }: Reading): boolean {
  return text.length === operation.length && text.toLowerCase() === operation.toLowerCase()
}

/** Returns the texts under which the fields of the operation are signed, without the fields of all operations. */
function signedTexts (request: SignatureRequest, reading: Reading): ReadonlyMap<string, string> {
  const { variant, sources: { amount, referenceNumber, orderId, idType }, orderIdOrNull } = reading
  const texts = new Map<string, string>()
  if (variant === 'A') texts.set('operationType', toOptional(request.operationType))
  if (amount !== undefined) texts.set(amount, reading.amount)
  if (orderId !== undefined) texts.set(orderId, orderIdOrNull === 'null' ? '' : orderIdOrNull)
  if (referenceNumber !== undefined) texts.set(referenceNumber, reading.referenceNumber)
  if (idType !== undefined) texts.set(idType, reading.idType)
  return texts
}

/**
 * Returns the irregularities of a request, in the order of the specification's fields.
 *
 * @param reading - the reading of the request, which has not changed since
 */
export function irregularitiesOf (request: SignatureRequest, reading: Reading): readonly Irregularity[] {
  const found: Irregularity[] = []
  const note = (kind: Irregularity['kind'], field: Field, sent = ''): void => { found.push({ kind, field, sent }) }
  const texts = signedTexts(request, reading)

  for (const key of Object.keys(request)) {
    if (!known.has(key)) {
      const field = key.length > maxFieldLength ? undefined : fieldOfFolded.get(folded(key))
      if (field !== undefined) note('key-case', field, key)
      continue
    }
    const field = key as Field
    const value = request[field]
    const text = texts.get(field)
    if (isEmpty(value)) continue
    if (text === undefined && !commonFields.has(field)) {
      note('not-used', field)
      continue
    }
    const isRegular = field === 'clientTimeStamp' ? Number.isSafeInteger(value) : typeof value === 'string'
    if (!isRegular) note('type', field, typeOf(value))
    if (text === '') note('counts-as-empty', field, toText(value))
    else if (field === 'operationType' && !isNamed(text as string, reading)) note('unknown-operation', field, text)
  }
  if (!isEmpty(request.merchantAccountNumber) && !isEmpty(request.accountNumber)) note('two-account-numbers', 'accountNumber')
  if (hasOwnToken(reading)) note('own-token', 'merchantToken')
  // In the specification's order: the first irregularity must not depend on the order of the client's keys.
  return found.sort((one, other) => fieldNames.indexOf(one.field) - fieldNames.indexOf(other.field))
}
