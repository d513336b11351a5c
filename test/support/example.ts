/** A request of the vectors as it is sent, and its signature. */
export const body = '{"operationType":"purchase","amount":"100.00","merchantAccountNumber":"102551","orderId":"ORDER-12345",' +
  '"sid":"client-generated-session-id","clientTimeStamp":1709912345678}'
export const signature = '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db///' +
  '21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755'

/** {@link body} and {@link signature} for production, which refuses the development token, under a policy. */
export const production = {
  token: 'aProductionTokenThatIsLongEnough',
  body: '{"operationType":"purchase","amount":"100.00","merchantAccountNumber":"102551","orderId":"ORDER-12345",' +
    '"sid":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","clientTimeStamp":1709912345678}',
  signature: '9418f6501342869efae0e8b611fe6666ce35e6b9e07b63b34aa1bc50ee6a9e22///' +
    '7fe5c2ab0593ea5445d78edba5a29cf5fc5626aaacc479bda9d4e4cb0e0cd264'
}

/** Digest of an API key: `printf '%s' key-of-the-office | sha256sum`. */
export const officeKey = '0b1de613ef1d8a750f9092dfe13ce8fd2a2e21424bcf1fdcbf5db7f1402a2553'

/** Sends a request for a signature to the service at `port`. */
export const request = (port: string | number, json: string, headers = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/api/generate-signature`, {
    method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: json
  })

/** Returns the decoded response to {@link body}, or another body, of the service at `port`. */
export const sign = async (port: string | number, json = body): Promise<unknown> => (await request(port, json)).json()
