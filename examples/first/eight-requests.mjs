/*
 * Sends eight requests to a signing endpoint, and compares the answers with those of a safe one of variant A. With
 * variant B, the file has no operationType, and the answers to requests 5 to 8 differ.
 *
 *   node eight-requests.mjs URL [request.json]
 *
 * The file has a purchase. Default: the request.json beside this script. It reads these variables:
 * - COOKIE: session of the shopper who may pay this purchase
 * - OTHER_COOKIE: session of another customer, for whom this is somebody else's unpaid order
 * - KEY: API key of the back office, which may refund
 * Nothing is paid: a signature is no payment.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [url, file = new URL('request.json', import.meta.url)] = process.argv.slice(2)
const { COOKIE = '', OTHER_COOKIE = '', KEY = '' } = process.env
const isCookie = text => /^(?!cookie:)[!-~]+=[ -~]+$/i.test(text)
if (!URL.canParse(url) || !/^[!-~]*$/.test(KEY) || !isCookie(COOKIE) || !isCookie(OTHER_COOKIE)) {
  process.stderr.write('usage: node eight-requests.mjs URL [request.json]\n' +
    'Export COOKIE, OTHER_COOKIE and KEY. A cookie is the value of the header Cookie without its name: session=…\n')
  process.exit(2)
}

/** Returns the purchase of the file. */
function readPurchase () {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    process.stderr.write(`${file.pathname ?? file} cannot be used: ${error.message}\n`)
    process.exit(2)
  }
}

const purchase = { ...readPurchase(), sid: randomUUID(), clientTimeStamp: Date.now() }
const { amount, orderId, ...common } = purchase
const refund = { ...common, operationType: 'refund', amount: '1.00', transactionFCRN: '987654' }
const inquiry = { ...common, operationType: 'inquiry', transactionId: '1.00987654', idType: 'FCRN' } // signs that refund
const session = { cookie: COOKIE }
const otherSession = { cookie: OTHER_COOKIE }
const office = { authorization: `Bearer ${KEY}` }
const stranger = { authorization: 'Bearer psk_nobody' }

const loggedOut = { 401: 'not logged in' }
const sameOwner = { ...loggedOut, '200 signed': 'the owner\'s check is missing, or both sessions are of one account' }
const noRoute = { '200 signed': 'likely AUTHORIZE_URL is missing, or the route allows strangers' }
const unproved = { '200 signed': 'proves nothing while strangers get signatures' }
const officeRefused = {
  '401 api-key': 'KEY and the digest of back-office in the policy do not match: copy the key again, or run ' +
    'payment-signature new-key back-office --policy-file FILE --replace',
  '401 refused': 'likely the route refuses callers with a key, or POLICY_FILE is missing'
}

const checks = [
  ['the purchase, with the session', session, purchase, 200, 'signed', loggedOut],
  ['the purchase, without a session', {}, purchase, 401, 'refused', noRoute],
  ['the purchase, with another customer\'s session', otherSession, purchase, 403, 'refused', sameOwner],
  ['another amount', session, { ...purchase, amount: '0.01' }, 403, 'refused', { '200 signed': 'the amount\'s check is missing' }],
  ['a refund, with the session', session, refund, 403, 'policy'],
  ['a refund, with the key', office, refund, 200, 'signed', officeRefused],
  ['a refund, with an unknown key', stranger, refund, 401, 'api-key-unknown'],
  ['an inquiry that signs this refund', session, inquiry, 400, 'strict', { '200 signed': 'STRICT is missing' }]
]

/** Returns the SHA-256 that part 1 of a signature must be, with variant A and with B. It contains no secret. */
const part1sOf = ({ clientTimeStamp, sid, amount = '', transactionFCRN = '', orderId = '', transactionId = '' }) =>
  [transactionFCRN, orderId, transactionId]
    .map(reference => createHash('sha256').update(`${clientTimeStamp}${sid}${amount}${reference}`).digest('hex'))

/** Likely causes of an answer to any request, by its beginning. */
const general = [
  ['503 authorization-unavailable', 'nothing decided; the service\'s log has the cause'],
  ['503 audit-unavailable', 'AUDIT_FILE cannot be written; the service\'s log has the cause'],
  ['502 ', 'the service does not run, or nginx has another port for it'],
  ['404 ', 'nginx or the shop answers: compare the URL with the location of nginx'],
  ['429 ', 'too many requests: wait a minute'],
  ['no answer, DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed: export NODE_EXTRA_CA_CERTS=FILE']
]

/** Sends a request. Returns the status with `signed` or the error's code, and the error's text. */
async function answer (headers, request) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000)
    })
    const code = response.headers.get('error-code')
    const { signature, error } = await response.json().catch(() => ({}))
    const isSigned = part1sOf(request).some(part1 => signature?.startsWith(`${part1}///`))
    const outcome = code ?? (isSigned ? 'signed' : 'without a signature of this request')
    return { actual: `${response.status} ${outcome}`, text: error === undefined ? '' : ` (${error})` }
  } catch (error) {
    return { actual: `no answer, ${error.cause?.code ?? error.name}`, text: '' }
  }
}

process.stdout.on('error', () => process.exit(1)) // the reader, such as head, has exited
let areStrangersSigned = false
for (const [what, headers, request, status, outcome, causes = {}] of checks) {
  const { actual, text } = await answer(headers, request)
  const isRight = actual.split(';')[0] === `${status} ${outcome}`
  const own = areStrangersSigned && outcome === 'refused' ? { ...causes, ...unproved } : causes
  const [, cause] = [...Object.entries(own), ...general].find(([beginning]) => actual.startsWith(beginning)) ?? []
  areStrangersSigned ||= causes === noRoute && actual === '200 signed'
  process.stdout.write(isRight
    ? `✓ ${what}: ${status} ${outcome}\n`
    : `✗ ${what}: ${actual}${text}; expected ${status} ${outcome}${cause === undefined ? '' : `: ${cause}`}\n`)
  if (!isRight) process.exitCode = 1
}
