// fastify.mjs
import Fastify from 'fastify'
import { createHandler } from 'payment-signature-backend/fetch'
import { signingRoute } from './fastify-route.mjs'
import { orderOf, userOf } from './shop.mjs' // your log-in and your orders

const port = Number(process.env.PORT)
if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error('PORT must be a number from 1 to 65535')

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

const handler = createHandler({
  config: {
    MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '',
    POLICY_FILE: './policy.json', // callers and their rights
    RATE_LIMIT_MAX: 300, // requests of one address or caller in a minute
    AUDIT: 'true', // a line in the log for each decision
    CORS_ORIGIN: 'https://shop.example'
  },
  clientAddress: (_request, { ip }) => ip,
  context: (_request, { user }) => ({ user, auditAs: user }),
  authorize
})

const app = Fastify({
  logger: true,
  trustProxy: '127.0.0.1', // nginx on this machine: its X-Forwarded-For is believed
  requestTimeout: 10_000 // milliseconds
})
app.decorateRequest('user')
app.addHook('onRequest', async request => { request.user = userOf(request.headers.cookie) })
app.register(signingRoute, { handler, path: '/payments/api/generate-signature' })
// Your routes.

app.addHook('onClose', () => handler.close())
await handler.ready()
await app.listen({ port, host: '127.0.0.1' })
process.once('SIGTERM', () => app.close())
