// hono.mjs
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { createHandler } from 'payment-signature-backend/fetch'

const handler = createHandler({
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
  clientAddress: (_request, c) => getConnInfo(c).remote.address,
  context: (_request, c) => ({ user: c.get('user') }),
  authorize: ({ request, context }) => { // also compare order, account and amount
    if (context.user === undefined) return { statusCode: 401, error: 'Log in first' }
    return request.operationType === 'purchase' || { statusCode: 403, error: 'Only purchases' }
  }
})

const app = new Hono()
app.use(async (c, next) => {
  if (c.req.header('cookie') === 'session=1') c.set('user', 'me') // your log-in
  await next()
})
app.on(['POST', 'OPTIONS'], '/api/generate-signature', c => handler(c.req.raw, c)) // OPTIONS for CORS_ORIGIN
serve({ fetch: app.fetch, port: Number(process.env.PORT) })
