import fp from 'fastify-plugin'
import { fieldsOf } from '../../src/scheme/reading.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { readingOf } from './reading.js'

/** What a request is decided by: what will be signed, who asks, and the headers that say so. */
export interface AuthorizeInput {
  /** What will be signed, under the names of the request's fields, as text; a time stamp that was a number is one. */
  readonly request: ReturnType<typeof fieldsOf>
  /** The caller's name in the policy; `anonymous` without one. */
  readonly caller: string
  readonly clientAddress: string
  readonly headers: Readonly<Record<'authorization' | 'cookie', string | undefined>>
  /** The request's id in the log. */
  readonly id: string
}

/** A status from 400 to 499, and the message to respond with. */
export interface Refusal {
  readonly statusCode: number
  readonly error: string
}

/**
 * Decides whether a request may be signed: `true`, or why not. If it returns or throws anything else, or takes longer
 * than `authorizeTimeout`, the response is 503 and nothing is signed.
 */
export type Authorize = (input: AuthorizeInput, signal: AbortSignal) => true | Refusal | Promise<true | Refusal>

export interface AuthorizeOptions {
  /** Asked before anything is signed; `docs/policy.md` says with what. */
  authorize?: Authorize | undefined
  /** The merchant's backend, asked in the same way, if there is no `authorize`. */
  authorizeUrl?: string
  /** How long either may take, in milliseconds; 2000 if not given. */
  authorizeTimeout?: number
}

const unavailable = () => new RefusedError(503, 'Authorization is unavailable, try again')

const isClientError = (statusCode: unknown): statusCode is number =>
  Number.isInteger(statusCode) && (statusCode as number) >= 400 && (statusCode as number) < 500

/** The message in a refusal of the merchant's backend, if it has one. */
async function messageIn (response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { error } = JSON.parse(text)
    if (typeof error === 'string' && error !== '') return error
  } catch {
    // Whatever it is, it is not for the client.
  }
  return 'Refused by the merchant'
}

/** Asks the merchant's backend: 2xx allows, 4xx refuses with its `error`. */
function askBackend (url: string): Authorize {
  return async ({ request, caller, clientAddress, headers, id }, signal) => {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...Object.fromEntries(given), 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify({ ...request, caller, clientAddress }),
      redirect: 'manual',
      signal
    })
    if (isClientError(response.status)) return { statusCode: response.status, error: await messageIn(response) }
    await response.body?.cancel()
    if (response.ok) return true
    throw new Error(`the backend responded with ${response.status}`)
  }
}

/** Rejects when the signal does, so that one who ignores it is not waited for. */
const aborted = (signal: AbortSignal): Promise<never> => new Promise((_resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
})

/** The merchant's own decision: before anything is signed, a function or the merchant's backend is asked. */
export default fp<AuthorizeOptions>(async function authorize (app, options) {
  const { authorizeUrl = '', authorizeTimeout = 2000 } = options
  const ask = options.authorize ?? (authorizeUrl === '' ? undefined : askBackend(authorizeUrl))
  if (ask === undefined) return

  // A connection that waits for the decision is not one whose client has gone.
  const { server } = app
  if (server.timeout > 0) server.timeout = Math.max(server.timeout, authorizeTimeout + 10_000)

  app.addHook('preHandler', async request => {
    const { signingCaller: caller, ip: clientAddress, id, log } = request
    const { authorization, cookie } = request.headers
    const headers = { authorization, cookie }
    const input = { request: fieldsOf(readingOf(request)), caller, clientAddress, headers, id }
    const signal = AbortSignal.timeout(authorizeTimeout)
    let decision: unknown
    try {
      decision = await Promise.race([ask(input, signal), aborted(signal)])
    } catch (error) {
      log.error({ err: error }, 'authorization is unavailable')
      throw unavailable()
    }
    if (decision === true) return
    const { statusCode, error } = (decision ?? {}) as Partial<Refusal>
    if (isClientError(statusCode)) throw new RefusedError(statusCode, String(error))
    log.error('authorization is unavailable: authorize returned neither true nor a refusal')
    throw unavailable()
  })
}, { name: 'authorize', dependencies: ['reading'] })
