import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import type { Variant } from '../../src/scheme/variants.js'
import { counterIn } from '../../src/service/metrics.js'
import { operationOf, operationsOf, outcomeOf, outcomes } from './outcome.js'

export interface DecisionMetricsOptions {
  /** Where metrics are registered, of prom-client; none if not given. */
  metrics?: Registry | undefined
}

/** Counts the responses of the signing route by what was asked for and what became of it. */
export default fp<DecisionMetricsOptions & { variant: Variant }>(async function decisionMetrics (app, options) {
  const { metrics, variant } = options
  if (metrics === undefined) return
  const decisions = await counterIn(metrics, 'payment_signature_decisions_total',
    'Responses to requests for a signature.', ['variant', 'operation', 'outcome'])
  // An alert compares a series with its past, so each series exists from the start.
  for (const operation of operationsOf(variant)) {
    for (const outcome of outcomes) decisions.inc({ variant, operation, outcome }, 0)
  }
  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationOf(variant, request.signingReading)
    decisions.inc({ variant, operation, outcome: outcomeOf(request, reply) })
    done()
  })
}, { name: 'decision-metrics', dependencies: ['reading'] })
