import cors from 'cors'
import express from 'express'
import { faultIn, sign } from './variant-a.js'

const app = express()
app.use(cors())
app.use(express.json())

app.post('/api/generate-signature', (request, response) => {
  try {
    const error = faultIn(request.body)
    if (error) return response.status(400).json({ error })
    response.json({ signature: sign(request.body, process.env.MERCHANT_TOKEN) })
  } catch (failure) {
    response.status(500).json({ error: failure.message })
  }
})

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message })
})

app.listen(Number(process.env.PORT), '127.0.0.1')
