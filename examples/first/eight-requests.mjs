/*
 * Sends eight requests to a signing endpoint, and compares the answers with those of a safe one of variant A. With
 * variant B, the file has no operationType, and the answers to requests 6 to 8 differ.
 *
 *   COOKIE=session=… OTHER_COOKIE=session=… KEY=psk_… node eight-requests.mjs URL [request.json]
 *
 * The file has a purchase that the shopper with COOKIE may pay. Default: the request.json beside this script.
 * OTHER_COOKIE is the session of another shopper, for whom this is a real unpaid order of somebody else. KEY is the API
 * key of the back office, which may refund. Nothing is paid: a signature is no payment.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [url, file = new URL('request.json', import.meta.url)] = process.argv.slice(2)
const { COOKIE = '', OTHER_COOKIE = '', KEY = '' } = process.env
const isCookie = text => /^(?!cookie:)[!-~]+=[ -~]+$/i.test(text)
if (!URL.canParse(url) || !isCookie(COOKIE) || KEY === '') {
  process.stderr.write('usage: COOKIE=session=… OTHER_COOKIE=session=… KEY=psk_… node eight-requests.mjs URL [request.json]\n' +
    'A cookie is the value of the header Cookie, without its name.\n')
  process.exit(2)
}

const purchase = { ...JSON.parse(readFileSync(file, 'utf8')), sid: randomUUID(), clientTimeStamp: Date.now() }
const { amount, orderId, ...common } = purchase
const refund = { ...common, operationType: 'refund', amount: '1.00', transactionFCRN: '987654' }
const inquiry = { ...common, operationType: 'inquiry', transactionId: '1.00987654', idType: 'FCRN' } // signs that refund
const session = { cookie: COOKIE }
const otherSession = isCookie(OTHER_COOKIE) ? { cookie: OTHER_COOKIE } : undefined
const office = { authorization: `Bearer ${KEY}` }

const checks = [
  ['the purchase, with the session', session, purchase, 200, 'signed'],
  ['the purchase, without a session', {}, purchase, 401, 'refused'],
  ['another amount', session, { ...purchase, amount: '0.01' }, 403, 'refused'],
  ['another order', session, { ...purchase, orderId: 'NO-SUCH-ORDER' }, 403, 'refused'],
  ['the purchase, with another shopper\'s session', otherSession, purchase, 403, 'refused'],
  ['a refund, with the session', session, refund, 403, 'policy'],
  ['a refund, with the key', office, refund, 200, 'signed'],
  ['an inquiry that signs this refund', session, inquiry, 400, 'strict']
]

/** Returns the SHA-256 that part 1 of a signature must be, with variant A and with B. It contains no secret. */
const part1sOf = ({ clientTimeStamp, sid, amount, transactionFCRN = '', orderId = '' }) => [transactionFCRN, orderId]
  .map(reference => createHash('sha256').update(`${clientTimeStamp}${sid}${amount}${reference}`).digest('hex'))

/** Sends a request. Returns the status with `signed` for its signature, or with the code of the error. */
async function answer (headers, request) {
  if (headers === undefined) return 'not sent; log in as another shopper, and set OTHER_COOKIE to that header Cookie'
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000)
    })
    const code = response.headers.get('error-code')
    const { signature } = await response.json().catch(() => ({}))
    const isSigned = part1sOf(request).some(part1 => signature?.startsWith(`${part1}///`))
    return `${response.status} ${code ?? (isSigned ? 'signed' : 'without a signature of this request')}`
  } catch (error) {
    return `no answer, ${error.cause?.code ?? error.message}`
  }
}

for (const [what, headers, request, status, outcome] of checks) {
  const actual = await answer(headers, request)
  const isRight = actual.split(';')[0] === `${status} ${outcome}`
  process.stdout.write(isRight ? `✓ ${what}: ${status} ${outcome}\n` : `✗ ${what}: ${actual}; expected ${status} ${outcome}\n`)
  if (!isRight) process.exitCode = 1
}
