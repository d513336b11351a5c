// fastify.mjs
import Fastify from 'fastify'
import { createHandler } from 'payment-signature-backend/app'
import { authorize } from './authorize.mjs'
import { signingRoute } from './fastify-route.mjs'

const port = Number(process.env.PORT)
if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error('PORT must be a number from 1 to 65535')

const handler = createHandler({
  config: {
    MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '',
    POLICY_FILE: './policy.json', // callers and their rights
    RATE_LIMIT_MAX: 300, // requests of one address or caller in a minute
    AUDIT: true, // a line in the log for each decision
    CORS_ORIGIN: 'https://shop.example'
  },
  clientAddress: (_request, { ip }) => ip,
  authorize
})

const app = Fastify({
  logger: true,
  trustProxy: '127.0.0.1', // nginx on this machine: its X-Forwarded-For is believed
  requestTimeout: 10_000 // milliseconds
})
app.register(signingRoute, { handler, path: '/payments/api/generate-signature' })
// Your routes.

app.addHook('onClose', () => handler.close())
await handler.ready()
await app.listen({ port, host: '127.0.0.1' })
process.once('SIGTERM', () => app.close())
