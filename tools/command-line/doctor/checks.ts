import type { SignatureRequest } from '../../../src/scheme/fields.js'
import { isVariant } from '../../../src/scheme/variants.js'
import type { Variant } from '../../../src/scheme/variants.js'
import { verify } from '../../../src/scheme/verify.js'
import type { HttpResponse } from '../../../src/command-line/send-request.js'
import { isLoopback } from '../../../src/service/listen.js'

/** The result of one check. */
export interface Finding {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
  /** Advice for the user. Empty if there is none. */
  readonly advice: string
}

const ok = (name: string, detail: string): Finding => ({ name, status: 'ok', detail, advice: '' })
export const failed = (name: string, detail: string, advice: string): Finding => ({ name, status: 'failed', detail, advice })
export const skipped = (name: string, detail: string): Finding => ({ name, status: 'skipped', detail, advice: '' })

export const apiPath = '/api/generate-signature'

export function membersOf ({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

/** The message of an error as the service writes it: JSON of one member. */
function errorIn (response: HttpResponse): string | undefined {
  const isJson = /^application\/json\b/i.test(response.headers['content-type'] ?? '')
  const members = membersOf(response)
  return isJson && typeof members.error === 'string' && Object.keys(members).length === 1 ? members.error : undefined
}

const isRedirect = ({ status }: HttpResponse): boolean => status >= 300 && status < 400

function describe (response: HttpResponse): string {
  const { status, headers } = response
  if (isRedirect(response)) return `${status}, a redirect to ${headers.location ?? 'nowhere'}`
  return `${status}, ${errorIn(response) ?? headers['content-type'] ?? 'no content type'}`
}

const redirectAdvice = (base: string): string =>
  `Give clients the URL that ${base} redirects to: a redirected POST arrives as a GET or not at all, and browsers ` +
  'refuse a redirected preflight.'

/** Advice about a path that the service does not know, or that redirects. */
function adviceOnPath (response: HttpResponse, wanted: string): string {
  const [, seen] = /^(?:Not Found|Method Not Allowed): \w+ (\S+)$/.exec(errorIn(response) ?? '') ?? []
  return seen === undefined
    ? 'Something else responds there: check the host, port and path prefix of the URL, and where the proxy sends it.'
    : `The service received ${seen}: have the proxy strip the prefix, so that it receives ${wanted}.`
}

export interface Subject {
  /** URL of the service, without a final slash. */
  readonly base: string
  /** The page that calls it; undefined if none does. */
  readonly origin: string | undefined
  readonly apiKey: string | undefined
  /** The token that the service probably signs with. */
  readonly merchantToken: string | undefined
  /** The request to sign. */
  readonly probe: SignatureRequest
  /** For each response, in milliseconds. */
  readonly timeout: number
}

/** The Date header has whole seconds; this is more than that, and less than a time stamp may be off anywhere. */
const maxSkew = { ok: 2000, warning: 30_000 } // milliseconds

/** Returns a warning if the API key goes over the network in the clear; otherwise nothing. */
export function checkEncryption ({ base, apiKey }: Subject): Finding[] {
  const { protocol, hostname } = new URL(base)
  if (apiKey === undefined || protocol === 'https:' || isLoopback(hostname)) return []
  const detail = `the API key is sent to ${hostname} over plain http, readable on the way`
  const advice = 'Use the https URL of the service. If this one is public, replace the key.'
  return [{ name: 'encryption', status: 'warning', detail, advice }]
}

export function checkHealth ({ base }: Subject, response: HttpResponse): Finding {
  const name = 'health'
  const { ok: isOk, service, variant } = membersOf(response)
  if (isRedirect(response)) return failed(name, `GET /health: ${describe(response)}`, redirectAdvice(base))
  if (response.status !== 200 || isOk !== true || service !== 'payment-signature-backend' || !isVariant(variant)) {
    return failed(name, `GET /health: ${describe(response)}`, adviceOnPath(response, '/health'))
  }
  return ok(name, `variant ${variant}, ${Math.round(response.took)} ms`)
}

export function checkClock ({ headers, took, receivedAt }: HttpResponse): Finding {
  const name = 'clock'
  const date = Date.parse(headers.date ?? '')
  if (Number.isNaN(date)) return skipped(name, 'the response has no Date header')
  const skew = date + 500 - (receivedAt - took / 2) // the header lacks the fraction of the second
  const surely = Math.max(0, Math.abs(skew) - 500 - took / 2)
  if (surely <= maxSkew.ok) return ok(name, 'the service and this machine agree')
  const detail = `the service is ${(surely / 1000).toFixed(0)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`
  const advice = 'Set both clocks by NTP: the payment side may refuse a clientTimeStamp that is off.'
  return { name, status: surely > maxSkew.warning ? 'failed' : 'warning', detail, advice }
}

/** Checks that the endpoint answers at its path, without a redirect. */
export function checkAddress ({ base }: Subject, response: HttpResponse): Finding {
  const name = 'address'
  if (isRedirect(response)) return failed(name, `POST ${apiPath}: ${describe(response)}`, redirectAdvice(base))
  if (response.status === 404 || response.status === 405) {
    return failed(name, `POST ${apiPath}: ${describe(response)}`, adviceOnPath(response, apiPath))
  }
  return ok(name, `POST ${apiPath} arrives, without a redirect`)
}

/** Checks that a request that cannot be signed gets the service's own response. */
export function checkErrors (response: HttpResponse): Finding {
  const name = 'errors'
  const error = errorIn(response)
  const { status, headers } = response
  if (error === undefined) {
    return failed(name, `a bad request gets ${describe(response)}`,
      'The proxy responds itself, or rewrites errors: clients need the service\'s JSON, { "error": "…" }.')
  }
  if (status === 429 || status >= 500) {
    return failed(name, `a bad request gets ${status}, ${error}`, status === 429
      ? `Too many requests: wait ${headers['retry-after'] ?? 'some'} seconds and try again.`
      : 'The service is in trouble: check its log.')
  }
  return ok(name, `${status} and JSON: ${error}`)
}

/** Checks the signature of the service, as far as that is possible without the token. */
export function checkSignature (
  { probe, apiKey, merchantToken }: Subject, variant: Variant, response: HttpResponse
): Finding {
  const name = 'signature'
  const { signature } = membersOf(response)
  if (response.status === 401) {
    return failed(name, describe(response), apiKey === undefined
      ? 'It has a policy: set PAYMENT_SIGNATURE_API_KEY, or pass --api-key-file.'
      : 'The policy does not know this API key: compare its SHA-256 with apiKeySha256.')
  }
  if (response.status !== 200 || typeof signature !== 'string') {
    return failed(name, describe(response),
      'It does not sign the request of this check: describe one that it signs, with flags such as --merchant-account-number.')
  }
  const anyToken = '?' // part 1 is the same with every token
  const { valid, part1 } = verify(signature, probe, { variant, merchantToken: merchantToken ?? anyToken })
  if (!part1) {
    return failed(name, 'part 1, which holds no secret, is not that of the request',
      'The request was changed on its way, or this is another implementation: compare with payment-signature explain.')
  }
  if (merchantToken === undefined) {
    return ok(name, 'part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file')
  }
  return valid
    ? ok(name, 'both parts are right')
    : failed(name, 'part 1 is right, part 2 is not: the service has another token',
      'Compare the output of payment-signature kcv with the key check value in the service\'s start line.')
}

/** Checks that a browser lets a page of the origin send the request and read the response. */
export function checkCors (base: string, origin: string, preflight: HttpResponse, response: HttpResponse): Finding {
  const name = 'cors'
  const { protocol, hostname } = new URL(base)
  if (origin.startsWith('https:') && protocol === 'http:' && !isLoopback(hostname)) {
    return failed(name, `a page of ${origin} may not call ${base}`,
      'Browsers block http requests from an https page: put the service behind TLS.')
  }
  if (preflight.status < 200 || preflight.status > 299) {
    return failed(name, `OPTIONS ${apiPath}: ${describe(preflight)}`, isRedirect(preflight)
      ? redirectAdvice(base)
      : 'Browsers send preflights without credentials: have the proxy pass OPTIONS on to the service.')
  }
  for (const [what, { headers }] of [['the preflight', preflight], ['the response', response]] as const) {
    const allowed = headers['access-control-allow-origin']
    if (allowed === origin || allowed === '*') continue
    return failed(name, `${what} allows ${allowed ?? 'no origin'}`, allowed?.includes(',')
      ? 'There are two headers: have either the proxy or the service write Access-Control-Allow-Origin, not both.'
      : `Add exactly ${origin} to CORS_ORIGIN and restart; if it is there already, the proxy drops the header.`)
  }
  const allowed = (preflight.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/[ ,]+/)
  if (!allowed.includes('content-type') && !allowed.includes('*')) {
    return failed(name, 'the preflight does not allow Content-Type',
      'Have the proxy pass OPTIONS on to the service, and its response back.')
  }
  return ok(name, `pages of ${origin} may call it and read the response`)
}
