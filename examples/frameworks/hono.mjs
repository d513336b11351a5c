// hono.mjs
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { createHandler } from 'payment-signature-backend/app'
import { authorize } from './authorize.mjs'

const handler = createHandler({
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
  clientAddress: (_request, c) => getConnInfo(c).remote.address,
  authorize
})

const app = new Hono()
app.on(['POST', 'OPTIONS'], '/api/generate-signature', c => handler(c.req.raw, c)) // OPTIONS for CORS_ORIGIN
await handler.ready()
serve({ fetch: app.fetch, port: Number(process.env.PORT) })
