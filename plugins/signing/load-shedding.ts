import fp from 'fastify-plugin'
import type { GuardOptions } from '../../src/configuration/guard-options.js'
import { messages } from '../../src/http/messages.js'
import { overloadError } from '../../src/http/refused-error.js'
import { counterIn } from '../../src/telemetry/prometheus.js'

/** Refuses requests for a signature during overload, before the body is read. Probes always get a response. */
export default fp<GuardOptions>(async function loadShedding (app, { isOverloaded, metrics }) {
  if (isOverloaded === undefined) return
  const shed = metrics && await counterIn(metrics, 'payment_signature_shed_requests_total',
    'Requests for a signature that were refused because of overload.', [])

  app.addHook('onRequest', (_request, _reply, done) => {
    if (!isOverloaded()) return done()
    shed?.inc()
    done(overloadError(messages.overloaded))
  })
}, { name: 'load-shedding', fastify: '5.x' })
