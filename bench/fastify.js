import { hash } from 'node:crypto'
import Fastify from 'fastify'

// A route that computes two hashes and checks no rule of the specification.

const token = process.env.MERCHANT_TOKEN
const app = Fastify()

app.post('/api/generate-signature', async request => {
  const { clientTimeStamp, sid, amount, orderId, merchantAccountNumber } = request.body
  const part1 = hash('sha256', `${clientTimeStamp}${sid}${amount}`, 'hex')
  const part2 = hash('sha256', `${clientTimeStamp}${orderId}${token}${merchantAccountNumber}${amount}`, 'hex')
  return { signature: `${part1}///${part2}` }
})

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
