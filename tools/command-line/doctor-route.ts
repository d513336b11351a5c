import { randomUUID } from 'node:crypto'
import { backendAt } from '../../src/guards/authorize/backend.js'
import { fieldsOf, type SignatureRequest } from '../../src/scheme/request.js'
import { alsoSignedLike } from '../../src/scheme/same-signature.js'
import { readerOf, type Variant } from '../../src/scheme/variants.js'
import { adviceOn, found, type Advice, type Check, type Finding } from './finding.js'

type Headers = Readonly<Record<string, string>>

/** Orders and sessions that the questions are about. */
interface Shop {
  readonly variant: Variant
  /** Fields of the purchase of an unpaid order: a real one, if it has an orderId. */
  readonly unpaid: Partial<SignatureRequest>
  /** The purchase of a paid order of the same customer. */
  readonly paid?: SignatureRequest | undefined
  /** Headers of the session of this customer, and of another customer. */
  readonly sessions: readonly Headers[]
}

/** A question, the beginning of the right answer, and the likely causes of other answers. */
type Question = readonly [name: string, asker: Asker, request: object, right: string, causes: Advice]

interface Asker { readonly caller?: string, readonly headers?: Headers }

/** Time-out of the service for each answer, in milliseconds. */
const timeout = 2000

const speaksTls = 'Does the port speak TLS? Write https into the URL, or into proxy_pass of may-sign.conf.'
const exempt = 'Exempt the route from CSRF protection and from a log-in in front of it. Does the shop check the host name? ' +
  'Use the port of may-sign.conf, and let the shop accept the name that nginx sends.'

/** Advice about an answer that decides nothing, beside the likely cause that the service names. */
export const undecided: Advice = [
  [/AUTHORIZE_URL leads to this service/, 'Write the URL of the shop\'s route, with the port of may-sign.conf.'],
  [/^ECONNREFUSED/, 'Nothing listens there: is /etc/nginx/conf.d/may-sign.conf written, and nginx reloaded?'],
  [/^(?:EPROTO|ERR_SSL)/, 'Likely the port does not speak TLS: write http into the URL, or correct the port.'],
  [/^(?:ECONNRESET|EPIPE)/, `Likely the shop crashes in the request: read its log. ${speaksTls}`],
  [/^(?:no connection|ETIMEDOUT)/, 'Likely a firewall or an egress rule drops the packets: is the host of the URL right?'],
  [/^no answer/, 'Likely the route is slow or hangs, or the shop has one worker, which is busy. It needs two: a page waits for the service, which waits for the route.'],
  [/^status 200, .*another page/, 'Likely a log-in page: exempt the route from the log-in. Otherwise, compare the path of the URL with that of the route.'],
  [/^status 30/, 'To a log-in page: exempt the route from the log-in. To https: use the port of may-sign.conf, and let the shop trust its X-Forwarded-Proto. To a slash: declare the route without it.'],
  [/^status 404/, 'The path of the route is wrong, the shop runs without it, or this is the public address, where nginx closes it: use the port of may-sign.conf.'],
  [/^status 400/, `${exempt} ${speaksTls}`],
  [/^status 4/, exempt],
  [/^status 50[24]/, 'Likely the shop does not run at the address in /etc/nginx/conf.d/may-sign.conf, or it crashes or hangs in the request: read its log, and the error log of nginx.'],
  [/^status 5/, 'Read the shop\'s log: the route may need a field that this question does not have.']
]

const keyFirst: Advice = [[/^/, 'A caller other than anonymous has an API key, and the policy decides: allow it before anything else.']]
const loggedOut = [/401/, 'The shop does not know this session: copy the header of a page that is logged in. Is a session bound to an address?'] as const

/** Returns the questions in the order of the report. */
function questionsFor ({ variant, unpaid, paid, sessions: [own, other] }: Shop): Question[] {
  const isA = variant === 'A'
  const purchase = { ...isA && { operationType: 'purchase' }, amount: '1.00', merchantAccountNumber: '102551', orderId: '1', ...unpaid }
  const { amount, orderId, ...common } = purchase
  const refund = isA ? { ...common, operationType: 'refund', amount: '1.00', transactionFCRN: '987654' } : purchase
  const inquiry = { ...common, operationType: 'inquiry', idType: 'ORDER_ID', transactionId: 'payment-signature-probe' }
  const customer = own && { headers: own }
  const withKey = (caller: string): Asker => ({ caller, headers: { authorization: 'Bearer psk_doctor' } }) // as a client sends it
  const asked: Question[] = [
    ['stranger', {}, purchase, 'refused with 401', [
      [/^allowed/, 'EVERYBODY GETS SIGNATURES: check the session before you allow.'],
      [/^/, 'Refuse a request without a session with 401, whatever its order is: the alert expects it.']
    ]],
    ['key', withKey('back-office'), refund, 'allowed', keyFirst],
    ...isA ? [['inquiry', withKey('probe'), inquiry, 'allowed', keyFirst] as const] : [],
    ['no order', { ...customer }, { ...common, amount: '1.00' }, 'refused', [[/^/, 'A purchase without orderId has no order: refuse it.']]]
  ]
  if (customer && unpaid.orderId !== undefined) {
    asked.push(['unpaid', customer, purchase, 'allowed', [loggedOut, [/409/, 'The order is paid: take an unpaid one.'],
      [/^/, 'Is it a real unpaid order of this customer, with the amount as the shop writes it, such as 100.00? Then likely the route compares wrongly: ' +
        'compare owner, account number and amount as text.']]])
    asked.push(['amount', customer, { ...purchase, amount: '0.01' }, 'refused with 403', [[/^/, 'The check of the amount is missing.']]])
    if (other) {
      asked.push(['owner', { headers: other }, purchase, 'refused with 403', [loggedOut,
        [/^/, 'The check of the owner is missing, or both sessions are of one customer.']]])
    }
  }
  if (customer && paid) {
    asked.push(['paid', customer, paid, 'refused with 409', [[/^allowed/, 'A paid order can be paid twice: check it.'],
      [/^/, 'This proves nothing: likely the order is not of this customer, or has another amount.']]])
  }
  return asked
}

/** Asks the route as the service does. Returns its decision as a text, or the reason why it made none. */
async function outcomeOf (ask: ReturnType<typeof backendAt>, variant: Variant, { caller = 'anonymous', headers = {} }: Asker, request: object) {
  const own = { ...request, sid: randomUUID(), clientTimeStamp: Date.now() } as SignatureRequest
  const reading = readerOf(variant).read(own)
  const { authorization, cookie, traceparent } = headers
  try {
    const answer = await ask({
      request: fieldsOf(reading),
      alsoSignedLike: alsoSignedLike(reading),
      caller,
      clientAddress: '127.0.0.1',
      context: undefined,
      headers: { authorization, cookie, traceparent },
      requestId: randomUUID()
    })
    const [code = ''] = /^[\w.-]{1,64}$/.exec(String(answer.code ?? '')) ?? []
    return { isDecided: true, outcome: answer.allowed ? 'allowed' : `refused with ${answer.statusCode} ${code}`.trim() }
  } catch (error) {
    return { isDecided: false, outcome: (error as Error).message }
  }
}

/** Asks all questions, and returns a finding for each, and for what they do not prove. */
export async function examineRoute (url: string, shop: Shop): Promise<Check[]> {
  const ask = backendAt(url, timeout)
  const checks: Check[] = []
  const add = (name: string, finding: Finding) => checks.push({ name, ...finding })
  for (const [name, asker, request, right, causes] of questionsFor(shop)) {
    if (/amount|owner/.test(name) && checks.some(({ name, status }) => name === 'unpaid' && status === 'failed')) {
      add(name, found('skipped', 'proves nothing until the unpaid order is allowed'))
      continue
    }
    const { isDecided, outcome } = await outcomeOf(ask, shop.variant, asker, request)
    add(name, isDecided && outcome.startsWith(right)
      ? found('ok', outcome)
      : found('failed', `${outcome}; the right answer: ${right}`, adviceOn(outcome, isDecided ? causes : undecided)))
    if (!isDecided && name === 'stranger') { // the others would have the same answer
      if (shop.sessions.length < 2) break
      add('owner', found('skipped', 'NOT PROVED: ask again when the route answers'))
      return checks
    }
  }
  const lacks = (missing: string) => checks.every(({ name }) => name !== missing)
  if (lacks('owner')) {
    add('owner', found('skipped', 'NOT PROVED that only its customer may pay an order: pass --request with a real unpaid order, and ' +
      '--headers-file twice, with the session of its customer and of another one'))
  }
  if (lacks('paid')) add('paid', found('skipped', 'not proved: pass --other-request with a paid order of the first session\'s customer'))
  return checks
}
