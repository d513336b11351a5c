// hono.mjs
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { createHandler } from 'payment-signature-backend/fetch'

const handler = createHandler({
  variant: 'A',
  merchantToken: process.env.MERCHANT_TOKEN ?? '',
  strict: true,
  clientAddress: (_request, c) => getConnInfo(c).remote.address,
  context: (_request, c) => ({ user: c.get('user') }),
  authorize: ({ context }) => context.user !== undefined || // also compare owner and amount of the order
    { statusCode: 401, error: 'Log in first' }
})

const app = new Hono()
app.use(async (c, next) => {
  if (c.req.header('cookie') === 'session=1') c.set('user', 'me') // your log-in
  await next()
})
app.post('/api/generate-signature', c => handler(c.req.raw, c))
serve({ fetch: app.fetch, port: Number(process.env.PORT) })
