import { verify } from '../scheme/verify.js'
import type { SignatureRequest } from '../scheme/signature-request.js'
import { isLoopback } from './is-loopback.js'
import type { Variant } from '../scheme/variant.js'
import { ask, NoAnswerError } from './ask.js'
import type { Answer } from './ask.js'

/** What one check has found. */
export interface Finding {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
  /** What to do; empty if nothing. */
  readonly advice: string
}

export interface Subject {
  /** Where the service is, without a final slash. */
  readonly base: string
  /** The page that calls it; undefined if none does. */
  readonly origin: string | undefined
  readonly apiKey: string | undefined
  /** What the service is thought to sign with. */
  readonly merchantToken: string | undefined
  /** What to have signed. */
  readonly probe: SignatureRequest
  /** For each answer, in milliseconds. */
  readonly timeout: number
}

const path = '/api/generate-signature'

/** The Date header has whole seconds; this is more than that, and less than a time stamp may be off anywhere. */
const tolerable = { warning: 2000, failure: 30_000 } // milliseconds

const ok = (name: string, detail: string): Finding => ({ name, status: 'ok', detail, advice: '' })
const failed = (name: string, detail: string, advice: string): Finding => ({ name, status: 'failed', detail, advice })
const skipped = (name: string, detail: string): Finding => ({ name, status: 'skipped', detail, advice: '' })

const isJson = ({ headers }: Answer): boolean => /^application\/json\b/i.test(headers['content-type'] ?? '')

function membersOf ({ body }: Answer): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

/** The message of an error as the service writes it: JSON of one member. */
function errorIn (answer: Answer): string | undefined {
  const members = membersOf(answer)
  return isJson(answer) && typeof members.error === 'string' && Object.keys(members).length === 1 ? members.error : undefined
}

const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400

const describe = (answer: Answer): string => {
  const { status, headers } = answer
  if (isRedirect(answer)) return `${status}, a redirect to ${headers.location ?? 'nowhere'}`
  return `${status}, ${errorIn(answer) ?? headers['content-type'] ?? 'no content type'}`
}

const redirectAdvice = (base: string): string =>
  `Give clients the URL that it leads to instead of ${base}: a redirected POST arrives as a GET or not at all, and ` +
  'browsers refuse a redirected preflight.'

/** The path that the service says it was asked for, if it is the service that does not know it. */
const seenPath = (answer: Answer): string | undefined =>
  /^(?:Not Found|Method Not Allowed): \w+ (\S+)$/.exec(errorIn(answer) ?? '')?.[1]

function adviceOnPath (answer: Answer, wanted: string): string {
  const seen = seenPath(answer)
  return seen === undefined
    ? 'Something else answers there: look at host, port and path prefix of the URL, and where the proxy sends it.'
    : `The service was asked for ${seen}: let the proxy strip the prefix, so that it is asked for ${wanted}.`
}

function checkHealth (subject: Subject, answer: Answer): Finding {
  const name = 'health'
  const { ok: isOk, service, variant } = membersOf(answer)
  if (isRedirect(answer)) return failed(name, `GET /health: ${describe(answer)}`, redirectAdvice(subject.base))
  if (answer.status !== 200 || isOk !== true || service !== 'payment-signature-backend' || (variant !== 'A' && variant !== 'B')) {
    return failed(name, `GET /health: ${describe(answer)}`, adviceOnPath(answer, '/health'))
  }
  return ok(name, `variant ${variant}, ${Math.round(answer.took)} ms`)
}

function checkClock ({ headers, took, receivedAt }: Answer): Finding {
  const name = 'clock'
  const date = Date.parse(headers.date ?? '')
  if (Number.isNaN(date)) return skipped(name, 'the answer has no Date header')
  const skew = date + 500 - (receivedAt - took / 2) // the header lacks the fraction of the second
  const surely = Math.max(0, Math.abs(skew) - 500 - took / 2)
  if (surely <= tolerable.warning) return ok(name, 'the service and this machine agree')
  const detail = `the service is ${(surely / 1000).toFixed(0)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`
  const advice = 'Set both clocks by NTP: the payment side may refuse a clientTimeStamp that is off.'
  return { name, status: surely > tolerable.failure ? 'failed' : 'warning', detail, advice }
}

/** Whether the endpoint is where it should be, without a detour. */
function checkAddress ({ base }: Subject, answer: Answer): Finding {
  const name = 'address'
  if (isRedirect(answer)) return failed(name, `POST ${path}: ${describe(answer)}`, redirectAdvice(base))
  if (answer.status === 404 || answer.status === 405) {
    return failed(name, `POST ${path}: ${describe(answer)}`, adviceOnPath(answer, path))
  }
  return ok(name, `POST ${path} arrives, without a redirect`)
}

/** Whether a request that nobody can sign gets the service's own answer. */
function checkErrors (answer: Answer): Finding {
  const name = 'errors'
  const error = errorIn(answer)
  const { status } = answer
  if (error === undefined) {
    return failed(name, `a bad request gets ${describe(answer)}`,
      'The proxy answers itself, or rewrites errors: clients need the service\'s JSON, { "error": "…" }.')
  }
  if (status === 429 || status >= 500) {
    return failed(name, `a bad request gets ${status}, ${error}`, status === 429
      ? `Too many requests: wait ${answer.headers['retry-after'] ?? 'some'} seconds and try again.`
      : 'The service cannot answer: look into its log.')
  }
  return ok(name, `${status} and JSON: ${error}`)
}

/** Whether a browser would let a page of the origin send the request, and read the answer. */
export function checkCors (base: string, origin: string, preflight: Answer, answer: Answer): Finding {
  const name = 'cors'
  const { protocol, hostname } = new URL(base)
  if (origin.startsWith('https:') && protocol === 'http:' && !isLoopback(hostname)) {
    return failed(name, `a page of ${origin} may not call ${base}`, 'Browsers refuse http from an https page: put the service behind TLS.')
  }
  if (preflight.status < 200 || preflight.status > 299) {
    return failed(name, `OPTIONS ${path}: ${describe(preflight)}`, isRedirect(preflight)
      ? redirectAdvice(base)
      : 'Browsers send preflights without credentials: let the proxy pass OPTIONS on to the service.')
  }
  for (const [what, { headers }] of [['the preflight', preflight], ['the answer', answer]] as const) {
    const allowed = headers['access-control-allow-origin']
    if (allowed === origin || allowed === '*') continue
    return failed(name, `${what} allows ${allowed ?? 'no origin'}`, allowed?.includes(',')
      ? 'There are two headers: let either the proxy or the service write Access-Control-Allow-Origin, not both.'
      : `Add ${origin} to CORS_ORIGIN, exactly so, and restart; if it is there, the proxy drops the header.`)
  }
  const allowed = (preflight.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/[ ,]+/)
  if (!allowed.includes('content-type') && !allowed.includes('*')) {
    return failed(name, 'the preflight does not allow Content-Type', 'Let the proxy pass OPTIONS on to the service, and its answer back.')
  }
  return ok(name, `pages of ${origin} may call and read`)
}

/** Whether what it signs is the signature, as far as that can be told without the token. */
function checkSignature ({ probe, apiKey, merchantToken }: Subject, variant: Variant, answer: Answer): Finding {
  const name = 'signature'
  const { signature } = membersOf(answer)
  if (answer.status === 401) {
    return failed(name, describe(answer), apiKey === undefined
      ? 'It has a policy: set PAYMENT_SIGNATURE_API_KEY, or give --api-key-file.'
      : 'The policy does not know this API key: compare its SHA-256 with apiKeySha256.')
  }
  if (answer.status !== 200 || typeof signature !== 'string') {
    return failed(name, describe(answer),
      'It does not sign the request of this check: give one that it should sign, by flags such as --merchant-account-number.')
  }
  const anyToken = '?' // part 1 is the same with every token
  const { valid, part1 } = verify(signature, probe, { variant, merchantToken: merchantToken ?? anyToken })
  if (!part1) {
    return failed(name, 'part 1 is not that of the request, and it holds no secret',
      'The request was changed on its way, or this is another implementation: compare payment-signature explain.')
  }
  if (merchantToken === undefined) {
    return ok(name, 'part 1 is right; for part 2 set MERCHANT_TOKEN, or give --token-file')
  }
  return valid
    ? ok(name, 'both parts are right')
    : failed(name, 'part 1 is right, part 2 is not: the service has another token',
      'Compare payment-signature kcv with the key check value in the service\'s start line.')
}

/** What to do if there is no answer, by the reason. */
export function adviceOn (reason: string): string {
  if (/CERT|SIGN|SSL|TLS/.test(reason)) return 'The certificate is not trusted here: set NODE_EXTRA_CA_CERTS to its authority\'s file, or mend it.'
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') return 'The name is not known here: look at its spelling, and at DNS.'
  if (reason.startsWith('no answer')) return 'Look at firewalls and the proxy; --timeout gives it longer.'
  return 'Is the service running, and does HOST let this machine reach it? Look at the host and the port of the URL.'
}

/** All checks, in the order in which one rests on another. */
export async function examine (subject: Subject): Promise<Finding[]> {
  const { base, origin, apiKey, probe, timeout } = subject
  const key: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const post = (body: string): Promise<Answer> => ask(new URL(base + path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key, ...(origin === undefined ? {} : { origin }) },
    body,
    timeout
  })
  const findings: Finding[] = []
  try {
    const health = await ask(new URL(`${base}/health`), { timeout })
    findings.push(checkHealth(subject, health), checkClock(health))

    const refusal = await post('{}')
    const address = checkAddress(subject, refusal)
    findings.push(address)
    findings.push(address.status === 'ok' ? checkErrors(refusal) : skipped('errors', 'needs the address'))
    if (origin === undefined) {
      findings.push(skipped('cors', 'for pages that call it, give --origin'))
    } else {
      const preflight = await ask(new URL(base + path), {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
        timeout
      })
      findings.push(checkCors(base, origin, preflight, refusal))
    }
    const isReady = findings.every(({ name, status }) => status !== 'failed' || (name !== 'health' && name !== 'address'))
    findings.push(isReady
      ? checkSignature(subject, membersOf(health).variant as Variant, await post(JSON.stringify(probe)))
      : skipped('signature', 'needs health and address'))
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error
    findings.push(failed('connection', `${base}: ${error.message}`, adviceOn(error.message)))
  }
  return findings
}
