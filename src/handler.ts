import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { createApp } from './app.js'
import { contexts } from './http/context.js'
import { bodyLimit } from './http/json-body.js'
import type { AppOptions } from './options.js'
import { UsageError } from './scheme/errors.js'
import { ConfigurationError } from './settings/environment.js'

/** Options of {@link createHandler}: those of the app, and the address of a client. */
export type HandlerOptions<Context = unknown> = AppOptions<Context> & {
  /** Returns the IP address of the client. Never read it from a header that the client can set. */
  clientAddress: (request: Request, context: Context) => string
}

/**
 * Responds to a request. Rejects like `ready()`, with UsageError `ERR_CLIENT_ADDRESS` or `ERR_BODY_READ`, if
 * `clientAddress` throws, if the body is cut, if the request is aborted (`ERR_ABORTED`), and after `close()`.
 *
 * @typeParam Context - what the framework has beside the request, such as Hono's context or Deno's connection;
 *   `authorize` and `tokenOf` get it
 */
export interface Handler<Context = unknown> {
  (request: Request, ...rest: undefined extends Context ? [context?: Context] : [context: Context]): Promise<Response>
  /** Resolves when the handler can respond. Rejects like `ready()` of the app, which is closed then. */
  ready (): Promise<void>
  /** Ends timers, and connections to Redis, after the calls in progress. */
  close (): Promise<void>
}

/** Reads a body up to the first chunk beyond the limit. The rest, which may have no end, is not read. */
async function bodyOf ({ body, signal }: Request): Promise<Buffer> {
  const read = Buffer.allocUnsafe(bodyLimit + 1)
  let [length, count] = [0, 0]
  if (body === null) return Buffer.alloc(0)
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const cancel = () => { reader.cancel().catch(() => {}) } // the body of an aborted request may never end
  signal.addEventListener('abort', cancel, { once: true })
  try {
    while (length <= bodyLimit) {
      const { done, value } = await reader.read()
      signal.throwIfAborted() // what was read is not the whole body
      if (done) break
      read.set(value.subarray(0, read.length - length), length)
      length = Math.min(length + value.length, read.length)
      if (++count % 64 === 0) await new Promise(setImmediate) // a body that is there must not stop the event loop
    }
    return read.subarray(0, length)
  } finally {
    cancel()
    signal.removeEventListener('abort', cancel)
  }
}

/** Rejects when the signal is aborted. Work that has begun goes on: its decision is recorded. */
function untilAborted<Result> (signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(Object.assign(new Error('the request was aborted'), { code: 'ERR_ABORTED' }))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work().then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function responseOf (method: string, { statusCode: status, headers, rawPayload }: LightMyRequestResponse): Response {
  const { connection, 'transfer-encoding': coding, ...others } = headers // these describe the connection to the app
  const passedOn = Object.entries(others).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]))
  const isEmpty = rawPayload.length === 0 || method === 'HEAD'
  return new Response(isEmpty ? null : new Uint8Array(rawPayload), { status, headers: passedOn })
}

/**
 * Returns a function that responds to the requests of the whole service for other servers: those with the Request and
 * Response of the Fetch standard, such as Hono, Next.js, Bun and Deno, and all that can make and read them. It passes
 * the requests to an app of {@link createApp}.
 *
 * @throws ConfigurationError `ERR_OPTIONS`: unknown or invalid options
 * @example
 * import { createHandler } from 'payment-signature-backend/app'
 *
 * const handler = createHandler({
 *   config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' },
 *   clientAddress: (request, server) => server.requestIP(request).address
 * })
 * Bun.serve({ fetch: handler })
 */
export function createHandler<Context = unknown> (
  { clientAddress, ...options }: HandlerOptions<Context> = {} as never // the error follows
): Handler<Context> {
  if (typeof clientAddress !== 'function') {
    throw new ConfigurationError('clientAddress must be a function: without the address all clients share one limit', 'ERR_OPTIONS')
  }
  const app = createApp<Context>(options as AppOptions<Context>)
  const booted = Promise.resolve(app.ready()).then(() => {})
  booted.catch(() => app.close()).catch(() => {}) // each request rejects with the error
  const inFlight = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined

  async function handle (request: Request, context: Context): Promise<Response> {
    const remoteAddress: unknown = clientAddress(request, context)
    if (typeof remoteAddress !== 'string' || remoteAddress === '') {
      Promise.resolve(remoteAddress).catch(() => {}) // a rejection that nobody handles would end the process
      throw new UsageError('ERR_CLIENT_ADDRESS')
    }
    if (request.bodyUsed || request.body?.locked === true) {
      throw new UsageError('ERR_BODY_READ')
    }
    await booted
    const { pathname, search, host } = new URL(request.url)
    const { 'content-length': _length, ...headers } = Object.fromEntries(request.headers) // may be that of another body
    return untilAborted(request.signal, async () => {
      const injected = {
        method: request.method,
        url: pathname + search,
        authority: host,
        headers,
        remoteAddress,
        validate: false, // would reject methods that Node.js does not know
        payload: await bodyOf(request)
      }
      if (closed !== undefined) await closed // then inject rejects
      const call = contexts.run(context, async () => app.inject(injected as InjectOptions))
      inFlight.add(call)
      return responseOf(request.method, await call.finally(() => inFlight.delete(call)))
    })
  }

  /** Closes the app after the decisions in progress: each needs its record. */
  async function close (): Promise<void> {
    await Promise.allSettled(inFlight)
    await app.close()
  }
  return Object.assign(handle as Handler<Context>, { ready: () => booted, close: () => (closed ??= close()) })
}
