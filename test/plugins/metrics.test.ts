import { spawnSync } from 'node:child_process'
import t from 'tap'
import { testApp } from '../support/app.js'
import { portOf, raw } from '../support/http.js'
import { lacking } from '../support/installed.js'

const url = '/api/generate-signature'
const fields = { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
const config = { ADMIN_PORT: 1 }

t.test('durations of all requests, in seconds; nothing without ADMIN_PORT', async t => {
  const without = testApp(t).app
  await without.ready()
  t.equal(without.metrics, undefined)
  const { app } = testApp(t, { config })
  app.get('/slow', () => new Promise(resolve => setTimeout(resolve, 30, {})))
  await app.inject('/slow')
  const text = await app.metrics!.registry.metrics()
  const counts = [...text.matchAll(/^payment_signature_request_duration_seconds_bucket{le="([^"]+)",route="\/slow",status_code="200"} (\d)$/gm)]
  t.equal(counts.map(([, limit]) => limit).join(' '), '0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf')
  t.strictSame([counts[5]?.[2], counts[13]?.[2]], ['0', '1'], 'over 0.025 s, below 10 s')
  t.match(text, /^process_cpu_seconds_total \d/m)
  t.match(text, /^nodejs_eventloop_lag_seconds \d/m)
})

t.test('all apps of a process share its metrics, whose collectors have no end', async t => {
  const metricOf = async () => {
    const { app } = testApp(t, { config })
    await app.ready()
    return app.metrics!.registry.getSingleMetric('nodejs_gc_duration_seconds')
  }
  const first = await metricOf()
  t.ok(first)
  t.equal(await metricOf(), first)
})

t.test('labels come from closed sets, and the series of decisions start at 0', async t => {
  const { app } = testApp(t, { config })
  const port = await portOf(app)
  const series = async (value: string) => [...(await app.metrics!.registry.metrics())
    .matchAll(new RegExp(`^(?:payment_signature_request_duration_seconds_count|payment_signature_decisions_total)(.*?) ${value}$`, 'gm'))]
    .map(([, labels]) => labels).sort()
  t.match(await series('0'), ['{variant="A",operation="clearCache",outcome="failed"}'])
  // 6 operations, clear cache and unknown included; 8 outcomes
  t.equal((await series('0')).length, 48)

  async function traffic (seed: string) {
    for (const [method, path, payload] of [
      ['GET', `/health?probe=${seed}`], ['HEAD', '/health'], ['GET', `/${seed}`], ['PUT', `/${seed}`], ['DELETE', '/health'],
      ['GET', `/%c0${seed}`], ['POST', url, { ...fields, operationType: seed, orderId: seed }], ['POST', url, { operationType: seed }]
    ] as const) await app.inject({ method, url: path, ...payload && { payload } })
    await raw(port, `PROPFIND /${seed} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  }
  await traffic('first')
  const found = await series('[1-9]\\d*')
  t.strictSame(found, [
    '{route="(none)",status_code="404"}',
    '{route="(none)",status_code="405"}',
    '{route="/api/generate-signature",status_code="200"}',
    '{route="/api/generate-signature",status_code="400"}',
    '{route="/health",status_code="200"}',
    '{variant="A",operation="purchase",outcome="signed"}',
    '{variant="A",operation="unknown",outcome="invalid"}'
  ])
  for (const seed of ['second/path', 'api', 'Purchase', '__proto__']) await traffic(seed)
  t.strictSame(await series('[1-9]\\d*'), found)
})

t.test('promtool accepts the metrics', { skip: lacking('promtool') }, async t => {
  const guards = { AUTHORIZE_URL: 'http://127.0.0.1:1/', RATE_LIMIT_MAX: 1000, REDIS_URL: 'redis://127.0.0.1:1', AUDIT: true } as const
  const { app } = testApp(t, { config: { ...config, ...guards } })
  for (const operationType of ['purchase', 'tea']) await app.inject({ method: 'POST', url, payload: { ...fields, operationType } })
  for (const path of ['/', '/ready', '/nowhere', '/%c0']) await app.inject(path)
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await app.metrics!.registry.metrics(), encoding: 'utf8' })
  const complaints = `${stdout}${stderr}`.split('\n').filter(line => line !== '' && !line.startsWith('nodejs_')) // not ours
  t.strictSame(complaints, [])
})
