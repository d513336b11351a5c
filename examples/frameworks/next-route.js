// app/api/generate-signature/route.js
import { createHandler } from 'payment-signature-backend/fetch'

const handler = createHandler({
  variant: 'A',
  merchantToken: process.env.MERCHANT_TOKEN ?? '',
  strict: true,
  clientAddress: request => request.headers.get('x-forwarded-for')?.split(',').at(-1).trim() ?? 'unknown'
})

export const POST = request => handler(request)
export const OPTIONS = POST // for corsOrigin
