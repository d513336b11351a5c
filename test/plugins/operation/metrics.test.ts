import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { testApp } from '../../support/app.js'
import { dial, portOf, raw } from '../../support/http.js'

const promtool = spawnSync('promtool', ['--version']).status === 0

const url = '/api/generate-signature'
const fields = { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
const config = { ADMIN_PORT: '0' }

t.test('without ADMIN_PORT there are no metrics and no hooks', async t => {
  const { app } = testApp(t)
  await app.ready()
  t.equal(app.metrics, undefined)
})

t.test('every app has its own registry', async t => {
  const [{ app: one }, { app: other }] = [testApp(t, { config }), testApp(t, { config })]
  await Promise.all([one.inject('/health'), other.ready()])
  t.match(await one.metrics?.metrics(), '_count{method="GET",route="/health",status_code="200"} 1\n')
  t.notMatch(await other.metrics?.metrics(), 'route="/health"')
})

t.test('durations, in seconds', async t => {
  const { app } = testApp(t, { config })
  app.get('/slow', async () => {
    await new Promise(resolve => setTimeout(resolve, 30))
    return {}
  })
  await app.inject('/slow')
  const text = await app.metrics?.metrics() ?? ''
  const labels = 'method="GET",route="/slow",status_code="200"'
  t.match(text, `http_request_duration_seconds_bucket{le="0.025",${labels}} 0\n`)
  t.match(text, `http_request_duration_seconds_bucket{le="10",${labels}} 1\n`)
  const limits = [...text.matchAll(/_bucket{le="([^"]+)",method="GET",route="\/slow"/g)].map(([, limit]) => limit)
  t.equal(limits.join(' '), '0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf')
  const [, sum = ''] = new RegExp(`http_request_duration_seconds_sum{${labels}} (\\S+)`).exec(text) ?? []
  t.ok(Number(sum) >= 0.029 && Number(sum) < 5, sum)
})

t.test('connections, faults and the delay of the event loop', async t => {
  const { app } = testApp(t, { config: { ...config, MAX_CONNECTIONS: 7 } })
  const port = await portOf(app)
  dial(t, port, '127.0.0.1')
  await once(app.server, 'connection')
  app.backgroundFaults.report(new Error('a fault'))
  for (let scrape = 0; scrape < 2; scrape++) {
    const text = await app.metrics?.metrics() ?? ''
    t.match(text, 'payment_signature_connections 1\n')
    t.match(text, 'payment_signature_connections_max 7\n')
    t.match(text, 'payment_signature_connections_refused_total 0\n')
    t.match(text, 'payment_signature_background_faults_total 1\n')
    t.match(text, 'payment_signature_shed_requests_total 0\n')
    t.match(text, /^payment_signature_event_loop_delay_seconds \d/m)
  }
})

t.test('labels come from closed sets', async t => {
  const { app } = testApp(t, { config })
  const inject = (method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'HEAD', path: string, payload?: object) =>
    app.inject({ method, url: path, ...(payload && { payload }) })

  async function traffic (seed: string) {
    await inject('GET', `/health?probe=${seed}`)
    await inject('HEAD', '/health')
    await inject('GET', `/${seed}`)
    await inject('PUT', `/${seed}`)
    await inject('DELETE', '/health')
    await inject('OPTIONS', `/${seed}`)
    await inject('GET', `/%c0${seed}`)
    await inject('POST', url, { ...fields, operationType: seed, orderId: seed })
    await inject('POST', url, { operationType: seed })
    // Methods that inject does not support.
    for (const method of ['PROPFIND', 'MKCOL']) {
      await raw(port, `${method} /${seed} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    }
  }
  const port = await portOf(app)
  const series = async () => [...(await app.metrics?.metrics() ?? '')
    .matchAll(/^(?:http_request_duration_seconds_count|payment_signature_decisions_total)(.*?) [1-9]\d*$/gm)]
    .map(([, labels]) => labels).sort()

  const atStart = 'http_request_duration_seconds_count{method="POST",route="/api/generate-signature",status_code="200"} 0\n'
  t.match(await app.metrics?.metrics(), atStart)
  await traffic('first')
  const found = await series()
  t.strictSame(found, [
    '{method="DELETE",route="(none)",status_code="405"}',
    '{method="GET",route="(none)",status_code="404"}',
    '{method="GET",route="/health",status_code="200"}',
    '{method="HEAD",route="/health",status_code="200"}',
    '{method="OPTIONS",route="*",status_code="204"}',
    '{method="POST",route="/api/generate-signature",status_code="200"}',
    '{method="POST",route="/api/generate-signature",status_code="400"}',
    '{method="other",route="(none)",status_code="404"}',
    '{variant="A",operation="purchase",outcome="signed",caller="anonymous"}',
    '{variant="A",operation="unknown",outcome="invalid",caller="anonymous"}'
  ].map(labels => labels.replace('"DELETE"', '"other"')).sort())
  for (const seed of ['second', 'third/path', 'api', 'Purchase', '__proto__', 'constructor']) await traffic(seed)
  t.strictSame(await series(), found)
})

t.test('promtool accepts the metrics', { skip: !promtool && 'promtool is not installed' }, async t => {
  const guards = { AUTHORIZE_URL: 'http://127.0.0.1:1/', RATE_LIMIT_MAX: 1000, REDIS_URL: 'redis://127.0.0.1:1', AUDIT: 'true' } as const
  const { app } = testApp(t, { config: { ...config, ...guards } })
  for (const operationType of ['purchase', 'refund', 'void', 'inquiry', 'tea']) {
    await app.inject({ method: 'POST', url, payload: { ...fields, operationType } })
  }
  for (const path of ['/', '/health', '/ready', '/nowhere', '/%c0']) await app.inject(path)
  await app.inject({ method: 'POST', url, payload: '{', headers: { 'content-type': 'application/json' } })
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: await app.metrics?.metrics() ?? '', encoding: 'utf8'
  })
  t.equal(stdout + stderr, '')
  t.equal(status, 0)
})

t.test('a client that disconnects before the answer is not counted', async t => {
  const { app } = testApp(t, { config })
  const socket = connect(await portOf(app), '127.0.0.1')
  socket.write(`POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`)
  const [request] = await once(app.server, 'request')
  request.on('error', () => {})
  socket.destroy()
  await new Promise(resolve => request.once('close', resolve))
  await app.close()
  t.notMatch(await app.metrics?.metrics(), /(?:_total\{variant=|_count\{method="POST").* [1-9]/)
})
