// firebase.mjs
import functions from '@google-cloud/functions-framework' // with Firebase: onRequest of firebase-functions/https
import { createHandler } from 'payment-signature-backend/fetch'

const handler = createHandler({
  variant: 'A',
  merchantToken: process.env.MERCHANT_TOKEN ?? '',
  strict: true,
  clientAddress: (_request, { ip }) => ip,
  context: (_request, { headers }) => ({ isLoggedIn: headers.cookie === 'session=1' }), // your log-in
  authorize: ({ request, context }) => { // also compare order, account and amount
    if (!context.isLoggedIn) return { statusCode: 401, error: 'Log in first' }
    return request.operationType === 'purchase' || { statusCode: 403, error: 'Only purchases' }
  }
})

functions.http('sign', async (request, response) => {
  const { url, method, headers, rawBody } = request // Google reads the body, and leaves its bytes
  const signed = await handler(new Request(new URL(url, 'http://localhost'), { method, headers, body: rawBody }), request)
  response.status(signed.status).set(Object.fromEntries(signed.headers)).send(await signed.text())
})
