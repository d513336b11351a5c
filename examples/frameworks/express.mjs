// express.mjs
import { randomUUID } from 'node:crypto'
import express from 'express'
import Fastify from 'fastify'
import paymentSignature from 'payment-signature-backend/fastify'
import { orderOf, userOf } from './shop.mjs' // your log-in and your orders

const port = Number(process.env.PORT)
if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error('PORT must be a number from 1 to 65535')
const proxy = '127.0.0.1' // nginx on this machine: its X-Forwarded-For is believed

/** Decides after key, policy and rate. The values of `request` are the texts that will be signed. */
async function authorize ({ request, caller, context }) {
  if (caller === 'back-office') return true // has a key: the policy says what it may do
  if (context.user === undefined) return { statusCode: 401, code: 'LOG_IN', error: 'Log in first' }
  const order = await orderOf(request.orderId)
  const isExpected = request.operationType === 'purchase' && order?.user === context.user &&
    request.merchantAccountNumber === order.accountNumber && request.amount === (order.cents / 100).toFixed(2)
  if (!isExpected) return { statusCode: 403, code: 'NOT_YOUR_ORDER', error: 'Not your order' }
  return order.isPaid ? { statusCode: 409, code: 'ALREADY_PAID', error: 'Already paid' } : true
}

const signing = Fastify({ logger: true, trustProxy: proxy, genReqId: () => randomUUID() })
signing.addHook('onRequest', async (request, reply) => {
  reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
})
signing.addHook('onResponse', async (request, reply) => {
  if (reply.statusCode >= 400) request.log.warn({ code: reply.getHeader('error-code') }, 'refused')
})
signing.register(paymentSignature, {
  variant: 'A',
  merchantToken: process.env.MERCHANT_TOKEN ?? '',
  policy: './policy.json', // callers and their rights
  rateLimitMax: 300, // requests of one address or caller in a minute
  context: ({ raw }) => ({ user: raw.user, auditAs: raw.user }),
  authorize,
  audit: true // a line in the log for each decision
})
await signing.ready()

const app = express()
app.set('trust proxy', proxy)
app.use((request, _response, next) => {
  request.user = userOf(request.headers.cookie)
  next()
})
app.use('/payments', signing.routing) // POST /payments/api/generate-signature, before express.json()
app.use(express.json())
// Your routes.

const server = app.listen(port, '127.0.0.1', error => {
  if (error) throw error
})
process.once('SIGTERM', () => server.close(() => signing.close()))
