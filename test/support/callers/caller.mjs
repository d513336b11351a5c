import { createInterface } from 'node:readline'
import { SignatureClient, SignatureError } from './signature-client.mjs'

async function call (line) {
  const [url, key, timeout, attempts, ...fields] = line.split('\t')
  const request = Object.fromEntries(fields.map(field => field.split('=')))
  if (request.clientTimeStamp) request.clientTimeStamp = Number(request.clientTimeStamp)
  try {
    return await new SignatureClient(url, { key, timeout: Number(timeout), attempts: Number(attempts) }).sign(request)
  } catch (error) {
    if (!(error instanceof SignatureError)) return `argument: ${error.message}`
    const { status, code, field, reason, requestId, retryAfter, message } = error
    return [status, code, field, reason, requestId, retryAfter, message].join('|')
  }
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${await call(line)}\n`)
