import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { quietLogLevel } from '../src/service/configuration.js'
import { RefusedError } from '../src/service/refused-error.js'
import { refused, response } from './schemas.js'

const ReadyResponse = Type.Object({ ok: Type.Literal(true) }, { title: 'ReadyResponse' })

const schema = {
  operationId: 'ready',
  tags: ['Probes'],
  summary: 'Readiness',
  description: 'For load balancers: whether new requests should be sent here.',
  response: {
    200: response('New requests should be sent here', ReadyResponse, { Ready: { ok: true } }),
    503: refused('New requests should go elsewhere', {
      Starting: 'starting', 'Shutting down': 'shutting down', Overloaded: 'overloaded', 'No audit': 'audit unavailable'
    })
  }
}

/** Readiness: whether a load balancer should send requests here. As with liveness only failures are logged. */
const ready: FastifyPluginAsync = async function (app) {
  app.get('/ready', { logLevel: quietLogLevel(app.config), schema, config: { isProbe: true } }, async request => {
    const reason = app.unreadiness()
    if (reason === '') return { ok: true }
    const refusal = new RefusedError(503, reason, {}, app.isRepeated(request, 503, reason))
    if (!refusal.isRepeated) request.log.warn({ reason }, 'not ready')
    throw refusal
  })
}

export default ready
