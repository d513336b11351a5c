/** The fields of a signature request that a page may know (specification 2.1). They are sent exactly as given. */
export interface SignatureFields {
  /** Variant A: `purchase`, `refund`, `void` or `inquiry`. */
  operationType?: string | undefined
  /** Decimal text such as `100.00`. Its characters are signed, so a number would not do. */
  amount?: string | undefined
  merchantAccountNumber?: string | undefined
  /** Another name for merchantAccountNumber, which wins. */
  accountNumber?: string | undefined
  orderId?: string | undefined
  /** Variant A, refund and void: reference of the original transaction. */
  transactionFCRN?: string | undefined
  /** Variant A, inquiry: the identifier to look up. */
  transactionId?: string | undefined
  /** Variant A, inquiry: `ORDER_ID` says that transactionId is an order id. */
  idType?: string | undefined
}

/** What {@link SignedRequest.applyTo} calls on a payment request builder. */
export interface PaymentRequestBuilder {
  setSignature (signature: string): unknown
  setSid (sid: string): unknown
  setClientTimeStamp (clientTimeStamp: number): unknown
  setAmount? (amount: string): unknown
  setOrderId? (orderId: string): unknown
}

/** A signature, and the fields that it was made from. */
export interface SignedRequest extends SignatureFields {
  /** `part1///part2`. */
  readonly signature: string
  /** The session id that was signed: a UUID version 4. */
  readonly sid: string
  /** The time that was signed, in epoch milliseconds. */
  readonly clientTimeStamp: number
  /**
   * Hands signature, sid and time to a builder; and amount and order id too, if they were given, the operation signs
   * them, and the builder has a setter for them. Returns the builder.
   */
  applyTo<Builder extends PaymentRequestBuilder> (builder: Builder): Builder
}

/** What was signed, as it goes on to the payment request. It cannot be changed any more. */
export function signedRequest (
  request: SignatureFields & { sid: string, clientTimeStamp: number }, signature: string
): SignedRequest {
  const { sid, clientTimeStamp, amount, orderId, operationType = '' } = request
  const signsOrderId = !/^inquiry$/i.test(operationType) // specification 4.3
  const signsAmount = signsOrderId && !/^void$/i.test(operationType)

  return Object.freeze({
    ...request,
    signature,
    applyTo<Builder extends PaymentRequestBuilder> (builder: Builder): Builder {
      builder.setSignature(signature)
      builder.setSid(sid)
      builder.setClientTimeStamp(clientTimeStamp)
      if (amount !== undefined && signsAmount) builder.setAmount?.(amount)
      if (orderId !== undefined && signsOrderId) builder.setOrderId?.(orderId)
      return builder
    }
  })
}
