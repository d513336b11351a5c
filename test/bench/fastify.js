import { hash } from 'node:crypto'
import Fastify from 'fastify'
import writeBatching from '../../dist/plugins/signing/write-batching.js'

// A route that computes two hashes and checks no rule of the specification. With WRITE_BATCHING=true, it writes its
// responses as the service does.

const token = process.env.MERCHANT_TOKEN
const app = Fastify()

await app.register(writeBatching, { isOn: process.env.WRITE_BATCHING === 'true' })

app.post('/api/generate-signature', async request => {
  const { clientTimeStamp, sid, amount, orderId, merchantAccountNumber } = request.body
  const part1 = hash('sha256', `${clientTimeStamp}${sid}${amount}`, 'hex')
  const part2 = hash('sha256', `${clientTimeStamp}${orderId}${token}${merchantAccountNumber}${amount}`, 'hex')
  return { signature: `${part1}///${part2}` }
})

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
