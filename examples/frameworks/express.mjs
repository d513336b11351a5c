// express.mjs
import express from 'express'
import Fastify from 'fastify'
import paymentSignature from 'payment-signature-backend/fastify'

const signing = Fastify({ logger: true })
signing.register(paymentSignature, {
  variant: 'A',
  merchantToken: process.env.MERCHANT_TOKEN ?? '',
  strict: true,
  context: ({ raw }) => ({ user: raw.user }),
  authorize: ({ request, context }) => { // also compare order, account and amount
    if (context.user === undefined) return { statusCode: 401, error: 'Log in first' }
    return request.operationType === 'purchase' || { statusCode: 403, error: 'Only purchases' }
  }
})
await signing.ready()

const app = express()
app.use((request, _response, next) => {
  if (request.headers.cookie === 'session=1') request.user = 'me' // your log-in
  next()
})
app.use('/payments', signing.routing) // POST /payments/api/generate-signature
app.use(express.json())
app.listen(process.env.PORT)
