// app/api/generate-signature/route.js
import { createHandler } from 'payment-signature-backend/fetch'

const handler = createHandler({
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
  clientAddress: request => request.headers.get('x-forwarded-for')?.split(',').at(-1).trim() ?? 'unknown'
})

export const POST = request => handler(request)
export const OPTIONS = POST // for CORS_ORIGIN
