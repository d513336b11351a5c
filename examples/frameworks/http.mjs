// http.mjs
// For plain node:http, and for each server that has its request and response, before any body parser.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { createHandler } from 'payment-signature-backend/app'
import { authorize } from './authorize.mjs'

const handler = createHandler({
  // nginx on this machine: its X-Forwarded-For is believed.
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true', TRUST_PROXY: '127.0.0.1' },
  clientAddress: (_request, { socket }) => socket.remoteAddress,
  authorize
})

async function sign (request, response) {
  const { method, headers } = request
  const body = method === 'POST' ? Readable.toWeb(request) : undefined
  const init = { method, headers, body, duplex: 'half' }
  const signed = await handler(new Request('http://localhost/api/generate-signature', init), request)
  response.writeHead(signed.status, Object.fromEntries(signed.headers)).end(await signed.text())
}

const server = createServer((request, response) => {
  const isOurs = request.url === '/api/generate-signature' && ['POST', 'OPTIONS'].includes(request.method)
  if (isOurs) sign(request, response).catch(error => response.destroy(error)) // such as a client that has left
  else response.writeHead(404).end() // your routes
})
await handler.ready()
server.listen(Number(process.env.PORT), '127.0.0.1')
