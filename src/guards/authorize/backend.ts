import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import { within } from '../../http/within.js'
import { NoDecisionError, type Answer, type AuthorizeInput } from './answer.js'

/** Length limit of a response's body, in bytes. */
const maxLength = 16_384

/** Returns the body of a response; undefined if it is compressed or too long. */
async function bytesOf (response: IncomingMessage): Promise<Buffer | undefined> {
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') return undefined // it can become gigabytes
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxLength) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the value of a JSON text in UTF-8; undefined for no JSON. */
function valueIn (bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const hasAllowed = (value: unknown): value is { allowed: unknown } => Object.hasOwn(Object(value), 'allowed')

/** Statuses that a refusal keeps. Browsers and proxies act on others, such as 407, 408, 421 and 425. */
const keptStatuses = [400, 401, 402, 403, 404, 409, 410, 422, 423, 429, 451]

/** Returns the fault of a JSON body that does not decide; undefined if its form shows none. */
function faultOfValue (value: unknown, status: number): string | undefined {
  if (typeof value === 'string') return hasAllowed(valueIn(Buffer.from(value))) ? 'the body is JSON in a JSON text: serialize it once' : undefined
  if (Array.isArray(value)) return 'the body is a list: send one object'
  if (hasAllowed(value)) {
    const { allowed } = value
    if (typeof allowed === 'boolean') return `only 200 allows${status === 201 ? ' (NestJS: @HttpCode(200))' : ''}, and only 200 and 4xx refuse`
    const shown = allowed === 'true' || allowed === 'false' || typeof allowed === 'number' ? `${JSON.stringify(allowed)}, ` : ''
    return `allowed is ${shown}${allowed === null ? 'null' : `of the type ${typeof allowed}`}: only true and false decide`
  }
  const members = Object.entries(Object(value) as object)
  const alike = members.find(([name]) => name.toLowerCase() === 'allowed')
  if (alike !== undefined) return `the member is ${alike[0]}, not allowed`
  return members.some(([, member]) => hasAllowed(member)) ? 'allowed is inside of another member: send it at the top of the object' : undefined
}

/** Likely causes of a response without a decision, by its status. The first that applies is logged. */
const likelyCauses: ReadonlyArray<readonly [status: RegExp, cause: string]> = [
  [/^204/, 'the route returned nothing'],
  [/^3/, 'a redirect to a log-in page, to https or to another path'],
  [/^400/, 'CSRF protection (Flask-WTF), or a check of the Host or the body in front of the route'],
  [/^422/, 'the route\'s own check of the body (FastAPI), or CSRF protection'],
  [/^(?:401|403|409|419)/, 'log-in, CSRF protection or a check of the Host in front of the route'],
  [/^404/, 'the path of AUTHORIZE_URL is wrong'],
  [/^405/, 'the route does not accept POST'],
  [/^[45]/, 'an error or a limit of the backend or its proxy: read their logs'],
  [/^/, 'another page, or a body that is compressed or over 16 KiB']
]

/** Returns the cause of a response without a decision: a fault that was observed, otherwise a likely one. */
function causeOf (status: number, headers: IncomingMessage['headers'], bytes?: Buffer): string {
  if (headers['error-code'] !== undefined) return 'likely AUTHORIZE_URL leads to this service: set it to the route of your backend'
  const value = bytes && valueIn(bytes)
  const fault = faultOfValue(value, status)
  if (fault !== undefined) return fault
  if (status === 400 && /\b(?:HTTPS|SSL)\b/.test(String(bytes))) return 'likely the port speaks https: write https into the URL'
  if (bytes?.includes(0)) return 'the body has zero bytes, likely UTF-16: send UTF-8'
  const isMixed = value === undefined && bytes?.includes('"allowed"')
  if (isMixed) return 'likely text before or behind the JSON, such as a warning of PHP, or not UTF-8'
  const like = status === 200 && bytes?.length === 0 ? 204 : status
  const [, likely] = likelyCauses.find(([pattern]) => pattern.test(String(like)))!
  const isObject = typeof value === 'object' && value !== null
  return isObject ? `the JSON body has no member allowed; likely ${status === 200 ? 'another page' : likely}` : `likely ${likely}`
}

/** Returns the decision of a response. A page of a framework or a proxy is no decision, whatever its status. */
async function decisionIn (response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response
  const bytes = /^[24]/.test(String(status)) ? await bytesOf(response) : undefined
  const answer = bytes && valueIn(bytes)
  if (hasAllowed(answer) && !Array.isArray(answer)) {
    const { allowed } = answer
    if (allowed === true && status === 200) return { ...answer, allowed }
    if (allowed === false && (status === 200 || status >= 400)) {
      return { ...answer, allowed, statusCode: keptStatuses.includes(status) ? status : 403 }
    }
  }
  response.destroy() // the rest of a body that was not read
  const [type] = /^[\w.+-]{1,32}\/[\w.+-]{1,64}/.exec(headers['content-type'] ?? '') ?? ['no content type']
  throw new NoDecisionError(`status ${status}, ${type}, decides nothing: ${causeOf(status, headers, bytes)}`, status >= 500)
}

const json = 'application/json'

/** Time after which a connection that nobody uses is closed, in milliseconds. */
const idle = 4000

/** Likely causes of a time-out, before and after the connection. */
const likelyLate = {
  connection: 'likely a firewall or an egress rule drops the packets',
  answer: 'likely the backend is overloaded, or waits for the request that waits for this answer: one worker, or a locked session'
} as const

/** The next thing that a question waits for. */
type Step = keyof typeof likelyLate

/**
 * Returns a function that asks the merchant's backend. `docs/authorize.md` defines each response's meaning.
 *
 * @param timeout - time for the whole answer, in milliseconds
 */
export function backendAt (url: string, timeout: number): (input: AuthorizeInput) => Promise<Answer> {
  const isTls = /^https:/i.test(url)
  const kept = new (isTls ? TlsAgent : Agent)({ keepAlive: true, timeout: idle })
  const send = isTls ? httpsRequest : httpRequest

  /** Sends a question. One that finds its kept connection closed is sent once more: it changes nothing. */
  function post (
    headers: NodeJS.Dict<string>, body: string, signal: AbortSignal, waitFor: (step: Step) => void,
    agent: Agent | false = kept
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      let received = 0
      const request = send(url, { method: 'POST', headers, agent, signal })
      request.once('socket', socket => {
        received = socket.bytesRead
        waitFor(socket.connecting ? 'connection' : 'answer')
        if (socket.connecting) socket.once('connect', () => waitFor('answer'))
      })
      request.once('response', resolve)
      request.once('error', error => {
        const isStale = request.reusedSocket && request.socket?.bytesRead === received && !signal.aborted
        if (isStale) resolve(post(headers, body, signal, waitFor, false))
        else reject(error)
      })
      request.end(body)
    })
  }

  return async ({ request, alsoSignedLike, caller, clientAddress, headers, requestId }) => {
    const body = JSON.stringify({ ...request, alsoSignedLike, caller, clientAddress })
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
    const all = {
      ...given,
      // A framework that sees Accept responds with 401 instead of a redirect to a log-in page.
      'content-type': json,
      accept: json,
      'accept-encoding': 'identity',
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': requestId
    }
    let waitsFor: Step = 'connection'
    const waitFor = (step: Step) => { waitsFor = step }
    const late = () => new NoDecisionError(`no ${waitsFor} within ${timeout} ms; ${likelyLate[waitsFor]}`, true)
    try {
      return await within(timeout, async signal => decisionIn(await post(all, body, signal, waitFor)), late)
    } catch (error) { // its message may quote a cookie
      throw error instanceof NoDecisionError ? error : new NoDecisionError((error as NodeJS.ErrnoException).code ?? 'the request failed', true)
    }
  }
}
