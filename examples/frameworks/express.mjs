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
  authorize: ({ context }) => context.user !== undefined || // also compare owner and amount of the order
    { statusCode: 401, error: 'Log in first' }
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
