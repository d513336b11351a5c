// bun.mjs
import { createHandler } from 'payment-signature-backend/fetch'

const handler = createHandler({
  variant: 'A',
  merchantToken: process.env.MERCHANT_TOKEN ?? '',
  strict: true,
  clientAddress: (request, server) => server.requestIP(request).address
})
Bun.serve({ fetch: handler, port: Number(process.env.PORT) })
