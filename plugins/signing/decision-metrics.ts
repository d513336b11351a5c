import fp from 'fastify-plugin'
import type { SigningSettings } from '../../src/configuration/guard-options.js'
import { variantNames } from '../../src/scheme/variants.js'
import { operationOf, operationsOf, outcomeOf, outcomes } from '../../src/telemetry/outcome.js'
import { CallerLabels } from '../../src/telemetry/caller-labels.js'
import { counterIn } from '../../src/telemetry/prometheus.js'

/** Counts the responses of the signing route by variant, operation, outcome and caller, and by merchant and outcome. */
export default fp<SigningSettings>(async function decisionMetrics (app, { metrics, variant: given, merchants }) {
  if (metrics === undefined) return
  // A label for the merchant stands in a metric of its own: both together would be too many series.
  const decisions = await counterIn(metrics, 'payment_signature_decisions_total',
    'Responses to requests for a signature.', ['variant', 'operation', 'outcome', 'caller'])
  // Rates need the first value. Without a policy, all requests have this caller.
  for (const variant of given === 'A,B' ? variantNames : [given]) {
    for (const operation of operationsOf(variant)) {
      for (const outcome of outcomes) decisions.inc({ variant, operation, outcome, caller: 'anonymous' }, 0)
    }
  }
  const ofMerchants = merchants && await counterIn(metrics, 'payment_signature_merchant_decisions_total',
    'Responses to requests for a signature whose account has a merchant.', ['merchant', 'outcome'])
  const names = new CallerLabels(1000)

  app.addHook('onResponse', (request, reply, done) => {
    const { signingMerchant: merchant } = request
    const variant = merchant?.variant ?? given
    const outcome = outcomeOf(request, reply)
    const caller = app.callerLabels.of(request.signingCaller)
    decisions.inc({ variant, operation: operationOf(variant, request), outcome, caller })
    if (merchant !== null) ofMerchants?.inc({ merchant: names.of(merchant.name), outcome })
    done()
  })
}, { name: 'decision-metrics', fastify: '5.x' })
