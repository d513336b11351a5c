import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { answering, backend, serve } from '../support/backend.js'
import { substitute } from '../support/documentation.js'
import { probeBody } from '../support/documented.js'
import { request } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { lacking } from '../support/installed.js'
import { listening, root, server, start } from '../support/server.js'
import { keys, shopPolicy } from '../support/shop.js'

// The probe from outside: by Prometheus' exporter, and by an uptime service.

const key = keys.probe
const folder = t.testdir({ key: `${key}\n`, 'wrong-key': 'ab'.repeat(32), 'policy.json': shopPolicy })

const asked: unknown[] = []
const AUTHORIZE_URL = await backend(t, (request, response) => {
  request.setEncoding('utf8').on('data', body => asked.push(JSON.parse(body)))
  response.end('{"allowed":true}')
})
const service = server(t, {
  POLICY_FILE: join(folder, 'policy.json'),
  AUTHORIZE_URL,
  CORS_ORIGIN: 'https://shop.example',
  RATE_LIMIT_MAX: '1000',
  REDIS_URL: 'redis://127.0.0.1:1',
  ADMIN_PORT: String(await freePort())
})
const origin = `http://127.0.0.1:${(await service.says(listening))[1]}`
const { origin: other } = await serve(t, answering(200, 'login'))

t.test('the documented metrics are there from the start, and decisions begin at 0', async t => {
  const [, url = ''] = /metrics at (http:[^\s",]*)/.exec(service.output()) ?? []
  const text = await (await fetch(url)).text()
  const [, section = ''] = /\n## Metrics\n([^]*?)\n## /.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8')) ?? []
  const names = [...section.matchAll(/`(payment_signature_\w+)`/g)].map(([, name]) => name)
  t.equal(names.length, 9)
  t.strictSame(names.filter(name => !text.includes(`# TYPE ${name} `)), [])
  for (const outcome of ['signed', 'failed', 'unavailable', 'unauthenticated', 'rate-limit']) {
    t.match(text, `payment_signature_decisions_total{variant="A",operation="purchase",outcome="${outcome}"} 0\n`)
  }
  t.match(text, 'payment_signature_file_unusable{setting="POLICY_FILE"} 0\n')
})

/** Starts an exporter with a key. */
async function exporter (t: Test, keyFile: string) {
  const web = await freePort()
  const path = join(t.testdir(), 'blackbox.yaml')
  writeFileSync(path, substitute(readFileSync(join(root, 'deploy/prometheus/blackbox.yaml'), 'utf8'), {
    'PASTE THE ACCOUNT NUMBER': '102551', '/etc/blackbox/payment-signature-probe-key': join(folder, keyFile)
  }))
  const process = start(t, 'prometheus-blackbox-exporter', [
    `--config.file=${path}`, `--web.listen-address=127.0.0.1:${web}`, '--log.level=debug'
  ], { cwd: folder, env: {} })
  await process.says(/Listening on/)
  const probe = async (target: string, more = '') => (await fetch(
    `http://127.0.0.1:${web}/probe?module=payment_signature&target=${encodeURIComponent(target)}${more}`)).text()
  return { log: process.output, probe }
}

t.test('the exporter', { skip: lacking('prometheus-blackbox-exporter') }, async t => {
  const url = `${origin}/api/generate-signature`
  const { log, probe } = await exporter(t, 'key')
  const success = await probe(url, '&debug=true')
  t.match(success, 'probe_success 1\n')
  t.match(asked, [{
    caller: 'probe', operationType: 'inquiry', transactionId: 'payment-signature-probe', clientTimeStamp: 1_000_000_000_000
  }])
  t.match(await probe(other), /probe_http_status_code 200\n[^]*probe_success 0\n/, 'another page answers')
  t.match(await probe('http://127.0.0.1:1/'), 'probe_success 0\n')
  t.notMatch(log() + success, /[0-9a-f]{64}\/\/\//, 'no response is logged')
  t.notMatch(log() + success, key, 'nor the key')

  const { probe: probeWrongly } = await exporter(t, 'wrong-key')
  t.match(await probeWrongly(url), /probe_http_status_code 401\n[^]*probe_success 0\n/)
})

t.test('an uptime service gets a signature', async t => {
  const response = await request(new URL(origin).port, probeBody, { authorization: `Bearer ${key}` })
  t.match([response.status, await response.text()], [200, '"signature"'])
})
