import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { operationOf } from '../src/operation.js'
import type { Operation } from '../src/operation.js'
import { outcomeOf } from '../src/outcome.js'

/** The operation that a body asks for; `unknown` if it was not read, is no object, or cannot be turned into text. */
function operationIn (app: FastifyInstance, body: unknown): Operation | 'unknown' {
  if (app.signer.variant === 'B') return 'purchase'
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'unknown'
  try {
    return operationOf((body as { operationType?: unknown }).operationType)
  } catch {
    return 'unknown'
  }
}

/** Counts the answers of the signing route by what was asked for and what became of it. */
export default fp(async function decisionMetrics (app) {
  if (app.metrics === null) return
  const { Counter } = await import('prom-client')
  const decisions = new Counter({
    name: 'payment_signature_decisions_total',
    help: 'Answers to requests for a signature.',
    labelNames: ['variant', 'operation', 'outcome'],
    registers: [app.metrics]
  })
  app.addHook('onResponse', (request, reply, done) => {
    decisions.inc({
      variant: app.signer.variant,
      operation: operationIn(app, request.body),
      outcome: outcomeOf(reply.statusCode)
    })
    done()
  })
}, { name: 'decision-metrics', dependencies: ['metrics', 'signer'] })
