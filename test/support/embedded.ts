import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { GuardOptions } from '../../plugins/signing/guard-options.js'
import paymentSignature from '../../src/fastify.js'
import { token } from './app.js'
import { Log } from './log.js'

/**
 * Returns an app that embeds the signing route, and its log. Load shedding is off, so that a busy machine causes no
 * failure.
 *
 * @param prepare - adds hooks that run before those of the plugin
 */
export function embedded (
  t: Test, options: GuardOptions, prepare = (_app: FastifyInstance): unknown => undefined
): { app: FastifyInstance, log: () => string } {
  const log = new Log()
  const app: FastifyInstance = Fastify({ logger: { stream: log } })
  t.teardown(() => app.close())
  prepare(app)
  app.register(paymentSignature, { variant: 'A', merchantToken: token, ...options })
  return { app, log: () => log.text }
}
