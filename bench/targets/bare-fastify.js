import Fastify from 'fastify'
import { signPurchase } from './purchase.js'

const app = Fastify()
app.post('/api/generate-signature', async request => ({ signature: signPurchase(request.body) }))
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
