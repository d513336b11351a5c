import { hash } from 'node:crypto'
import cors from 'cors'
import express from 'express'
import { refusals } from '../../dist/src/scheme/errors.js'

// Variant A of the specification on Express 5, without the guards of the service.

/** Returns the message of a refusal (specification 4.1, steps 1 to 5), or undefined. */
function faultIn (request) {
  if (parseFloat(String(request.amount)) <= 0) return refusals.ERR_AMOUNT_NOT_POSITIVE
  if (!request.merchantAccountNumber && !request.accountNumber) return refusals.ERR_ACCOUNT_NUMBER_REQUIRED
  if (request.sid == null || request.sid === '') return refusals.ERR_SID_REQUIRED
  if (request.clientTimeStamp == null) return refusals.ERR_CLIENT_TIMESTAMP_REQUIRED
}

function toOptional (value) {
  if (value === undefined || value === null) return ''
  const text = String(value)
  return text === 'undefined' || text === 'null' ? '' : text
}

function derive (request) {
  const amount = toOptional(request.amount)
  const orderId = toOptional(request.orderId)
  const transactionId = toOptional(request.transactionId)
  switch (toOptional(request.operationType).toLowerCase()) {
    case 'refund': return { amount, referenceNumber: toOptional(request.transactionFCRN), orderId }
    case 'void': return { amount: '', referenceNumber: toOptional(request.transactionFCRN), orderId }
    case 'inquiry': {
      const isOrderId = toOptional(request.idType).toUpperCase() === 'ORDER_ID'
      return { amount: '', referenceNumber: transactionId, orderId: isOrderId ? transactionId : '' }
    }
    default: return { amount, referenceNumber: '', orderId }
  }
}

function sign (request) {
  const { sid, clientTimeStamp } = request
  if (typeof sid !== 'string' || sid.trim() === '') throw new Error('sid must be a non-empty string')
  const { amount, referenceNumber, orderId } = derive(request)
  const token = request.merchantToken || process.env.MERCHANT_TOKEN
  const accountNumber = request.merchantAccountNumber || request.accountNumber
  const part1 = `${clientTimeStamp}${sid}${amount}${referenceNumber}`
  const part2 = `${clientTimeStamp}${orderId || 'null'}${token}${accountNumber}${amount}${referenceNumber}`
  return `${hash('sha256', part1, 'hex')}///${hash('sha256', part2, 'hex')}`
}

const app = express()
app.use(cors())
app.use(express.json())

app.post('/api/generate-signature', (request, response) => {
  try {
    const error = faultIn(request.body)
    if (error) return response.status(400).json({ error })
    response.json({ signature: sign(request.body) })
  } catch (failure) {
    response.status(500).json({ error: failure.message })
  }
})

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message })
})

app.listen(Number(process.env.PORT), '127.0.0.1')
