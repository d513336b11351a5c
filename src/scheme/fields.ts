/** The fields of a signature request (specification 2.1). */
export const fields = [
  'operationType', 'amount', 'merchantAccountNumber', 'accountNumber', 'orderId', 'sid', 'clientTimeStamp',
  'merchantToken', 'transactionFCRN', 'transactionId', 'idType'
] as const

export type Field = typeof fields[number]

export const fieldNames: ReadonlySet<string> = new Set(fields)

/**
 * A decoded JSON body. The values are `unknown` because the scheme is defined for every JSON value: a variant converts
 * them to text by its own rules. Code that runs before a variant must not coerce, default, trim or drop a field.
 */
export type SignatureRequest = { readonly [field in Field]?: unknown } &
  { readonly sid: unknown, readonly clientTimeStamp: unknown }

/** The operations of a request (specification 2.1). A variant may support fewer. */
export const operations = ['purchase', 'refund', 'void', 'inquiry'] as const

/** An operation of variant A. */
export type Operation = typeof operations[number]

/** A request with the types of the specification (2.1). Each is also a {@link SignatureRequest}. */
export type PaymentRequest = {
  readonly [field in Exclude<Field, 'operationType' | 'sid' | 'clientTimeStamp'>]?: string | undefined
} & {
  readonly operationType?: Operation | undefined
  readonly sid: string
  readonly clientTimeStamp: number
}

const maxOperationLength = Math.max(...operations.map(operation => operation.length))

/** Returns the operation that a text names, in any case (specification 4.3). Undefined for any other text. */
export function operationIn (text: string): Operation | undefined {
  // A long text would be the most expensive one of a request. No text becomes shorter in lower case.
  if (text.length > maxOperationLength) return undefined
  const name = text.toLowerCase()
  return operations.find(operation => operation === name)
}

/** Returns the operation that a text names, in any case. Any other text is a purchase (specification 4.3). */
export const operationNamed = (text: string): Operation => operationIn(text) ?? 'purchase'

/** The fields that every operation of every variant reads. */
const commonFields = ['sid', 'clientTimeStamp', 'merchantAccountNumber', 'accountNumber', 'merchantToken'] as const

/** A field that the table of a variant can name. */
export type TableField = Exclude<Field, typeof commonFields[number]>

export const tableFields = fields.filter((field): field is TableField =>
  !(commonFields as readonly Field[]).includes(field))

/** Row of a variant's table: the fields that an operation reads (specification 4.3 and 4.4). */
interface Row {
  /** The operation's name in a sentence, such as `a refund`. */
  readonly title: string
  /** The field of the amount term. Without one the term is empty. */
  readonly amount?: TableField
  /** The field of the reference term. Without one the term is empty. */
  readonly referenceNumber?: TableField
  /** The field of the order term, in variants that have one. */
  readonly orderId?: TableField
  /** Condition of the order term, case-insensitive. If the field has another text, the term is the text `null`. */
  readonly orderIdIf?: readonly [field: TableField, text: string]
  /** Fields that select how the others are used. Their text is not hashed. */
  readonly selectors: readonly TableField[]
  /** The fields of the operation that a strict request must have. */
  readonly required: readonly TableField[]
}

/** Fields that an operation reads. The value is true for a field that every operation reads. */
type Uses = ReadonlyMap<string, boolean>

/** A row of a variant's table with all fields that the operation reads. */
export interface OperationFields extends Row {
  readonly uses: Uses
}

/** Completes a row with all fields that the operation reads. */
export function operationFields<const R extends Row> (row: R): Readonly<R & { uses: Uses }> {
  const own = [row.amount, row.referenceNumber, row.orderId, ...row.selectors].filter(field => field !== undefined)
  const pairs = [...own.map(field => [field, false] as const), ...commonFields.map(field => [field, true] as const)]
  return Object.freeze({ ...row, uses: new Map(pairs) })
}
