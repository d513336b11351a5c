import createError from '@fastify/error'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { SignatureRequest } from '../../src/scheme/signature-request.js'

/** What a request is decided by: its fields but for `merchantToken`, and the headers that say who asks. */
export interface AuthorizeInput {
  readonly request: Omit<SignatureRequest, 'merchantToken'>
  readonly headers: Readonly<Record<'authorization' | 'cookie', string | undefined>>
  /** The request's id in the log. */
  readonly id: string
}

/** A status from 400 to 499, and the message to answer with. */
export interface Refusal {
  readonly statusCode: number
  readonly error: string
}

/**
 * Decides whether a request may be signed: `true`, or why not. If it returns or throws anything else, or takes longer
 * than AUTHORIZE_TIMEOUT milliseconds, the request is answered with 503 and not signed.
 */
export type Authorize = (input: AuthorizeInput, signal: AbortSignal) => true | Refusal | Promise<true | Refusal>

export interface AuthorizeOptions {
  /** Asked before anything is signed, instead of AUTHORIZE_URL. */
  authorize?: Authorize | undefined
}

const RefusedError = createError('ERR_REFUSED', '%s', 403)
const UnavailableError = createError('ERR_AUTHORIZE_UNAVAILABLE', 'Authorization is unavailable, try again', 503)

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
  return async ({ request, headers, id }, signal) => {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...Object.fromEntries(given), 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify(request),
      redirect: 'manual',
      signal
    })
    if (isClientError(response.status)) return { statusCode: response.status, error: await messageIn(response) }
    await response.body?.cancel()
    if (response.ok) return true
    throw new Error(`AUTHORIZE_URL answered ${response.status}`)
  }
}

/** Rejects when the signal does, so that one who ignores it is not waited for. */
const aborted = (signal: AbortSignal): Promise<never> => new Promise((_resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
})

/** A hook that lets a request pass only if `ask` says so within `timeout` milliseconds. */
export function askBeforeSigning (ask: Authorize, timeout: number) {
  return async function authorize (request: FastifyRequest): Promise<void> {
    const { merchantToken, ...fields } = request.body as SignatureRequest
    const { authorization, cookie } = request.headers
    const signal = AbortSignal.timeout(timeout)
    let answer: unknown
    try {
      const input = { request: fields, headers: { authorization, cookie }, id: request.id }
      answer = await Promise.race([ask(input, signal), aborted(signal)])
    } catch (error) {
      request.log.error({ err: error }, 'authorization is unavailable')
      throw new UnavailableError()
    }
    if (answer === true) return
    const { statusCode, error } = (answer ?? {}) as Partial<Refusal>
    if (isClientError(statusCode)) throw Object.assign(new RefusedError(error), { statusCode })
    request.log.error('authorization is unavailable: authorize returned neither true nor a refusal')
    throw new UnavailableError()
  }
}

/** The merchant's own say: before anything is signed, AUTHORIZE_URL or a function is asked. */
export default fp<AuthorizeOptions>(async function authorize (app, options) {
  const { AUTHORIZE_URL, AUTHORIZE_TIMEOUT } = app.config
  const ask = options.authorize ?? (AUTHORIZE_URL === '' ? undefined : askBackend(AUTHORIZE_URL))
  if (ask === undefined) return

  // A connection that waits for the say is not one whose client has gone.
  app.server.timeout = Math.max(app.server.timeout, AUTHORIZE_TIMEOUT + 10_000)

  app.addHook('preHandler', askBeforeSigning(ask, AUTHORIZE_TIMEOUT))
}, { name: 'authorize', dependencies: ['env'] })
