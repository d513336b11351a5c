/** A request of the vectors as it is sent, and its signature. */
export const body = '{"operationType":"purchase","amount":"100.00","merchantAccountNumber":"102551","orderId":"ORDER-12345",' +
  '"sid":"client-generated-session-id","clientTimeStamp":1709912345678}'
export const signature = '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db///' +
  '21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755'

/** In production, which refuses the development token: another one, and the signature of {@link body} with it. */
export const production = {
  token: 'a production token that is long enough',
  signature: '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db///' +
    'bb10a0d8b9b2aadd13ae758e234381875139bc0ecbac0eaded36a4448608b653'
}

/** The answer to {@link body} of the service at `port`. */
export async function sign (port: string | number): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/api/generate-signature`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body
  })
  return response.json()
}
