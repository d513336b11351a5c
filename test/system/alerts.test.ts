import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

const folder = join(root, 'deploy/prometheus')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
const skip = lacking('promtool')

interface Rule { record?: string, alert?: string, expr: string }
interface Situations { alert_rule_test: Array<{ alertname: string, exp_alerts?: unknown[] }> }

const rules: Rule[] = parse(read('deploy/prometheus/alerts.yaml')).groups[0].rules
const alerts = rules.flatMap(({ alert }) => alert ?? [])
const [, runbook = ''] = read('docs/operations.md').split('\n## Alerts\n')

t.test('each rule does in each situation what it says', { skip }, async t => {
  for (const command of [['check', 'rules', 'alerts.yaml'], ['test', 'rules', 'alerts.test.yaml']]) {
    const { status, stdout, stderr } = promtool(...command)
    t.equal(status, 0, stdout + stderr)
  }
  const firing = (parse(read('deploy/prometheus/alerts.test.yaml')).tests as Situations[])
    .flatMap(({ alert_rule_test: situations }) => situations.filter(one => one.exp_alerts).map(one => one.alertname))
  t.strictSame([...new Set(firing)].sort(), [...alerts].sort(), 'each alert has a situation in which it fires')
})

t.test('the scrape configuration is valid', { skip }, async t => {
  const { status, stderr } = promtool('check', 'config', 'prometheus.yaml')
  t.equal(status, 0, stderr)
})

t.test('each alert has a section in the runbook: meaning, check and act in at most six lines', async t => {
  const sections = runbook.split(/^### /m).slice(1).map(text => text.trim().split(/\n+/))
  t.strictSame(sections.map(([title]) => title), alerts)
  for (const [title = '', ...lines] of sections) {
    t.match(lines.join('\n'), /^[A-Z][^]*\n- Check: [^]*\n- Act[:,] /, title)
    t.ok(lines.length <= 6, `${title}: ${lines.length} lines`)
  }
})

const { panels, templating } = JSON.parse(read('deploy/grafana/dashboard.json'))
const shown: string[] = panels.flatMap(({ targets }: { targets: Rule[] }) => targets.map(({ expr }) => expr))

t.test('rules, dashboard and runbook use the recorded series only', async t => {
  const records = rules.flatMap(({ record }) => record ?? [])
  const used = [...rules.map(({ expr }) => expr), ...shown, runbook].join('\n').match(/payment_signature:\w+/g) ?? []
  t.strictSame(used.filter(name => !records.includes(name)), [])
  for (const name of ['signed', 'refused', 'failed', 'usual']) {
    t.ok(shown.includes(`payment_signature:${name}{window="$window"}`), `the dashboard shows ${name}`)
  }
})

t.test('the dashboard shows each metric that an alert compares', async t => {
  const metricsIn = (text: string): string[] => text.match(/\b(?:payment_signature_|probe_|up\b|process_start)\w*/g) ?? []
  const compared = new Set(rules.flatMap(({ expr }) => metricsIn(expr)))
  t.ok(compared.size > 10)
  t.strictSame([...compared].filter(name => !shown.some(expr => metricsIn(expr).includes(name))), [])
})

t.test('Prometheus can parse the queries of runbook and dashboard', { skip }, async t => {
  const queries = [...runbook.matchAll(/`((?:\w+(?: by )?\(|payment_signature[_:]|probe_|up\{)[^`]*)`/g)].map(([, expr]) => expr)
  t.equal(queries.length, 11)
  const all = [...queries, ...shown.map(expr => expr.replaceAll('$__rate_interval', '5m'))]
  const file = { groups: [{ name: 'queries', rules: all.map((expr, n) => ({ record: `query_${n}`, expr })) }] }
  const path = join(t.testdir({ 'rules.yaml': JSON.stringify(file) }), 'rules.yaml')
  const { status, stderr } = promtool('check', 'rules', path)
  t.equal(status, 0, stderr)
})

t.test('rules, dashboard and runbook use the documented metrics only', async t => {
  const metrics = read('docs/operations.md').split('\n## Metrics\n')[1]!.split('\n## ')[0]!
  const text = [...rules.map(({ expr }) => expr), ...shown, templating.list[1].query, runbook].join('\n')
  const used = text.match(/\bpayment_signature_\w+(?<!_)/g) ?? []
  t.ok(used.length > 25)
  const names = new Set(used.map(name => name.replace(/_(?:bucket|count)$/, '')))
  t.strictSame([...names].filter(name => !metrics.includes(`\`${name}\``)), [])
})
