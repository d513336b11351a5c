import fp from 'fastify-plugin'
import { operationIn } from '../../src/scheme/operation.js'
import { outcomeOf } from './outcome.js'

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
      operation: operationIn(app.signer.variant, request.body),
      outcome: outcomeOf(reply.statusCode)
    })
    done()
  })
}, { name: 'decision-metrics', dependencies: ['metrics', 'signer'] })
