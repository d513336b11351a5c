import { hash } from 'node:crypto'

// The service as the specification has it, written down without further thought: what the peers answer with.

/** What a request is refused with (specification 4.1, steps 1 to 5), or undefined. */
export function faultIn (request) {
  if (parseFloat(String(request.amount)) <= 0) return 'Invalid amount: amount must be greater than 0'
  if (!request.merchantAccountNumber && !request.accountNumber) return 'merchantAccountNumber or accountNumber is required'
  if (request.sid == null || request.sid === '') return 'sid is required (client-generated session ID)'
  if (request.clientTimeStamp == null) return 'clientTimeStamp is required (client-generated timestamp)'
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

const oneShot = text => hash('sha256', text, 'hex')

/** The signature of variant A; throws if the `sid` is not valid. */
export function sign (request, token, hash256 = oneShot) {
  const { sid, clientTimeStamp } = request
  if (typeof sid !== 'string' || sid.trim() === '') throw new Error('sid must be a non-empty string')
  const { amount, referenceNumber, orderId } = derive(request)
  const accountNumber = request.merchantAccountNumber || request.accountNumber
  const part1 = `${clientTimeStamp}${sid}${amount}${referenceNumber}`
  const part2 = `${clientTimeStamp}${orderId || 'null'}${request.merchantToken || token}${accountNumber}${amount}${referenceNumber}`
  return `${hash256(part1)}///${hash256(part2)}`
}
