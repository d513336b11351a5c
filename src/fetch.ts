import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { TransformStream, type ReadableStream } from 'node:stream/web'
import fastifyCors from '@fastify/cors'
import Fastify, { LogController, type FastifyServerOptions, type InjectOptions, type LightMyRequestResponse } from 'fastify'
import { corsOptions } from '../plugins/cors.js'
import { errorHandler, frameworkErrors, notFound, responseHeaders } from '../plugins/http/responses.js'
import { allowedOrigins, formats } from './settings/environment.js'
import paymentSignature, { OptionsError, type PaymentSignatureOptions } from './fastify.js'
import { requestIdOf } from './http/request-id.js'
import { assertOptions } from './settings/plugin-options.js'
import { pause } from './text/slices.js'

export * from './fastify.js'

/** Connection-specific headers, which are not passed on in either direction (RFC 9110, 7.6.1). */
const connectionHeaders = new Set(
  ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'])

/** Passes a body on in slices of time: a body that is produced at once and without end would stop the event loop. */
const inTurns = (): TransformStream => new TransformStream({
  async transform (chunk, controller) {
    await pause()
    controller.enqueue(chunk)
  }
})

/** Returns pairs of name and value. A header with several values has several pairs. */
const passedOn = (headers: object): Array<[string, string]> => Object.entries(headers)
  .filter(([name]) => !connectionHeaders.has(name))
  .flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]))

function responseOf (method: string, { statusCode: status, headers, rawPayload }: LightMyRequestResponse): Response {
  const isEmpty = rawPayload.length === 0 || method === 'HEAD'
  return new Response(isEmpty ? null : new Uint8Array(rawPayload), { status, headers: passedOn(headers) })
}

/**
 * Options of {@link createHandler}.
 *
 * @typeParam Extra - second argument of the handler, such as Hono's context or Deno's connection
 * @typeParam Context - result of the option `context`
 */
export type HandlerOptions<Extra = unknown, Context = unknown> =
  Omit<PaymentSignatureOptions<Context>, 'context' | 'schema' | 'watchedFiles'> & {
    /** Returns the IP address of the client. Never read it from a header that the client can set. */
    clientAddress: (request: Request, extra: Extra) => string
    /** Option `context` of the plugin, called with the arguments of the handler. */
    context?: ((request: Request, extra: Extra) => Context | Promise<Context>) | undefined
    /** Origins whose pages may call the handler, like CORS_ORIGIN of the service. Default: no CORS headers. */
    corsOrigin?: string | undefined
    /** Lets pages of these origins send cookies, like CORS_CREDENTIALS of the service. Default: false. */
    corsCredentials?: boolean | undefined
    /** Option of Fastify. Default: logs warnings, errors and the audit to standard output, in JSON. */
    logger?: FastifyServerOptions['logger'] | undefined
  }

/**
 * Responds to a request. Rejects if the options are invalid, if `clientAddress` throws or returns no text, if the body
 * was read before, and after `close()`.
 */
export interface Handler<Extra = unknown> {
  (request: Request, ...extra: undefined extends Extra ? [extra?: Extra] : [extra: Extra]): Promise<Response>
  /** Resolves when the handler can respond. Rejects like `ready()` of an app with the plugin. */
  ready (): Promise<void>
  /** Ends timers, and connections to Redis. */
  close (): Promise<void>
}

function assertHandlerOptions (clientAddress: unknown, corsOrigin: unknown, corsCredentials: unknown): void {
  if (typeof clientAddress !== 'function') {
    throw new OptionsError('clientAddress must be a function: without the address all clients share one limit')
  }
  if (corsOrigin !== undefined && !(typeof corsOrigin === 'string' && formats['cors-origin'](corsOrigin))) {
    throw new OptionsError('corsOrigin must be * or a comma-separated list of exact origins such as https://shop.example')
  }
  if (typeof corsCredentials !== 'boolean' || (corsCredentials && (corsOrigin ?? '*') === '*')) {
    throw new OptionsError('corsCredentials must be true or false; true needs a corsOrigin that lists origins')
  }
}

/**
 * Returns a function that responds to `POST /api/generate-signature` for frameworks with the Request and Response of
 * the Fetch standard, such as Hono, Next.js, Bun and Deno. It runs the {@link paymentSignature} plugin.
 *
 * @throws OptionsError `ERR_OPTIONS`: unknown or invalid options
 * @example
 * import { createHandler } from 'payment-signature-backend/fetch'
 *
 * const handler = createHandler({
 *   variant: 'A',
 *   merchantToken: process.env.MERCHANT_TOKEN ?? '',
 *   clientAddress: (request, server) => server.requestIP(request).address
 * })
 * Bun.serve({ fetch: handler })
 */
export function createHandler<Extra = unknown, Context = unknown> (
  {
    clientAddress, context, corsOrigin, corsCredentials = false, logger = true, ...options
  }: HandlerOptions<Extra, Context> = {} as never // an OptionsError follows
): Handler<Extra> {
  assertHandlerOptions(clientAddress, corsOrigin, corsCredentials)
  assertOptions({ ...options, context })
  const calls = new AsyncLocalStorage<readonly [Request, Extra]>()
  const app = Fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: request => requestIdOf(request, () => false),
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors
  })
  app.register(responseHeaders)
  if (corsOrigin !== undefined) {
    app.register(fastifyCors, { ...corsOptions(allowedOrigins(corsOrigin), corsCredentials), methods: ['POST'] })
  }
  app.register(errorHandler)
  app.register(notFound)
  app.register(paymentSignature<Context>, {
    ...options as PaymentSignatureOptions<Context>,
    ...context !== undefined && { context: () => context(...calls.getStore() as [Request, Extra]) }
  })

  const booted = Promise.resolve(app.ready()).then(() => {})
  booted.catch(() => {}) // each request rejects with the error

  async function handle (request: Request, extra: Extra): Promise<Response> {
    const remoteAddress: unknown = clientAddress(request, extra)
    if (typeof remoteAddress !== 'string' || remoteAddress === '') {
      Promise.resolve(remoteAddress).catch(() => {}) // a rejection that nobody handles would end the process
      throw new TypeError('clientAddress must return the client\'s address, a non-empty string and no promise')
    }
    if (request.bodyUsed) {
      throw new TypeError('the body of the request was read before: call the handler before the body parser, or pass rawBody as the body')
    }
    await booted
    const { pathname, search, host } = new URL(request.url)
    const body = request.body === null
      ? undefined
      : Readable.fromWeb((request.body as ReadableStream).pipeThrough(inTurns()))
    body?.on('error', () => {}) // before and after the request is injected, nobody else handles it
    const { method, signal } = request
    // Always with an error: the reason can be null, and the reader of a stream that only closes would wait for ever.
    const cut = () => body?.destroy(new Error('the request was aborted'))
    if (signal.aborted) cut()
    signal.addEventListener('abort', cut, { once: true })
    const injected = {
      method,
      url: pathname + search,
      authority: host,
      headers: {
        // Without this header and a Content-Length, Fastify reads no body.
        ...body !== undefined && !request.headers.has('content-length') && { 'transfer-encoding': 'chunked' },
        ...Object.fromEntries(passedOn(Object.fromEntries(request.headers)))
      },
      remoteAddress,
      validate: false, // would reject methods that Node.js does not know
      ...body !== undefined && { payload: body }
    }
    const respond = async () => responseOf(method, await app.inject(injected as InjectOptions))
    return calls.run([request, extra], respond).finally(() => body?.destroy()) // cancels the rest of an unread body
  }

  return Object.assign(handle as Handler<Extra>, { ready: () => booted, close: () => app.close() })
}
