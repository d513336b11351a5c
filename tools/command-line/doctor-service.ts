import type { SignatureRequest } from '../../src/scheme/request.js'
import { isVariant, type Variant } from '../../src/scheme/variants.js'
import { compare } from '../../src/scheme/verify.js'
import { adviceOn, found, type Advice, type Check, type Finding } from './finding.js'

const apiPath = '/api/generate-signature'

/** Time-out for each response, in milliseconds. */
const timeout = 5000

/** A response with its whole body. */
interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Error for a request without a response. The message is the reason. */
class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
}

/**
 * Sends one request, and follows no redirect.
 *
 * @throws NoResponseError
 */
async function sendRequest (url: string, request: RequestInit = {}): Promise<HttpResponse> {
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  } catch (cause) {
    const code = Object(Object(cause).cause).code ?? String(cause)
    throw new NoResponseError(signal.aborted ? `no response within ${timeout} ms` : code, { cause })
  }
}

function membersOf ({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

const isRedirect = ({ status }: HttpResponse): boolean => status >= 300 && status < 400

const describe = (response: HttpResponse): string => `${response.status}, ` + (isRedirect(response)
  ? `a redirect to ${response.headers.location}`
  : membersOf(response).error ?? response.headers['content-type'] ?? 'no content type')

/** Returns the finding about a redirect, another server, or the service under another path. */
function misdirected (route: string, response: HttpResponse, isReplaced = false): Finding {
  const [, seen] = /^(?:Not Found|Method Not Allowed): \w+ (\S+)$/.exec(String(membersOf(response).error)) ?? []
  const advice = isRedirect(response)
    ? 'Give clients the URL that it redirects to: a redirected POST arrives as a GET or not at all, and browsers ' +
      'refuse a redirected preflight.'
    : seen === undefined
      ? [502, 504].includes(response.status)
          ? 'The proxy does not reach the service: is it running, and at the address that the proxy has?'
          : isReplaced
            ? 'The proxy replaces the service\'s error responses, or a firewall answers. Have it pass them on: nginx ' +
              'proxy_intercept_errors off, IIS existingResponse="PassThrough".'
            : 'Another server responds, not this service: check the URL, and where the proxy sends the request.'
      : `The service received ${seen}: have the proxy strip the prefix.`
  return found('failed', `${route}: ${describe(response)}`, advice)
}

/** Advice about a refused request, by its Error-Code or status. The first that applies is shown. */
const refusals: Advice = [
  [/^api-key-required key/, 'The key did not arrive: a proxy drops or replaces Authorization. ' +
    'Have it pass the header on.'],
  [/^api-key-required/, 'It has a policy: pass --api-key-file.'],
  [/^api-key-unknown/, 'The policy does not know the key that arrived: compare its SHA-256 with apiKeySha256.'],
  [/^refused/, 'Your backend (AUTHORIZE_URL) refused it: describe a request that it allows, such as an unpaid order, and pass ' +
    'its cookie or session with --headers-file.'],
  [/^authorization-unavailable/, 'Your backend (AUTHORIZE_URL) gave no decision: the service\'s log has the likely cause, and on its ' +
    'machine doctor --authorize-url asks the route itself.'],
  [/^strict; field=clientTimeStamp/, 'Set the clocks of this machine and of the service: they differ by more than a day.'],
  [/^headers-too-large/, 'The headers of the check, such as its cookies, have more than 16 KiB: send fewer.'],
  [/ 429$/, 'Too many requests: try again later.'],
  [/ 5\d\d$/, 'The service, or something behind it, is in trouble: check its log.'],
  [/^/, 'It does not sign the request of this check: describe one that it signs, such as merchantAccountNumber=102551.']
]

/** Advice about a service that does not respond, by the reason. The first that applies is shown. */
const outages: Advice = [
  [/^(?:EPROTO|ERR_SSL_)/, 'The TLS handshake failed. If the service has no TLS, use http:// in the URL.'],
  [/^UNABLE_TO_VERIFY_LEAF/, 'The server does not send the intermediate certificate: configure the full chain (fullchain.pem). If a CA of ' +
    'your own has signed the certificate directly, set NODE_EXTRA_CA_CERTS to the CA\'s file.'],
  [/^CERT_HAS_EXPIRED/, 'Renew the certificate, and reload the proxy.'],
  [/ALTNAME/, 'The certificate has other host names: check the URL, and the proxy\'s server for this name.'],
  [/CERT|SIGN/, 'This machine does not trust the CA of the certificate: set NODE_EXTRA_CA_CERTS to the CA\'s file.'],
  [/^/, 'Is the service running, and does HOST let this machine reach it? Check the host and port of the URL.']
]

/** The service to check, and the data for its checks. */
interface Subject {
  /** URL of the service, without a final slash. */
  readonly base: string
  /** Origin of the page that calls the service; undefined without a page. */
  readonly origin: string | undefined
  readonly apiKey: string | undefined
  /** Headers of the page, such as a cookie. */
  readonly headers: Readonly<Record<string, string>>
  /** Token with which the service should sign; undefined if unknown. */
  readonly merchantToken: string | undefined
  readonly variant: Variant
  /** The request of the check. */
  readonly probe: SignatureRequest
  /** True if the request comes from a stranger, to whom a safe service refuses it. */
  readonly isStranger: boolean
}

/** Refusals of a stranger's purchase: by the backend, or by the policy before it. */
const safe = /^(?:refused|policy|api-key-required|account-number-unknown)(?:;|$)/

/** Checks that a purchase is refused to a stranger, who has neither a session nor a key. */
function checkStranger (response: HttpResponse): Finding {
  const { status, headers } = response
  const code = String(headers['error-code'] ?? '')
  if (status === 200) {
    return found('failed', 'EVERYBODY GETS SIGNATURES: a purchase is signed without a session and a key',
      'Set POLICY_FILE and AUTHORIZE_URL before strangers can reach it. If only your backend can, describe the request of ' +
      'the check, such as amount=1.00: then it must be signed.')
  }
  if (!safe.test(code)) return found('failed', describe(response), adviceOn(`${code} ${status}`, refusals))
  const isUnknown = /accountNumbers|account-number-unknown/.test(code)
  return found('ok', `a purchase without a session and a key is refused: ${status} ${code}` +
    (isUnknown ? '; to ask your backend, too, add an account of the policy: merchantAccountNumber=…' : ''))
}

/** Checks the response to the request of the check. */
function checkSignature (response: HttpResponse, subject: Subject, seen: unknown): Finding {
  const isVariantKnown = isVariant(seen)
  const variant = isVariantKnown ? seen : subject.variant
  const { probe, merchantToken, apiKey, headers } = subject
  if (response.status !== 200) {
    const code = `${response.headers['error-code'] ?? ''}${apiKey === undefined ? '' : ' key'} ${response.status}`
    const names = [...Object.keys(headers), ...apiKey === undefined ? [] : ['authorization']].join(', ') || 'neither cookie nor session'
    const sent = /^(?:refused|authorization-unavailable)/.test(code)
      ? ` The check sent ${names}; the service passes on authorization, cookie and traceparent.`
      : ''
    const reason = /^refused; (reason=\S+)/.exec(code)?.[1]
    return found('failed', describe(response) + (reason === undefined ? '' : ` (${reason})`), adviceOn(code, refusals) + sent)
  }
  // Part 1 has no token.
  const { part1, valid } =
    compare(String(membersOf(response).signature), probe, { variant, merchantToken: merchantToken ?? '?' })
  if (!part1) {
    return found('failed', 'part 1, which holds no secret, is not that of the request',
      'The request was changed on its way, or this is another implementation.')
  }
  if (merchantToken === undefined) {
    return found('ok', 'part 1 is right; to check part 2, set MERCHANT_TOKEN or pass --token-file')
  }
  return valid
    ? found('ok', 'both parts are right')
    : found('failed', 'part 1 is right, part 2 is not: the service has another token',
      'Compare the key check values of serve --check and of the service\'s start line.' +
      (isVariantKnown ? '' : ' Or it signs the other variant: pass --variant.'))
}

/** Checks that a browser lets a page of the origin send the request, with its headers, and read the response. */
function checkCors (
  origin: string, asked: readonly string[], preflight: HttpResponse, response: HttpResponse
): Finding {
  if (isRedirect(preflight)) return misdirected(`OPTIONS ${apiPath}`, preflight)
  const passOn = 'Have the proxy pass OPTIONS on to the service, and its response back.'
  if (preflight.status > 299) return found('failed', `OPTIONS ${apiPath}: ${describe(preflight)}`, passOn)
  for (const [name, { headers }] of [['the preflight', preflight], ['the response', response]] as const) {
    const allowed = headers['access-control-allow-origin']
    if (allowed === origin || allowed === '*') continue
    return found('failed', `${name} allows ${allowed ?? 'no origin'}`, allowed?.includes(',')
      ? 'There are two headers: have either the proxy or the service write Access-Control-Allow-Origin, not both.'
      : `Add exactly ${origin} to CORS_ORIGIN and restart; if it is there already, the proxy drops the header.`)
  }
  const allowed = (preflight.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/[ ,]+/)
  // A wildcard does not allow Authorization.
  const blocked = asked.filter(name => !allowed.includes(name) && (name === 'authorization' || !allowed.includes('*')))
  if (blocked.length > 0) {
    const detail = `a page that sends ${blocked.join(', ')} is blocked: the preflight allows ` +
      `${allowed.join(', ') || 'no header'} only`
    return found(blocked.includes('content-type') ? 'failed' : 'warning', detail, passOn)
  }
  return preflight.headers['access-control-allow-credentials'] === 'true'
    ? found('ok', `pages of ${origin} may call it, also with cookies, and read the response`)
    : found('ok', `pages of ${origin} may call it without cookies and read the response; a page with cookies needs ` +
      `CORS_ORIGIN=${origin} and CORS_CREDENTIALS=true`)
}

/** Runs all checks and returns the findings in the order of the report. */
export async function examineService (subject: Subject): Promise<Check[]> {
  const { base, origin, apiKey, probe, isStranger } = subject
  const endpoint = base + apiPath
  const checks: Check[] = []
  const add = (name: string, finding: Finding) => checks.push({ name, ...finding })
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const headers = { ...origin === undefined ? {} : { origin }, ...subject.headers, ...authorization }
  const post = (body: object): Promise<HttpResponse> => sendRequest(endpoint,
    { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  try {
    const health = await sendRequest(`${base}/health`)
    const { service, variant } = membersOf(health)
    const isHealthy = health.status === 200 && service === 'payment-signature-backend'
    const refusal = await post({})
    const isError = typeof membersOf(refusal).error === 'string'
    const isThere = isError && ![404, 405].includes(refusal.status) && !isRedirect(refusal)
    const hasCode = refusal.headers['error-code'] !== undefined
    const arrives = isThere && (isHealthy || hasCode)
    // An error page of a proxy, or another server.
    const isPage = !isError && /^4(?!0[45])/.test(String(refusal.status))
    const answer = isPage || arrives ? await post(probe) : undefined
    const isReplaced = isPage && (isHealthy || hasCode || typeof membersOf(answer!).signature === 'string')
    add('reachable', arrives
      ? found('ok', `${isHealthy ? `variant ${variant}, ` : ''}POST ${apiPath} arrives`)
      : misdirected(`POST ${apiPath}`, refusal, isReplaced))
    const ready = isHealthy ? await sendRequest(`${base}/ready`) : undefined
    if (ready !== undefined && ready.status !== 404) {
      add('ready', ready.status === 200
        ? found('ok', 'it takes requests')
        : found('failed', describe(ready), 'It starts or stops, or what it needs is missing: check its log.'))
    }
    add(isStranger ? 'strangers' : 'signature', answer === undefined || (isPage && !isReplaced)
      ? found('skipped', 'it has to be reachable first')
      : isStranger ? checkStranger(answer) : checkSignature(answer, subject, isHealthy ? variant : undefined))
    if (isStranger) {
      add('signature', found('skipped', 'to check it, pass --api-key-file, or describe a request that it signs'))
    }
    if (origin === undefined || origin === new URL(base).origin) {
      add('cors', origin === undefined
        ? found('skipped', 'to check pages of another origin, pass --origin')
        : found('ok', `a page of ${origin} has the same origin: it sends its cookies and needs no CORS`))
      return checks
    }
    // Browsers send cookies without asking. Pages may send their session in Authorization.
    const own = Object.keys(headers).filter(name => name !== 'cookie' && name !== 'origin')
    const asked = [...new Set(['content-type', 'authorization', ...own])]
    const asking = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked.join(',')
    }
    const preflight = await sendRequest(endpoint, { method: 'OPTIONS', headers: asking })
    add('cors', checkCors(origin, asked, preflight, isReplaced ? preflight : refusal))
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error
    add('connection', found('failed', `${base}: ${error.message}`, adviceOn(error.message, outages)))
  }
  return checks
}
