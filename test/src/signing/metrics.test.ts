import { Registry } from 'prom-client'
import t from 'tap'
import { metricsIn, startDecisions } from '../../../src/signing/metrics.js'

t.test('each series of decisions starts at 0, and routes of one registry share it', async t => {
  const registry = new Registry()
  const metrics = await metricsIn(registry)
  startDecisions(metrics, 'A,B')
  ;(await metricsIn(registry)).decisions.inc({ variant: 'B', operation: 'purchase', outcome: 'signed' })
  metrics.decisions.inc({ variant: 'B', operation: 'purchase', outcome: 'signed' })
  const series = [...(await registry.metrics())
    .matchAll(/^payment_signature_decisions_total\{variant="(.)",operation="([\w-]+)",outcome="(\w+)"\} (\d+)$/gm)]
    .map(([, ...values]) => values)
  const outcomes = ['signed', 'refused', 'invalid', 'unauthenticated', 'forbidden', 'rate_limited', 'failed', 'unavailable']
  const operations = ['purchase', 'refund', 'void', 'inquiry', 'clear-cache', 'unknown']
  t.strictSame(series, [
    ...operations.flatMap(operation => outcomes.map(outcome => ['A', operation, outcome, '0'])),
    ...outcomes.map(outcome => ['B', 'purchase', outcome, outcome === 'signed' ? '2' : '0'])
  ])
  t.notMatch(await registry.metrics(), 'redis_up', 'only with Redis')
})
