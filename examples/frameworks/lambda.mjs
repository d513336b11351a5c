// lambda.mjs
import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { createHandler } from 'payment-signature-backend/fetch'

const sign = createHandler({
  variant: 'A',
  merchantToken: process.env.MERCHANT_TOKEN ?? '',
  strict: true,
  clientAddress: (_request, c) => c.env.event.requestContext.http.sourceIp
})

const app = new Hono()
app.post('/api/generate-signature', c => sign(c.req.raw, c))
export const handler = handle(app)
