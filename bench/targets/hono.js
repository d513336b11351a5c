import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { faultIn, sign } from './variant-a.js'

const app = new Hono()
app.use(cors())

app.post('/api/generate-signature', async context => {
  const body = await context.req.json()
  const error = faultIn(body)
  if (error) return context.json({ error }, 400)
  return context.json({ signature: sign(body, process.env.MERCHANT_TOKEN) })
})

app.onError((error, context) => context.json({ error: error.message }, 500))

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) })
