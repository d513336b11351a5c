type Account =
  | { merchantAccountNumber: string, accountNumber?: string | undefined }
  /** Another name for merchantAccountNumber, which takes precedence. */
  | { accountNumber: string, merchantAccountNumber?: string | undefined }

interface Purchase {
  variant?: 'A' | undefined
  operationType?: 'purchase' | undefined
  /** Decimal text such as `100.00`. Its characters are signed. */
  amount: string
  orderId?: string | undefined
}

interface Refund {
  variant?: 'A' | undefined
  operationType: 'refund'
  /** Decimal text such as `100.00`. Its characters are signed. */
  amount: string
  /** Reference of the original transaction. */
  transactionFCRN: string
  orderId?: string | undefined
}

interface Void {
  variant?: 'A' | undefined
  operationType: 'void'
  /** Reference of the original transaction. */
  transactionFCRN: string
  orderId?: string | undefined
}

interface Inquiry {
  variant?: 'A' | undefined
  operationType: 'inquiry'
  /** Identifier to look up. */
  transactionId?: string | undefined
  /** `ORDER_ID`: transactionId is an order id. */
  idType?: 'ORDER_ID' | 'FCRN' | 'CORRUID' | 'CORRELATION_UID' | undefined
}

interface ClearCache {
  variant?: 'A' | undefined
  operationType: 'clearCache'
}

interface PaymentOfVariantB {
  /** The service signs with variant B, which has no operations. */
  variant: 'B'
  operationType?: string | undefined
  /** Decimal text such as `100.00`. Its characters are signed. */
  amount: string
  orderId?: string | undefined
}

/** Fields of a signature request that a page may know (specification 2.1). They are sent exactly as passed. */
export type SignatureFields = Account & (Purchase | Refund | Void | Inquiry | ClearCache | PaymentOfVariantB)

/** All fields as they were sent. */
export interface SentRequest {
  readonly operationType?: string | undefined
  readonly amount?: string | undefined
  readonly merchantAccountNumber?: string | undefined
  readonly accountNumber?: string | undefined
  readonly orderId?: string | undefined
  readonly transactionFCRN?: string | undefined
  readonly transactionId?: string | undefined
  readonly idType?: string | undefined
  /** UUID version 4. */
  readonly sid: string
  /** Epoch milliseconds. */
  readonly clientTimeStamp: number
}

type Field = Exclude<keyof SentRequest, 'sid' | 'clientTimeStamp'>
type Signed = readonly [required: readonly Field[], optional: readonly Field[]]

/** Fields that each operation signs, besides the account number (specification 4.3). The names are in lower case. */
const operations: Readonly<Record<string, Signed>> = {
  purchase: [['amount'], ['orderId']],
  refund: [['amount', 'transactionFCRN'], ['orderId']],
  void: [['transactionFCRN'], ['orderId']],
  inquiry: [[], ['transactionId', 'idType']],
  clearcache: [[], []]
}

/** Returns the fields that a variant and an operation sign; undefined for an unknown operation. */
export function signedFields (variant: unknown, operationType: unknown = 'purchase'): Signed | undefined {
  const name = variant === 'B' ? 'purchase' : String(operationType).toLowerCase()
  return Object.entries(operations).find(([operation]) => operation === name)?.[1]
}
