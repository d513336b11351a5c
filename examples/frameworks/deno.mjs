// deno.mjs
import { createHandler } from 'payment-signature-backend/fetch'

const handler = createHandler({
  variant: 'A',
  merchantToken: Deno.env.get('MERCHANT_TOKEN') ?? '',
  strict: true,
  clientAddress: (_request, { remoteAddr }) => remoteAddr.hostname
})
Deno.serve({ port: Number(Deno.env.get('PORT')) }, handler)
