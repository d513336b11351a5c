import { createHash } from 'node:crypto'

/** Fields of a request. Operations that do not use a field omit it. */
interface Fields {
  operationType: 'purchase' | 'refund' | 'void' | 'inquiry'
  merchantAccountNumber: string
  sid: string
  clientTimeStamp: number
  amount?: string
  orderId?: string
  transactionFCRN?: string
  transactionId?: string
  idType?: string
}

const hash256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the signature of variant A. Written from the specification (4.2, 4.3) and independent of src/scheme. */
export function signatureOf (fields: Fields, token: string): string {
  const { operationType, amount = '', orderId = '', transactionFCRN = '', transactionId = '' } = fields
  const terms = {
    purchase: [amount, '', orderId],
    refund: [amount, transactionFCRN, orderId],
    void: ['', transactionFCRN, orderId],
    inquiry: ['', transactionId, transactionId] // its idType is ORDER_ID
  }
  const [amountSigned = '', referenceNumber = '', order] = terms[operationType]
  const { clientTimeStamp, sid, merchantAccountNumber } = fields
  const part1 = hash256(`${clientTimeStamp}${sid}${amountSigned}${referenceNumber}`)
  const part2 = hash256(`${clientTimeStamp}${order || 'null'}${token}${merchantAccountNumber}${amountSigned}${referenceNumber}`)
  return `${part1}///${part2}`
}
