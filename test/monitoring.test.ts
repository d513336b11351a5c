import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testApp, token } from './support/app.js'
import { root } from './support/server.js'

const folder = join(root, 'deploy/prometheus')
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
const skip = promtool('--version').status !== 0 && 'promtool is not installed'

t.test('the alert rules are valid, fire when they should, and only then', { skip }, async t => {
  for (const args of [['check', 'rules', 'alerts.yaml'], ['test', 'rules', 'alerts.test.yaml']]) {
    const { status, stdout, stderr } = promtool(...args)
    t.equal(status, 0, `${stdout}${stderr}`)
  }
})

t.test('alerts and dashboard use only what the service serves', async t => {
  const policy = { callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] }] }
  const files = t.testdir({ token, 'policy.json': JSON.stringify(policy) })
  const { app } = testApp(t, {
    config: {
      ADMIN_PORT: '0',
      MERCHANT_TOKEN: undefined,
      MERCHANT_TOKEN_FILE: join(files, 'token'),
      POLICY_FILE: join(files, 'policy.json'),
      AUDIT: 'true',
      RATE_LIMIT_MAX: 9,
      REDIS_URL: 'redis://127.0.0.1:1',
      AUTHORIZE_URL: 'http://127.0.0.1:1/'
    } as never
  })
  for (const url of ['/api/generate-signature', '/health']) { // the first is counted when the second is served
    await app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: {} })
  }
  const served = await app.metrics?.metrics() ?? ''
  const names = new Set([...served.matchAll(/^([a-z_]+)(?=[ {])/gm)].map(([name]) => name))

  const { panels, templating } = JSON.parse(readFileSync(join(root, 'deploy/grafana/dashboard.json'), 'utf8'))
  const used = [
    readFileSync(join(folder, 'alerts.yaml'), 'utf8').replace('up{job', '{job'), // which Prometheus makes itself
    ...panels.flatMap(({ targets }: { targets: Array<{ expr: string }> }) => targets.map(({ expr }) => expr)),
    templating.list[1].query
  ].join('\n').match(/\b(?:payment_signature|http_request|process|nodejs)_[a-z_]+/g) ?? []
  t.ok(used.length > 40)
  t.strictSame([...new Set(used)].filter(name => !names.has(name)), [])
})
