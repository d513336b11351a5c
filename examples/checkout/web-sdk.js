import { requestSignature } from 'payment-signature-client'

/** Begins each operation, and sets what only this operation has. */
const begin = {
  purchase: sdk => sdk.requestSale('card').setCurrency('EGP'),
  refund: sdk => sdk.requestRefund('card'),
  void: sdk => sdk.requestVoid('card'),
  inquiry: sdk => sdk.requestInquiry(),
  clearCache: sdk => sdk.requestClearCache().setClearSecurityKeys(true).setClearProfile(true)
}

/** Returns a complete request of the Web SDK. Its method send() starts the payment. */
export function paymentRequest (signed, { partnerCode, btc, merchantToken }, sdk = globalThis.FawrySDK) {
  const start = begin[signed.operationType ?? 'purchase']
  return signed.applyTo(start(sdk))
    .setPartnerCode(partnerCode)
    .setBtc(btc)
    .setMerchantToken(merchantToken)
}

/** Requests a signature and sends the payment request. Resolves to the result of the SDK. */
export async function pay (fields, shop) {
  const signed = await requestSignature(fields)
  return paymentRequest(signed, shop).send()
}
