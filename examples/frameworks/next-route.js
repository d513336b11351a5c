// app/api/generate-signature/route.js
import { createHandler } from 'payment-signature-backend/app'
import { authorize } from './authorize.mjs'

const handler = createHandler({ // without a token, which a build may lack, each request rejects
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
  clientAddress: request => request.headers.get('x-forwarded-for')?.split(',').at(-1).trim() ?? 'unknown',
  authorize
})

export const POST = request => handler(request)
export const OPTIONS = POST // for CORS_ORIGIN
