import type { SignatureRequest } from '../../src/scheme/request.js'
import type { Variant } from '../../src/scheme/variants.js'
import { compare } from '../../src/scheme/verify.js'
import type { HttpResponse } from '../../src/command-line/send-request.js'
import { isLoopback } from '../../src/process/listen.js'
import { programName } from '../../src/text/program.js'

/** The result of a check. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
  /** Advice for the user. Empty if there is none. */
  readonly advice: string
}

const ok = (detail: string): Finding => ({ status: 'ok', detail, advice: '' })
const failed = (detail: string, advice: string): Finding => ({ status: 'failed', detail, advice })
export const skipped = (detail: string): Finding => ({ status: 'skipped', detail, advice: '' })

export const apiPath = '/api/generate-signature'

export function membersOf ({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

/** Returns the message of an error in the service's form, JSON of one member; otherwise undefined. */
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

/** Returns the finding about a redirect, another server, or the service under another path. */
function misdirected (method: string, path: string, { base }: Subject, response: HttpResponse): Finding {
  const detail = `${method} ${path}: ${describe(response)}`
  if (isRedirect(response)) {
    return failed(detail, `Give clients the URL that ${base} redirects to: a redirected POST arrives as a GET or not at ` +
      'all, and browsers refuse a redirected preflight.')
  }
  const [, seen] = /^(?:Not Found|Method Not Allowed): \w+ (\S+)$/.exec(errorIn(response) ?? '') ?? []
  return failed(detail, seen === undefined
    ? 'Another server responds, not this service: check the host, port and path prefix of the URL, where the proxy sends ' +
      'the request, and that it passes errors on unchanged.'
    : `The service received ${seen}: have the proxy strip the prefix, so that it receives ${path}.`)
}

/** The service to check, and the data for its checks. */
export interface Subject {
  /** URL of the service, without a final slash. */
  readonly base: string
  /** Origin of the page that calls the service; undefined without a page. */
  readonly origin: string | undefined
  readonly apiKey: string | undefined
  /** Token with which the service should sign; undefined if unknown. */
  readonly merchantToken: string | undefined
  /** Variant of the merchant; undefined if unknown. */
  readonly variant?: Variant | undefined
  /** The request to sign. */
  readonly probe: SignatureRequest
  /** Time-out for each response, in milliseconds. */
  readonly timeout: number
}

/** Advice about a service that does not respond, by the reason. The first that applies is shown. */
const advices: ReadonlyArray<readonly [reasons: RegExp, advice: string]> = [
  [/^CERT_HAS_EXPIRED$/, 'Renew the certificate. If it is valid, correct the clock of this machine.'],
  [/^(?:EPROTO|ERR_SSL_)/, 'The TLS handshake failed. If the service has no TLS, use http:// in the URL.'],
  [/CERT|SIGN/, 'This machine does not trust the certificate: set NODE_EXTRA_CA_CERTS to its CA\'s file, or fix the certificate.'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'This host name does not resolve here: check its spelling, and DNS.'],
  [/^no response/, 'Check firewalls and the proxy; --timeout allows more time.'],
  [/^/, 'Is the service running, and does HOST let this machine reach it? Check the host and port of the URL.']
]

/** Returns the finding about a service that does not respond, by the reason. */
export const unreachable = (base: string, reason: string): Finding =>
  failed(`${base}: ${reason}`, advices.find(([reasons]) => reasons.test(reason))![1])

/** Returns a warning if the API key is sent over the network unencrypted. */
export function checkEncryption ({ base, apiKey }: Subject): Finding | undefined {
  const { protocol, hostname } = new URL(base)
  if (apiKey === undefined || protocol === 'https:' || isLoopback(hostname)) return undefined
  const detail = `the API key is sent to ${hostname} over plain http, readable on the way`
  return { status: 'warning', detail, advice: 'Use the https URL of the service. If this one is public, replace the key.' }
}

export function checkHealth (subject: Subject, response: HttpResponse): Finding {
  const { ok: isOk, service, variant } = membersOf(response)
  if (response.status !== 200 || isOk !== true || service !== 'payment-signature-backend' || !/^(?:A|B|A,B)$/.test(String(variant))) {
    return misdirected('GET', '/health', subject, response)
  }
  return ok(`variant ${variant}, ${Math.round(response.took)} ms`)
}

/** Limits of the difference between the clocks, in milliseconds. Payment sides accept more. */
const maxSkew = { ok: 2000, warning: 30_000 }

export function checkClock ({ headers, took, receivedAt }: HttpResponse): Finding {
  const date = Date.parse(headers.date ?? '')
  if (Number.isNaN(date)) return skipped('the response has no Date header')
  const skew = date + 500 - (receivedAt - took / 2) // the header has whole seconds
  const surely = Math.max(0, Math.abs(skew) - 500 - took / 2)
  if (surely <= maxSkew.ok) return ok('the service and this machine agree')
  return {
    status: surely > maxSkew.warning ? 'failed' : 'warning',
    detail: `the service is ${(surely / 1000).toFixed(0)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`,
    advice: 'Set both clocks by NTP: the payment side may refuse a clientTimeStamp that is off.'
  }
}

/** Checks that a bad request gets an error of the service at its path, without a redirect. */
export function checkAddress (subject: Subject, response: HttpResponse): Finding {
  return isRedirect(response) || response.status === 404 || response.status === 405 || errorIn(response) === undefined
    ? misdirected('POST', apiPath, subject, response)
    : ok(`POST ${apiPath} arrives, without a redirect`)
}

/** Checks that the service refuses a bad request, and does not fail. The address has passed. */
export function checkErrors (response: HttpResponse): Finding {
  const error = errorIn(response)
  const { status, headers } = response
  if (status === 429 || status >= 500) {
    return failed(`a bad request gets ${status}, ${error}`, status === 429
      ? `Too many requests: wait ${headers['retry-after'] ?? 'some'} seconds and try again.`
      : 'The service is in trouble: check its log.')
  }
  return ok(`${status} and JSON: ${error}`)
}

const otherToken = 'part 1 is right, part 2 is not: the service has another token'

/** Checks a signature of the service. Without the token, only part 1 is checked. */
function checkSignature (
  { probe, apiKey, merchantToken }: Subject, variant: Variant, response: HttpResponse
): Finding {
  const { signature } = membersOf(response)
  if (response.status === 401) {
    return failed(describe(response), apiKey === undefined
      ? 'It has a policy: set PAYMENT_SIGNATURE_API_KEY, or pass --api-key-file.'
      : 'The policy does not know this API key: compare its SHA-256 with apiKeySha256.')
  }
  if (response.status !== 200 || typeof signature !== 'string') {
    return failed(describe(response),
      'It does not sign the request of this check: describe one that it signs, with flags such as --merchant-account-number.')
  }
  const anyToken = '?' // part 1 is the same with every token
  const { valid, part1 } = compare(signature, probe, { variant, merchantToken: merchantToken ?? anyToken })
  if (!part1) {
    return failed('part 1, which holds no secret, is not that of the request',
      `The request was changed on its way, or this is another implementation: compare with ${programName()} explain.`)
  }
  if (valid) return ok('both parts are right')
  return merchantToken === undefined
    ? ok('part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file')
    : failed(otherToken,
      `Compare the output of ${programName()} kcv with the key check value in the service's start line.`)
}

/** Checks the responses to one request, which different instances may have signed. */
export function checkSignatures (subject: Subject, variant: Variant, responses: readonly HttpResponse[]): Finding {
  const findings = responses.map(response => checkSignature(subject, variant, response))
  const faulty = findings.filter(({ status }) => status === 'failed')
  const [fault = faulty[0] ?? findings[0] as Finding] = faulty.filter(({ detail }) => detail !== otherToken)
  const part = `${faulty.length} of ${findings.length}`
  const advice = 'Instances have different tokens: compare the key check values in their start lines.'
  if (faulty.length === findings.length) return fault
  if (fault.detail === otherToken) return failed(`${part} were made with another token`, advice)
  if (faulty.length > 0) return failed(`${part} failed: ${fault.detail}`, fault.advice)
  const tokens = new Set(responses.map(response => membersOf(response).signature)).size
  return tokens === 1 ? fault : failed(`${findings.length} signatures were made with ${tokens} tokens`, advice)
}

/** Checks that a browser lets a page of the origin send the request and read the response. */
export function checkCors (
  subject: Subject, origin: string, preflight: HttpResponse, response: HttpResponse
): Finding {
  const { base } = subject
  const { protocol, hostname } = new URL(base)
  if (origin.startsWith('https:') && protocol === 'http:' && !isLoopback(hostname)) {
    return failed(`a page of ${origin} may not call ${base}`,
      'Browsers block http requests from an https page: put the service behind TLS.')
  }
  if (isRedirect(preflight)) return misdirected('OPTIONS', apiPath, subject, preflight)
  if (preflight.status < 200 || preflight.status > 299) {
    return failed(`OPTIONS ${apiPath}: ${describe(preflight)}`,
      'Browsers send preflights without credentials: have the proxy pass OPTIONS on to the service.')
  }
  for (const [name, { headers }] of [['the preflight', preflight], ['the response', response]] as const) {
    const allowed = headers['access-control-allow-origin']
    if (allowed === origin || allowed === '*') continue
    return failed(`${name} allows ${allowed ?? 'no origin'}`, allowed?.includes(',')
      ? 'There are two headers: have either the proxy or the service write Access-Control-Allow-Origin, not both.'
      : `Add exactly ${origin} to CORS_ORIGIN and restart; if it is there already, the proxy drops the header.`)
  }
  const allowed = (preflight.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/[ ,]+/)
  if (!allowed.includes('content-type') && !allowed.includes('*')) {
    return failed('the preflight does not allow Content-Type',
      'Have the proxy pass OPTIONS on to the service, and its response back.')
  }
  return ok(`pages of ${origin} may call it and read the response`)
}
