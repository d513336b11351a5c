import type { Server } from 'node:http'
import {
  LogController, type FastifyHttpOptions, type FastifyReply, type FastifyRequest, type FastifyServerOptions
} from 'fastify'
import { frameworkErrors } from './responses.js'
import { clientErrorHandler } from './protocol-errors.js'
import { settings } from '../../src/settings/settings.js'
import { countedRequests } from '../../src/http/error-response.js'
import { requestIdOf, traceFieldsOf } from '../../src/http/request-id.js'
import type { LineOutput } from '../../src/signing/options.js'
import type { MerchantToken } from '../../src/token/merchant-token.js'

/** Length limit of a logged path, in UTF-16 code units. Longer paths are cut. */
const maxPath = 256

/**
 * Logs one line for each completed request, except repeated refusals. The reason of a refusal is in the line before. A
 * line contains no query string, header or body, where a client may have put the token by mistake.
 */
class RequestLog extends LogController {
  /** @param cut - returns the beginning of a path without the token */
  constructor (readonly cut: (text: string, length: number) => string) { super() }

  override incomingRequest (): void {}

  override requestCompleted (error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (countedRequests.has(request)) return
    const { method, url, ip } = request
    const responseTime = Math.round(reply.elapsedTime * 1000) / 1000
    const [whole] = url.split(/[?#]/, 1) as [string]
    const path = whole.length > maxPath ? this.cut(whole, maxPath) : whole
    const line = { method, path, statusCode: reply.statusCode, responseTime, ip, ...traceFieldsOf(request) }
    if (error) request.log.error({ ...line, err: error }, 'request errored')
    else request.log.info(line, 'request completed')
  }
}

type Logger = NonNullable<FastifyServerOptions['logger']>

/** Returns logger options that redact every line, after the hook that the options contain. */
export function redactedLogger (logger: Logger, output: LineOutput, token: MerchantToken): Logger {
  if (!logger) return false
  const given = logger === true ? {} : logger
  const options = given.stream || given.file || given.transport ? given : { ...given, stream: output }
  const ownHook = options.hooks?.streamWrite ?? (line => line)
  return { ...options, hooks: { ...options.hooks, streamWrite: line => token.redactLine(ownHook(line)) } }
}

/**
 * Returns the options of every server of this package. Times are in milliseconds.
 *
 * @param cut - returns the beginning of a text without the token
 * @param trustsProxy - true for the address of a reverse proxy that sets request IDs
 */
export const serverOptions = (
  cut: (text: string, length: number) => string, trustsProxy: (address: string, hop: number) => boolean
) => ({
  genReqId: request => requestIdOf(request, trustsProxy),
  requestTimeout: 10_000, // for a whole request, from its first byte to its last byte
  connectionTimeout: 90_000, // without a byte in either direction, as when a client does not read its response
  // Longer than the 60 s of nginx and AWS's load balancers, which would otherwise respond with 502.
  keepAliveTimeout: settings.keepAliveTimeout.schema.default,
  http: {
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1000, // interval in which the time-outs are enforced
    requireHostHeader: false // plugins/http/protocol-errors.ts checks it: Node.js responds with an empty body
  },
  return503OnClosing: false, // requests that arrive while the server closes get a response, then their connection ends
  logController: new RequestLog(cut),
  routerOptions: { ignoreTrailingSlash: true }, // as Express does
  frameworkErrors,
  clientErrorHandler
} satisfies FastifyHttpOptions<Server>)
