import fp from 'fastify-plugin'
import type { SigningSettings } from '../../src/configuration/guard-options.js'
import { operationOf, operationsOf, outcomeOf, outcomes } from '../../src/telemetry/outcome.js'
import { counterIn } from '../../src/telemetry/prometheus.js'

/** Counts the responses of the signing route by variant, operation, outcome and caller. */
export default fp<SigningSettings>(async function decisionMetrics (app, { metrics, variant }) {
  if (metrics === undefined) return
  // A label for the merchant stands in a metric of its own: both together would be too many series.
  const decisions = await counterIn(metrics, 'payment_signature_decisions_total',
    'Responses to requests for a signature.', ['variant', 'operation', 'outcome', 'caller'])
  // Rates need the first value. Without a policy, all requests have this caller.
  for (const operation of operationsOf(variant)) {
    for (const outcome of outcomes) decisions.inc({ variant, operation, outcome, caller: 'anonymous' }, 0)
  }
  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationOf(variant, request.signingReading)
    const caller = app.callerLabels.of(request.signingCaller)
    decisions.inc({ variant, operation, outcome: outcomeOf(request, reply), caller })
    done()
  })
}, { name: 'decision-metrics', fastify: '5.x' })
