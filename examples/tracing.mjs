// Traces the service by OpenTelemetry; docs/monitoring.md lists its packages and the command.
import { subscribe } from 'node:diagnostics_channel'
import { context, propagation } from '@opentelemetry/api'
import { RPCType, getRPCMetadata } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

/** Asked every few seconds, and always the same. */
const ignored = new Set(['/', '/health', '/ready', '/metrics'])

/** How long the stop of the service may wait for the collector, in milliseconds. */
const flushTimeout = 2000

const provider = new NodeTracerProvider({
  resource: defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'payment-signature-backend' }))
    .merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())]
})
provider.register()

registerInstrumentations({
  instrumentations: [
    new HttpInstrumentation({
      disableOutgoingRequestInstrumentation: true,
      ignoreIncomingRequestHook: ({ url }) => ignored.has(url),
      startIncomingSpanHook: () => ({ 'url.query': '' }), // it may hold what the service never logs
      // The service takes the trace from this header, also for the audit: from now on it is that of the span.
      requestHook: (_span, { headers }) => propagation.inject(context.active(), headers)
    }),
    new UndiciInstrumentation({ // fetch, which asks AUTHORIZE_URL
      startSpanHook: ({ origin, path }) => ({ 'url.full': origin + path.split('?', 1)[0], 'url.query': '' })
    }),
    new PinoInstrumentation({ disableLogSending: true })
  ]
})

subscribe('fastify.initialization', ({ fastify }) => {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const metadata = getRPCMetadata(context.active())
    if (metadata?.type === RPCType.HTTP) metadata.route = request.routeOptions.url // which the span is named after
    done()
  })
  fastify.addHook('onClose', () => Promise.race([
    provider.forceFlush().catch(() => {}), // lost spans are no reason to end with an error
    new Promise(resolve => setTimeout(resolve, flushTimeout).unref())
  ]))
})
