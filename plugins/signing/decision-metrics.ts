import fp from 'fastify-plugin'
import { counterIn } from '../../src/service/prometheus.js'
import type { SigningSettings } from './guard-options.js'
import { operationOf, operationsOf, outcomeOf, outcomes } from './outcome.js'

/** Counts the responses of the signing route by variant, operation and outcome. */
export default fp<SigningSettings>(async function decisionMetrics (app, { metrics, variant }) {
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
}, { name: 'decision-metrics', dependencies: ['request-reader'] })
