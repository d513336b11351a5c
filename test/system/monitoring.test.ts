import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { testApp, token } from '../support/app.js'
import { root } from '../support/server.js'

const folder = join(root, 'deploy/prometheus')
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
const rules = readFileSync(join(folder, 'alerts.yaml'), 'utf8')
const { panels, templating } = JSON.parse(readFileSync(join(root, 'deploy/grafana/dashboard.json'), 'utf8'))
const [, runbook = ''] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('\n## Alerts\n')
const skip = promtool('--version').status !== 0 && 'promtool is not installed'

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

/** Values of promtool for series, by name and labels. */
type Series = Readonly<Record<string, string>>

const decisions = (outcome: string, operation = 'purchase') =>
  `payment_signature_decisions_total{variant="A",operation="${operation}",outcome="${outcome}"}`
const asked = (result: string) => `payment_signature_authorize_decisions_total{result="${result}"}`
const counter = (name: string) => `payment_signature_${name}_total`
const duration = (le: string) =>
  `http_request_duration_seconds_bucket{le="${le}",method="POST",route="/api/generate-signature",status_code="200"}`

const steady: Series = { [decisions('signed')]: '0+600x90', [asked('allowed')]: '0+600x90' }

/**
 * Faults, the changed series of the one instance (a value each minute), and the alerts that fire after an hour and a
 * half. Each counter is tested twice: growing, and with 500 at the first scrape of a process that started then.
 */
const faults: Array<[name: string, changes: Series, ...alerts: string[]]> = [
  ['no answer', { up: '0x90' }, 'Down'],
  ['an answer now and then', { up: '0 0 1 '.repeat(31).trim() }, 'Down'],
  ['a restart', { up: '1x88 0 1' }],
  ['half of requests are signed', { ...steady, [decisions('invalid')]: '0+590x90' }],
  ['1 in 20 is a mistake', { ...steady, [decisions('invalid')]: '0+31x90' }],
  ['a single 503', { ...steady, [decisions('unavailable')]: '0x60 1x30' }],
  ...['invalid', 'forbidden', 'rate_limited', 'refused', 'unauthenticated'].map(outcome =>
    [`all are ${outcome}`, { [decisions(outcome)]: '0+1x90' }, 'MostRefused'] as [string, Series, string]),
  ['wrong keys in numbers', { ...steady, [decisions('unauthenticated', 'unknown')]: '0+100x90' }, 'WrongKeys'],
  ['the backend refuses all', { [asked('refused')]: '0+9x90', [decisions('refused')]: '0+9x90' }, 'BackendRefuses', 'MostRefused'],
  ['the backend is away', { ...steady, [asked('unavailable')]: '0+50x90', [decisions('unavailable')]: '0+50x90' },
    'BackendUnavailable', 'Unavailable'],
  ['the backend is not asked', { ...steady, [asked('shed')]: '0+50x90' }, 'BackendUnavailable'],
  ['a fault', { ...steady, [decisions('failed')]: '0x88 1x9' }, 'Failing'],
  ['slow', { ...steady, [duration('1')]: '0+90x90', [duration('2.5')]: '0+100x90', [duration('+Inf')]: '0+100x90' }, 'Slow'],
  ['restarts', { process_start_time_seconds: '0+240x90' }, 'Restarting'],
  ['another token', { 'payment_signature_token_info{key_check_value="02672b",instance="two"}': '1x90' }, 'TokensDiffer'],
  ['another token elsewhere', { 'payment_signature_token_info{key_check_value="02672b",environment="staging"}': '1x90' }],
  ['token file', { 'payment_signature_token_reloads_total{result="failed"}': '0+1x90' }, 'TokenNotReloaded'],
  ['policy file', { 'payment_signature_policy_reloads_total{result="failed"}': '0+1x90' }, 'PolicyNotReloaded'],
  ['Redis', { payment_signature_rate_limit_redis_up: '0x90' }, 'RedisDown'],
  ['audit', { payment_signature_audit_up: '0x90' }, 'AuditDown'],
  ['log', { [counter('log_lines_lost')]: '0+1x90' }, 'LogLost'],
  ['audit lines', { [counter('audit_lines_lost')]: '0+1x90' }, 'AuditLost'],
  ['overload', { [counter('shed_requests')]: '0+1x90' }, 'Overloaded'],
  ['connections', { [counter('connections_refused')]: '0+1x90' }, 'ConnectionsRefused'],
  ['nearly all connections', { payment_signature_connections: '15000x90' }, 'ConnectionsNearLimit'],
  ['background', { [counter('background_faults')]: '0+1x90' }, 'BackgroundFaults'],
  ['event loop', { payment_signature_event_loop_delay_seconds: '0.3x90' }, 'EventLoopLate'],
  ['refunds', { ...steady, [decisions('signed', 'refund')]: '0+5x90' }, 'RefundsUnusual'],
  ['old counts, after Prometheus was away for an hour', Object.fromEntries([
    decisions('failed'), decisions('refused'), decisions('signed', 'refund'), asked('unavailable'), counter('log_lines_lost')
  ].map(name => [name, '500 _x86 500x9']))]
]

/** Counts of a new process before its first scrape, and the alerts that fire four minutes later. */
const firstScrapes: Array<[series: string, ...alerts: string[]]> = [
  ...['invalid', 'forbidden', 'rate_limited', 'refused', 'unauthenticated'].map(outcome =>
    [decisions(outcome), 'MostRefused'] as [string, string]),
  [decisions('failed'), 'Failing', 'MostRefused'],
  [decisions('unavailable'), 'MostRefused', 'Unavailable'],
  [decisions('signed', 'refund'), 'RefundsUnusual'],
  [asked('refused'), 'BackendRefuses'],
  [asked('unavailable'), 'BackendUnavailable'],
  ['payment_signature_token_reloads_total{result="failed"}', 'TokenNotReloaded'],
  ['payment_signature_policy_reloads_total{result="failed"}', 'PolicyNotReloaded'],
  [counter('log_lines_lost'), 'LogLost'],
  [counter('audit_lines_lost'), 'AuditLost'],
  [counter('shed_requests'), 'Overloaded'],
  [counter('connections_refused'), 'ConnectionsRefused'],
  [counter('background_faults'), 'BackgroundFaults']
]

const key = (series: string) => series.replace(/\{(.*)\}$/, (_, labels: string) => `{${labels.split(',').sort().join()}}`)

/** Adds the labels `environment` and `instance` to series that lack them. */
const seriesOf = (name: string, series: Series) => Object.entries(series).map(([series, values]) => {
  const [, metric, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) as unknown as string[]
  const own = ['instance', 'environment'].filter(label => !labels.includes(`${label}=`)).map(label => `${label}="${name}"`)
  return { series: `${metric}{${[...own, ...labels === '' ? [] : [labels], 'job="payment-signature"'].join()}}`, values }
})

/** Alerts by the name of their case. */
const named = (alerts: string) => `group by (alertname, instance) (${alerts.replace('}', ',instance!=""}')}
  or label_replace(${alerts.replace('}', ',instance=""}')}, "instance", "$1", "environment", "(.*)"))`

interface Case {
  name: string
  series: Series
  alerts: string[]
}

/** Evaluates the rules for all cases at once, because promtool needs half a second for each test. */
function check (t: Test, interval: string, time: string, expr: string, cases: Case[]): void {
  const test = {
    interval,
    input_series: cases.flatMap(({ name, series }) => seriesOf(name, series)),
    promql_expr_test: [{ expr: named(expr), eval_time: time, exp_samples: [] }]
  }
  const file = { rule_files: [join(folder, 'alerts.yaml')], evaluation_interval: interval, tests: [test] }
  const path = join(t.testdir({ 'test.yaml': JSON.stringify(file) }), 'test.yaml')
  const [, fired = ''] = promtool('test', 'rules', path).stderr.split('got:') // no alert is expected
  t.strictSame([...fired.matchAll(/\{alertname="PaymentSignature(\w+)"(?:, instance="(.*?)")?\}/g)]
    .map(([, alert, name = '']) => `${name}: ${alert}`).sort(),
  cases.flatMap(({ name, alerts }) => alerts.map(alert => `${name}: ${alert}`)).sort())
}

t.test('each alert fires for its fault and for no other, also at the first scrape', { skip }, async t => {
  const { status, stdout, stderr } = promtool('check', 'rules', 'alerts.yaml')
  t.equal(status, 0, `${stdout}${stderr}`)
  const lines = [...(await served(t)).matchAll(/^(\w+(?:\{.*\})?) ([\d.e+-]+)$/gm)]
    .filter(([, series = '']) => rules.includes(/^\w+/.exec(series)?.[0] as string)) // the other rules would need time
    .map(([, series = '', value]) => [key(series), `${value}x90`])
  const start: Series = {
    ...Object.fromEntries(lines), up: '1x90', process_start_time_seconds: '-9999x90', payment_signature_rate_limit_redis_up: '1x90'
  }
  const isNew: Series = {
    ...Object.fromEntries(Object.entries(start).map(([series, values]) => [series, `_x86 ${values}`])),
    process_start_time_seconds: '_x86 5150x9'
  }
  const changed = (start: Series, changes: Series): Series =>
    ({ ...start, ...Object.fromEntries(Object.entries(changes).map(([series, values]) => [key(series), values])) })
  check(t, '1m', '90m', 'ALERTS{alertstate="firing"}', [
    { name: 'idle since the start', series: start, alerts: [] },
    ...faults.map(([name, changes, ...alerts]) => ({ name, series: changed(start, changes), alerts })),
    ...firstScrapes.map(([series, ...alerts]) => ({
      name: `first scrape: ${series.replaceAll('"', "'")}`,
      series: changed(isNew, { [series]: `_x86 ${series.includes('refund') ? 5000 : 500}x9` }),
      alerts
    }))
  ])
  check(t, '1m', '5m', 'ALERTS{alertstate="firing"}', [{ name: '', series: {}, alerts: ['Absent'] }])
  const tested = new Set([...faults.flatMap(([, , ...alerts]) => alerts), 'Absent', 'NothingSigned'])
  t.strictSame([...rules.matchAll(/- alert: (\w+)/g)].map(([, alert]) => alert).sort(),
    [...tested].map(name => `PaymentSignature${name}`).sort())
})

t.test('the alert about missing signatures compares with other days, so nights and closed Sundays do not fire it', { skip }, async t => {
  /** Signatures in each of the 288 periods of 5 minutes of a day, most of them at noon. */
  const day = (most: number, isOut = (_hour: number) => false) => Array.from({ length: 288 }, (_, n) =>
    isOut(n / 12) ? 0 : Math.round(most * ((1 - Math.cos(n / 144 * Math.PI)) / 2) ** 2 + (n % 40 === 0 ? 1 : 0)))
  const shop = (name: string, days: number[][], ...alerts: string[]) => {
    const counts = days.flat()
    const sums = (share: (count: number, n: number) => number) => {
      let sum = 0
      return counts.map((count, n) => { sum += share(count, n); return sum }).join(' ')
    }
    return {
      name,
      series: {
        up: `1x${counts.length}`,
        [decisions('signed')]: sums(count => count),
        [decisions('invalid')]: sums((count, n) => count > 0 && n % 9 === 0 ? Math.ceil(count / 2) : 0) // about 5 %
      },
      alerts
    }
  }
  const closed = day(0)
  check(t, '5m', '10d', 'last_over_time(ALERTS{alertstate="firing"}[10d])', [
    shop('busy', Array(10).fill(day(200))),
    shop('small', Array(10).fill(day(2))),
    shop('closed on the second day of the week', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => n === 8 ? closed : day(200)), 'NothingSigned'),
    shop('closed on Sundays', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => n <= 1 || n === 8 ? closed : day(200))),
    shop('an hour without a signature', [day(200), day(200, hour => hour >= 12 && hour < 13)], 'NothingSigned'),
    shop('an hour without a signature on the first day', [day(200, hour => hour >= 12 && hour < 13)], 'NothingSigned'),
    shop('a small shop that signs nothing all afternoon', [day(2), day(2, hour => hour >= 11)], 'NothingSigned')
  ])
})

/** Rules of alerts by their name. */
const alerts: Record<string, { expr: string, annotations: Record<string, string> }> = Object.fromEntries(
  parse(rules).groups[0].rules.filter(({ alert = '' }) => alert !== '').map((rule: { alert: string }) => [rule.alert, rule]))

const urlOf = (alert: string) =>
  `https://github.com/OWNER/payment-signature-backend/blob/main/docs/operations.md#${alert.toLowerCase()}`

t.test('each alert has a section in the runbook and a link to it, and each section has an alert', async t => {
  const sections = runbook.split(/^### /m).slice(1)
  t.strictSame(sections.map(text => text.split('\n')[0]), Object.keys(alerts))
  for (const text of sections) t.match(text, /^.+\n\n[^-]+\n\n- Check: [^]+\n- Act: [^]+$/)
  t.strictSame(Object.values(alerts).map(({ annotations }) => annotations.runbook_url), Object.keys(alerts).map(urlOf))
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  t.equal(repository, 'github:OWNER/payment-signature-backend')
})

t.test('Prometheus can parse the queries of the runbook', { skip }, async t => {
  const queries = [...runbook.matchAll(/`((?:\w+(?: by )?\(|payment_signature_)[^`]*)`/g)].map(([, expr]) => expr)
  t.equal(queries.length, 9, 'the number of queries in the runbook')
  const file = { groups: [{ name: 'runbook', rules: queries.map((expr, n) => ({ record: `query_${n}`, expr })) }] }
  const { status, stderr } = promtool('check', 'rules', join(t.testdir({ 'rules.yaml': JSON.stringify(file) }), 'rules.yaml'))
  t.equal(status, 0, stderr)
})

t.test('the thresholds of the dashboard are those of the alerts that its panels link to', async t => {
  const shown: string[] = []
  for (const { title, links = [], fieldConfig: { defaults } } of panels) {
    const [, step] = defaults.thresholds?.steps ?? []
    t.equal(links.length > 0, step !== undefined, title)
    for (const { title: alert, url } of links) {
      t.equal(url, urlOf(alert))
      const limits = alerts[alert]?.expr.match(/[<>] [\d.]+(?!\S)/g)
      t.ok(limits?.includes(`${step.color === 'green' ? '<' : '>'} ${step.value}`), `${title}: ${alert}`)
      shown.push(alert)
    }
  }
  t.equal(shown.length, 11, 'the number of alerts that panels link to')
})

t.test('alerts, dashboard and runbook use only what the service serves from its start', async t => {
  const names = new Set([...(await served(t)).matchAll(/^([a-z_]+)(?=[ {])/gm)].map(([name]) => name))
  const used = [
    rules,
    runbook,
    ...panels.flatMap(({ targets }: { targets: Array<{ expr: string }> }) => targets.map(({ expr }) => expr)),
    templating.list[1].query
  ].join('\n').match(/\b(?:payment_signature|http_request|process|nodejs)_[a-z_]+(?![a-z_]*:)/g) ?? []
  t.ok(used.length > 40)
  t.strictSame([...new Set(used)].filter(name => !names.has(name)), [])
})
