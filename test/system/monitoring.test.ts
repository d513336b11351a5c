import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { testApp, token } from '../support/app.js'
import { answering, backend, serve } from '../support/backend.js'
import { substitute } from '../support/documentation.js'
import { probeCaller } from '../support/documented.js'
import { freePort } from '../support/free-port.js'
import { lacking } from '../support/installed.js'
import { listening, root, server, start, type Server } from '../support/server.js'

const folder = join(root, 'deploy/prometheus')
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
const rules = readFileSync(join(folder, 'alerts.yaml'), 'utf8')
const { panels, templating } = JSON.parse(readFileSync(join(root, 'deploy/grafana/dashboard.json'), 'utf8'))
const [, runbook = ''] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('\n## Alerts\n')
const skip = lacking('promtool')

/** Returns the metrics of a service that has just started, with each guard that has metrics. */
async function served (t: Test): Promise<string> {
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
  await app.ready()
  return await app.metrics?.metrics() ?? ''
}

/** Returns a copy of the modules with an account and a key. */
function modules (t: Test, key: string): string {
  const file = join(folder, 'blackbox.yaml')
  const path = join(t.testdirName, 'blackbox.yaml')
  writeFileSync(path, substitute(readFileSync(file, 'utf8'), {
    'PASTE THE ACCOUNT NUMBER': '102551',
    '/etc/blackbox/payment-signature-probe-key': key
  }))
  return path
}

// test/system/containers/compose.test.ts probes through TLS.
t.test('the outside probe', { skip: lacking('prometheus-blackbox-exporter') }, async t => {
  const key = '41c7'.repeat(16)
  const digest = createHash('sha256').update(key).digest('hex')
  const callers = [JSON.parse(substitute(probeCaller, { 'PASTE THE DIGEST': digest })), {
    name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], minimumAmount: '1.00'
  }]
  const asked: unknown[] = []
  const authorizeUrl = await backend(t, (request, response) => {
    request.setEncoding('utf8').on('data', body => asked.push(JSON.parse(body)))
    response.writeHead(204).end()
  })
  t.testdir({ key: `${key}\n`, 'wrong-key': 'ab'.repeat(32), 'policy.json': JSON.stringify({ callers }) })
  const service = (variables: Record<string, string>) => server(t, {
    POLICY_FILE: join(t.testdirName, 'policy.json'), AUTHORIZE_URL: authorizeUrl, AUDIT: 'true', ADMIN_PORT: '0', ...variables
  })
  const services = { A: service({ VARIANT: 'A' }), B: service({ VARIANT: 'B' }) }
  const originOf = async (service: Server) => `http://127.0.0.1:${(await service.says(listening))[1]}`
  const origins = { A: await originOf(services.A), B: await originOf(services.B) }
  const { origin: other } = await serve(t, answering(200, 'login'))

  /** Starts an exporter with a key. Returns a function that probes a path. */
  async function exporter (keyFile: string) {
    const web = await freePort()
    const exporter = start(t, 'prometheus-blackbox-exporter', [
      `--config.file=${modules(t, join(t.testdirName, keyFile))}`, `--web.listen-address=127.0.0.1:${web}`, '--log.level=debug'
    ], { cwd: t.testdirName, env: { PATH: process.env.PATH } })
    await exporter.says(/Listening on/)
    return {
      log: () => exporter.output(),
      async probe (module: string, target: string, debug = '') {
        const query = `module=${module}&target=${encodeURIComponent(target)}${debug}`
        const text = await (await fetch(`http://127.0.0.1:${web}/probe?${query}`)).text()
        const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
        return { text, success: value('probe_success'), status: value('probe_http_status_code') }
      }
    }
  }
  const { probe, log } = await exporter('key')
  const signature = '/api/generate-signature'
  for (const variant of ['A', 'B'] as const) {
    t.match(await probe('payment_signature', `${origins[variant]}${signature}`), { success: 1, status: 200 }, `variant ${variant}`)
    await services[variant].says(/"outcome":"signed","caller":"payment-signature-probe"/)
    const [, metrics = ''] = /metrics at (http:[^"]*)/.exec(services[variant].output()) ?? []
    t.match(await (await fetch(metrics)).text(),
      'operation="purchase",outcome="signed",caller="payment-signature-probe"} 1\n')
  }
  t.match(asked[0], {
    caller: 'payment-signature-probe', orderId: 'payment-signature-probe', amount: '0.01', clientTimeStamp: 1_000_000_000_000
  })
  t.match(await probe('payment_signature', other), { success: 0, status: 200 }, 'another page answers')
  t.match(await probe('payment_signature_health', `${origins.A}/ready`), { success: 1 })
  t.match(await probe('payment_signature_health', other), { success: 0 })

  const wrong = await exporter('wrong-key')
  t.match(await wrong.probe('payment_signature', `${origins.A}${signature}`), { success: 0, status: 401 })
  await services.A.terminate()
  t.match(await probe('payment_signature', `${origins.A}${signature}`), { success: 0 }, 'there is no instance')
  const { text } = await probe('payment_signature', `${origins.B}${signature}`, '&debug=true')
  t.match(text, 'probe_success 1')
  t.notMatch(log() + wrong.log() + text, /[0-9a-f]{64}\/\/\//, 'no response is logged')
  t.notMatch(log() + wrong.log() + text, new RegExp(key), 'nor the key')
})

t.test('Prometheus can parse the queries of runbook and dashboard', { skip }, async t => {
  const queries = [...runbook.matchAll(/`((?:\w+(?: by )?\(|payment_signature[_:]|probe_|up\{|ALERTS\{)[^`]*)`/g)].map(([, expr]) => expr)
  t.ok(queries.length >= 5, `${queries.length} queries in the runbook`)
  const shown = panels.flatMap(({ targets }: { targets: Array<{ expr: string }> }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')))
  const file = { groups: [{ name: 'queries', rules: [...queries, ...shown].map((expr, n) => ({ record: `query_${n}`, expr })) }] }
  const { status, stderr } = promtool('check', 'rules', join(t.testdir({ 'rules.yaml': JSON.stringify(file) }), 'rules.yaml'))
  t.equal(status, 0, stderr)
})

t.test('alerts, dashboard and runbook use only what the service serves from its start', async t => {
  const names = new Set([...(await served(t)).matchAll(/^([a-z_]+)(?=[ {])/gm)].map(([name]) => name))
  const used = [
    rules,
    runbook,
    ...panels.flatMap(({ targets }: { targets: Array<{ expr: string }> }) => targets.map(({ expr }) => expr)),
    templating.list[1].query
  ].join('\n').match(/\b(?:payment_signature|http_request|process|nodejs)_[a-z_]+(?![a-z_]*:)/g) ?? []
  t.ok(used.length > 30)
  t.strictSame([...new Set(used)].filter(name => !names.has(name)), [
    'payment_signature_merchant_decisions_total', 'payment_signature_merchants_reloads_total', 'payment_signature_would_refuse_total'
  ], 'merchants, and guards in report mode')
})
