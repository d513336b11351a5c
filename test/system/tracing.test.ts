import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { serve } from '../support/backend.js'
import { request } from '../support/example.js'
import { listening, root, server } from '../support/server.js'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  startTimeUnixNano: string
  status: { code: number }
  attributes: Array<{ key: string, value: Record<string, unknown> }>
}

const [internal, asServer, asClient] = [1, 2, 3]
const [unset, failed] = [0, 2]

/** Starts a merchant's backend that allows every request, and returns its URL. */
async function receiver (t: Test, receive: (request: IncomingMessage, body: string) => void): Promise<string> {
  const { origin } = await serve(t, async (request, response) => {
    receive(request, await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"allowed":true}')
  })
  return origin
}

const tracing = ['--import', join(root, 'examples/tracing.mjs')]

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

t.test('spans have routes, log and backend have the trace ID, and none has a secret', async t => {
  const exported: string[] = []
  const asked: string[][] = []
  const collector = await receiver(t, (_request, body) => { exported.push(body) })
  const backend = await receiver(t, ({ rawHeaders }) => { asked.push(rawHeaders) })
  const service = server(t, {
    MERCHANT_TOKEN: 'canary-token-0123456789',
    AUDIT: 'true',
    AUTHORIZE_URL: `${backend}/may-sign?key=canary-key`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_SERVICE_NAME: 'signer-eu'
  }, { nodeOptions: tracing })
  const [, port = ''] = await service.says(listening)

  const request = { accountNumber: '1', sid: 'canary-sid', clientTimeStamp: 1, orderId: 'canary-order', merchantToken: 'canary-body' }
  const post = (body: string, headers = {}) =>
    fetch(`http://127.0.0.1:${port}/api/generate-signature?merchantToken=canary-query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer canary-api-key', cookie: 'session=canary-cookie', ...headers },
      body
    }).then(({ status }) => status)
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  t.equal(await post(JSON.stringify(request), { traceparent }), 200)
  t.equal(await post(JSON.stringify(request)), 200)
  t.equal(await post('{"canary-json'), 400)
  t.equal(await post(JSON.stringify({ ...request, sid: ' ' })), 500)
  t.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200)

  t.equal(await service.terminate(), 0, 'which sends the spans, long before a batch is due')
  t.notMatch(exported.join('\n'), /canary/)

  const spans: Span[] = exported.flatMap(body => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans)
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
  const served = spans.filter(({ kind }) => kind === asServer)
  t.strictSame(served.map(span => [span.name, span.status.code, attributesOf(span)['http.response.status_code']]), [
    ['POST /api/generate-signature', unset, 200],
    ['POST /api/generate-signature', unset, 200],
    ['POST /api/generate-signature', unset, 400],
    ['POST /api/generate-signature', failed, 500]
  ], 'and none of the health check')
  t.strictSame([...new Set(served.map(span => attributesOf(span)['http.route']))], ['/api/generate-signature'])
  t.strictSame(spans.filter(({ kind }) => kind === internal), [])
  t.match(JSON.parse(exported[0] ?? '').resourceSpans[0].resource.attributes, [{ key: 'service.name', value: { stringValue: 'signer-eu' } }])

  const [continued, begun] = served as [Span, Span]
  t.match(continued, { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentSpanId: '00f067aa0ba902b7' })
  t.not(begun.traceId, continued.traceId)

  const clients = spans.filter(({ kind }) => kind === asClient)
  t.equal(clients.length, 2, 'the backend was asked about what could be signed')
  t.strictSame(clients.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
    [continued, begun].map(({ traceId, spanId }) => [traceId, spanId]))
  t.strictSame(asked.map(headers => headers.filter((_header, index) => headers[index - 1] === 'traceparent')),
    clients.map(({ traceId, spanId }) => [`00-${traceId}-${spanId}-01`]), 'one header each')
  t.equal(attributesOf(clients[0] as Span)['url.full'], `${backend}/may-sign`)

  const logged = (message: string) => service.output().split('\n').filter(line => line.includes(`"msg":"${message}"`)).slice(0, 4)
  for (const message of ['request completed', 'decision']) {
    const lines = logged(message)
    t.strictSame(lines.map(line => JSON.parse(line).trace_id), served.map(({ traceId }) => traceId), message)
    t.strictSame(lines.map(line => line.split('"trace_id"').length - 1), [1, 1, 1, 1], 'once in each line')
  }
  t.strictSame(logged('request completed').map(line => JSON.parse(line).span_id), served.map(({ spanId }) => spanId))
})

t.test('without a collector, the service signs and stops normally', async t => {
  const service = server(t, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, { nodeOptions: tracing })
  const [, port = ''] = await service.says(listening)
  const response = await request(port, '{"accountNumber":"1","sid":"s","clientTimeStamp":1}')
  t.equal(response.status, 200)
  t.equal(await service.terminate(), 0)
})
