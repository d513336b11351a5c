/*
 * Prints what is wrong with a signing endpoint of variant A, for cron to mail. Prints nothing if all is well.
 *
 *   node alert.mjs URL KEY_FILE [request.json]
 *
 * KEY_FILE has the API key of a caller that may sign inquiries. The file has a purchase. Default: the request.json
 * beside this script.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [url, keyFile, file = new URL('request.json', import.meta.url)] = process.argv.slice(2)
const purchase = { ...JSON.parse(readFileSync(file, 'utf8')), sid: randomUUID(), clientTimeStamp: Date.now() }
const { amount, orderId, ...common } = purchase
const inquiry = { ...common, operationType: 'inquiry', idType: 'ORDER_ID', transactionId: 'payment-signature-probe' }
const key = { authorization: `Bearer ${readFileSync(keyFile, 'utf8').trim()}` }

/** Sends a request. Returns its status and the reason, or the error of the network or of TLS. */
async function answer (headers, request) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000)
    })
    await response.arrayBuffer()
    return `${response.status} ${response.headers.get('error-code') ?? ''}`.trim()
  } catch (error) {
    return `no answer, ${error.cause?.code ?? error.message}`
  }
}

for (const [what, headers, request, expected] of [
  ['a stranger\'s purchase', {}, purchase, '401'],
  ['an inquiry with the key', key, inquiry, '200']
]) {
  const actual = await answer(headers, request)
  if (actual.split(' ')[0] === expected) continue
  const meaning = expected === '401' && actual.startsWith('200')
    ? 'EVERYBODY GETS SIGNATURES'
    : 'shoppers may be unable to pay; read the log'
  process.stdout.write(`${url}: ${what} got ${actual}, expected ${expected}: ${meaning}\n`)
  process.exitCode = 1
}
