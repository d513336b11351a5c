/*
 * Stub of the vendor's Web SDK 1.0, which no registry has. It follows the public API reference strictly: factories with
 * a required argument, setters that check the type and chain, no setter of another operation, and a send() that fails
 * if a required setter was not called. `sent` has the messages to the payment app.
 */
{
  const text = value => typeof value === 'string' && value !== ''
  const number = value => Number.isSafeInteger(value)
  const boolean = value => typeof value === 'boolean'

  /** Setters that each operation requires, and the others that it has. */
  const required = {
    Signature: text,
    Sid: text,
    ClientTimeStamp: number,
    MerchantAccountNumber: text,
    MerchantToken: text,
    PartnerCode: text,
    Btc: number
  }
  const optional = { CallbackUrl: text, PrintReceipt: boolean, DisplayInvoice: boolean, Extras: text }
  const operations = {
    purchase: [{ Amount: text }, { Currency: text, OrderId: text }],
    refund: [{ Amount: text, TransactionFCRN: text }, { OrderId: text }],
    void: [{ TransactionFCRN: text }, { OrderId: text }],
    inquiry: [{ IdType: value => ['FCRN', 'CORRUID', 'ORDER_ID'].includes(value) }, { TransactionId: text, FromDate: text, ToDate: text }],
    clearCache: [{ ClearSecurityKeys: boolean, ClearProfile: boolean }, {}]
  }
  const sent = []

  function builderOf (operationType) {
    const message = { operationType }
    const [more, others] = operations[operationType]
    const builder = {
      async send () {
        const missing = Object.keys({ ...required, ...more }).find(name => message[fieldOf(name)] === undefined)
        if (missing !== undefined) throw new Error(`${fieldOf(missing)} is required`)
        sent.push(message)
        return { isSuccess: () => true, statusCode: 1, body: { fcrn: '987654', amount: message.amount, currency: 'EGP' } }
      }
    }
    const fieldOf = name => name.charAt(0).toLowerCase() + name.slice(1)
    for (const [name, isValid] of Object.entries({ ...required, ...optional, ...more, ...others })) {
      builder[`set${name}`] = value => {
        if (!isValid(value)) throw new TypeError(`${fieldOf(name)} has the wrong type`)
        message[fieldOf(name)] = value
        return builder
      }
    }
    return Object.freeze(builder)
  }

  const withCard = operation => type => {
    if (type !== 'card') throw new Error('PaymentOptionType.CARD is required')
    return builderOf(operation)
  }

  globalThis.sent = sent
  globalThis.FawrySDK = Object.freeze({
    requestSale: withCard('purchase'),
    requestRefund: withCard('refund'),
    requestVoid: withCard('void'),
    requestInquiry: () => builderOf('inquiry'),
    requestClearCache: () => builderOf('clearCache'),
    generateSessionId: () => crypto.randomUUID()
  })
}
