// firebase.mjs
// For Cloud Functions too. Both read the body, leave its bytes in rawBody, and respond to invalid JSON themselves.
import functions from '@google-cloud/functions-framework' // Firebase: onRequest of firebase-functions/https
import { createHandler } from 'payment-signature-backend/app'
import { authorize } from './authorize.mjs'

const handler = createHandler({
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
  // Google's proxy appends the client's address to those that the client has written. This is right for the function's
  // own URL. Behind Firebase Hosting or a load balancer, the last address is that of this proxy.
  clientAddress: (_request, { headers, ip }) => headers['x-forwarded-for']?.split(',').at(-1).trim() ?? ip,
  authorize
})
await handler.ready()

functions.http('sign', async (request, response) => {
  const { url, method, headers, rawBody } = request
  const signed = await handler(new Request(new URL(url, 'http://localhost'), { method, headers, body: rawBody }), request)
  response.status(signed.status).set(Object.fromEntries(signed.headers)).send(await signed.text())
})
