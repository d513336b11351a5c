import { signedFields, type SentRequest } from './fields.js'

/** Setters of a payment request builder. Those with a question mark are called if the builder has them. */
export interface PaymentRequestBuilder {
  setSignature (signature: string): unknown
  setSid (sid: string): unknown
  setClientTimeStamp (clientTimeStamp: number): unknown
  setMerchantAccountNumber? (merchantAccountNumber: string): unknown
  setAmount? (amount: string): unknown
  setOrderId? (orderId: string): unknown
  setTransactionFCRN? (transactionFCRN: string): unknown
  setTransactionId? (transactionId: string): unknown
  setIdType? (idType: string): unknown
}

/** Signature, and the fields that were signed. */
export interface SignedRequest extends SentRequest {
  /** `part1///part2`. */
  readonly signature: string
  /**
   * Sets the signature, `sid`, `clientTimeStamp`, and each field of the request that was signed and that the builder
   * has a setter for. Returns the builder.
   */
  applyTo<Builder extends PaymentRequestBuilder> (builder: Builder): Builder
}

/** Fields of the operations, and their setters. */
const setters = [
  ['amount', 'setAmount'],
  ['orderId', 'setOrderId'],
  ['transactionFCRN', 'setTransactionFCRN'],
  ['transactionId', 'setTransactionId'],
  ['idType', 'setIdType']
] as const

/** Returns a frozen object with the request, its signature, and `applyTo`. */
export function signedRequest (request: SentRequest, signature: string, variant?: 'A' | 'B'): SignedRequest {
  const { sid, clientTimeStamp, operationType } = request
  return Object.freeze({
    ...request,
    signature,
    applyTo<Builder extends PaymentRequestBuilder> (builder: Builder): Builder {
      builder.setSignature(signature)
      builder.setSid(sid)
      builder.setClientTimeStamp(clientTimeStamp)
      const account = request.merchantAccountNumber || request.accountNumber
      if (account !== undefined) builder.setMerchantAccountNumber?.(account)
      for (const [name, setter] of setters) {
        const value = request[name]
        if (value !== undefined && signedFields(variant, operationType)?.flat().includes(name)) builder[setter]?.(value)
      }
      return builder
    }
  })
}
