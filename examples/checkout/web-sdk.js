import { requestSignature } from 'payment-signature-client'

/** First call of each operation, and the setters that only this operation has. */
const begin = {
  purchase: sdk => sdk.requestSale('card').setCurrency('EGP'),
  refund: sdk => sdk.requestRefund('card'),
  void: sdk => sdk.requestVoid('card'),
  inquiry: sdk => sdk.requestInquiry(),
  clearCache: sdk => sdk.requestClearCache().setClearSecurityKeys(true).setClearProfile(true)
}

/** Returns a complete request of the Web SDK. Its method send() starts the payment. */
export const paymentRequest = (signed, { partnerCode, btc, merchantToken }, sdk = globalThis.FawrySDK) =>
  signed.applyTo(begin[signed.operationType ?? 'purchase'](sdk))
    .setPartnerCode(partnerCode)
    .setBtc(btc)
    .setMerchantToken(merchantToken)

/** Requests a signature and sends the payment request. Resolves to the result of the SDK. */
export async function pay (fields, shop) {
  const signed = await requestSignature(fields)
  return paymentRequest(signed, shop).send()
}
