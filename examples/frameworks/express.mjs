// express.mjs
import express from 'express'
import { createHandler } from 'payment-signature-backend/fetch'

const handler = createHandler({
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
  clientAddress: (_request, { ip }) => ip,
  context: (_request, { user }) => ({ user }), // of your log-in, which runs before
  authorize: ({ context }) => context.user !== undefined || { statusCode: 401, error: 'Log in first' }
})

const app = express()
app.use((request, _response, next) => { // your log-in
  if (request.headers.cookie === 'session=1') request.user = 'me'
  next()
})
// Before express.json(): the handler gets the bytes that the client sent.
app.post('/api/generate-signature', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
  const { method, headers, body } = request
  const bytes = Buffer.isBuffer(body) ? body : null // an empty body is none
  const signed = await handler(new Request('http://localhost/api/generate-signature', { method, headers, body: bytes }), request)
  response.status(signed.status).set(Object.fromEntries(signed.headers)).send(Buffer.from(await signed.arrayBuffer()))
})
app.listen(Number(process.env.PORT))
