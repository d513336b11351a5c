import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import { settings } from '../../src/service/settings.js'
import { frameworkErrors } from './error-handler.js'
import { clientErrorHandler } from './protocol-errors.js'
import { RequestLog } from './request-log.js'

/**
 * Returns the options of every server of this package. Times are in milliseconds.
 *
 * @param redact - removes the token from a text
 */
export const serverOptions = (redact: (text: string) => string) => ({
  requestTimeout: 10_000, // from the first byte to the last one of a request
  connectionTimeout: 90_000, // without a byte either way within a request, as when a client does not read its response
  // Between requests: longer than the 60 s of nginx and AWS's load balancers, or they respond with 502.
  keepAliveTimeout: settings.keepAliveTimeout.schema.default,
  http: {
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1000, // how often the two time-outs above are enforced
    requireHostHeader: false // Node would respond with an empty body; plugins/http/protocol-errors.ts does it
  },
  return503OnClosing: false, // what still arrives while closing is answered, then its connection ends
  logController: new RequestLog(redact),
  frameworkErrors,
  clientErrorHandler
} satisfies FastifyHttpOptions<Server>)
