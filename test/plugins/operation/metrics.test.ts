import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SigningError } from '../../../src/scheme/errors.js'
import { testApp } from '../../support/app.js'
import { customSigner } from '../../support/custom-signer.js'
import { portOf, raw } from '../../support/http.js'

const promtool = spawnSync('promtool', ['--version']).status === 0

const url = '/api/generate-signature'
const fields = { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
const config = { ADMIN_PORT: '0' }

t.test('without ADMIN_PORT there are no metrics and no hooks', async t => {
  const { app } = testApp(t)
  await app.ready()
  t.equal(app.metrics, undefined)
})

t.test('totals that other code counts', async t => {
  const { app } = testApp(t, { config, output: { lost: 7, write () {} } })
  await app.ready()
  for (let count = 0; count < 3; count++) {
    app.connections.ended.report()
    app.backgroundFaults.report(new Error('fault'))
  }
  const metrics = await app.metrics!.metrics()
  t.match(metrics, '\npayment_signature_log_lines_lost_total 7\n')
  t.match(metrics, '\npayment_signature_connections_refused_total 3\n')
  t.match(metrics, '\npayment_signature_background_faults_total 3\n')
})

t.test('durations, in seconds', async t => {
  const { app } = testApp(t, { config })
  app.get('/slow', () => new Promise(resolve => setTimeout(resolve, 30, {})))
  await app.inject('/slow')
  const text = await app.metrics?.metrics() ?? ''
  const counts = [...text.matchAll(/_bucket{le="([^"]+)",method="GET",route="\/slow",status_code="200"} (\d)/g)]
  t.equal(counts.map(([, limit]) => limit).join(' '), '0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf')
  t.strictSame([counts[5]?.[2], counts[13]?.[2]], ['0', '1'], 'over 0.025 s, below 10 s')
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
  for (const seed of ['second/path', 'api', 'Purchase', '__proto__']) await traffic(seed)
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

// Decisions on requests for a signature.

for (const [what, thrown, outcome] of [
  ['fails', new Error('the module does not answer'), 'failed'],
  ['fails with its own message', new SigningError('ERR_SIGNING_FAILED', 'no key for this account'), 'failed'],
  ['refuses the sid', new SigningError('ERR_SID_INVALID', 'sid must be a valid GUID (UUID v4)'), 'invalid']
] as const) {
  t.test(`a custom signer that ${what} is counted as ${outcome}, with 500`, async t => {
    const { app } = testApp(t, { config, signer: customSigner('A', () => { throw thrown }) })
    t.equal((await app.inject({ method: 'POST', url, payload: fields })).statusCode, 500)
    t.match(await app.metrics?.metrics(),
      `payment_signature_decisions_total{variant="A",operation="purchase",outcome="${outcome}",caller="anonymous"} 1\n`)
  })
}

t.test('the series of each caller of the policy start at 0, also after a reload', async t => {
  const apiKeySha256 = 'f'.repeat(64)
  const policyOf = (...names: string[]) => JSON.stringify({
    callers: names.map((name, n) => ({ name, apiKeySha256: `${n}${apiKeySha256.slice(1)}`, operations: ['refund'], accountNumbers: ['102551'] }))
  })
  const POLICY_FILE = join(t.testdir({ 'policy.json': policyOf('back-office') }), 'policy.json')
  const { app } = testApp(t, { config: { ...config, POLICY_FILE } })
  await app.ready()
  const series = async () => [...(await app.metrics?.metrics() ?? '')
    .matchAll(/^payment_signature_decisions_total\{variant="A",operation="refund",outcome="signed",caller="(.*)"\} 0$/gm)].map(([, caller]) => caller).sort()
  t.strictSame(await series(), ['anonymous', 'back-office', 'unknown'])
  writeFileSync(POLICY_FILE, policyOf('back-office', 'mail-order'))
  await Promise.all(app.watchedFiles.map(file => file.reload()))
  t.strictSame(await series(), ['anonymous', 'back-office', 'mail-order', 'unknown'])
})
