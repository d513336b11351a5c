import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import paymentSignature, { type PaymentSignatureOptions } from '../../src/fastify.js'
import { developmentToken as token } from '../../src/token/key-check-value.js'
import { Log } from './log.js'

/**
 * Returns an app that embeds the signing route, and its log.
 *
 * @param options - of the plugin. Default: variant A with the token of the tests
 * @param prepare - adds hooks that run before those of the plugin
 */
export function embedded (
  t: Test, options: Partial<PaymentSignatureOptions>, prepare = (_app: FastifyInstance): unknown => undefined,
  server: FastifyServerOptions = {}
): { app: FastifyInstance, log: () => string } {
  const log = new Log()
  const app: FastifyInstance = Fastify({ logger: { stream: log }, ...server })
  t.teardown(() => app.close())
  prepare(app)
  const signing = options.signer === undefined ? { variant: 'A', merchantToken: token } : {}
  app.register(paymentSignature, { ...signing, ...options } as PaymentSignatureOptions)
  return { app, log: () => log.text }
}
