/** The two schemes (specification, part 9). */
export type Variant = 'A' | 'B'

/** The fields of a signature request (specification 2.1). */
export const fields = [
  'operationType', 'amount', 'merchantAccountNumber', 'accountNumber', 'orderId', 'sid', 'clientTimeStamp',
  'merchantToken', 'transactionFCRN', 'transactionId', 'idType'
] as const

export type Field = typeof fields[number]

/**
 * A decoded JSON body. The values are `unknown`, because the scheme is defined for whatever a client sends: each
 * variant turns them into text by its own rules, and nothing before it may coerce, default, trim or drop a field.
 */
export type SignatureRequest = { readonly [field in Field]?: unknown } &
  { readonly sid: unknown, readonly clientTimeStamp: unknown }
