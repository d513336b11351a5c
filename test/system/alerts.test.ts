import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { examine, sentOf } from '../support/alert-exam.js'
import { situations } from '../support/alert-situations.js'
import { freePort } from '../support/free-port.js'
import { lacking } from '../support/installed.js'
import { root, start } from '../support/server.js'

const folder = join(root, 'deploy/prometheus')
const text = readFileSync(join(folder, 'alerts.yaml'), 'utf8')

interface Rule { alert?: string, record?: string, expr: string, for?: string, labels?: { severity?: string } }
const { groups: [{ rules }] }: { groups: [{ rules: Rule[] }] } = parse(text)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const nameOf = ({ alert = '' }: Rule) => alert.replace('PaymentSignature', '')

t.test('the rules are valid, and are at most 18', { skip: lacking('promtool') }, async t => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'alerts.yaml'], { cwd: folder, encoding: 'utf8' })
  t.equal(status, 0, `${stdout}${stderr}`)
  t.ok(alerts.length <= 18, `${alerts.length} alerts`)
})

t.test('the head of the rules has each threshold', async t => {
  /** Thresholds by the name of the rule. */
  const documented = new Map<string, string[]>()
  let name = ''
  for (const [, rule = '', numbers = ''] of text.matchAll(/^# ([\w:]*) {2,}([\d.]+[mhd]?(?:, [\d.]+[mhd]?)*) {2,}/gm)) {
    name = rule || name
    documented.set(name, [...documented.get(name) ?? [], ...numbers.split(', ')])
  }
  /** Numbers that the rules compare with, multiply by and wait for, without 0, 1 and the age of a new process. */
  const numbersOf = ({ expr, for: wait }: Rule) => [
    ...[...expr.matchAll(/(?:[<>]=?|\*) (\d[\d.]*)|(\d[\d.]*) \*/g)].map(([, compared, factor]) => compared ?? factor),
    ...wait === undefined ? [] : [wait]
  ].filter(number => !['0', '1', '600', '900', '86400'].includes(number ?? ''))
  const used = new Map<string, Set<string | undefined>>()
  for (const rule of rules) {
    const name = (rule.alert?.replace('PaymentSignature', '') ?? rule.record?.replace('payment_signature:', '')) as string
    for (const number of numbersOf(rule)) used.set(name, (used.get(name) ?? new Set()).add(number))
  }
  for (const [name, numbers] of used) {
    t.strictSame([...numbers].filter(number => !documented.get(name)?.includes(number as string)), [], name)
  }
})

t.test('each situation fires what it must, in time, and nothing else', { skip: lacking('promtool') }, async t => {
  t.ok(situations.length >= 40, `${situations.length} situations`)
  const results = await examine(situations, t.testdir())
  for (const { situation: { name, known }, right, missed, wrong } of results) {
    t.comment(`${name}: ${right.join(', ') || 'nothing'}`)
    if (known === undefined) t.strictSame({ missed, wrong }, { missed: [], wrong: [] }, name)
    else t.ok(missed.length + wrong.length > 0, `${name}: ${known}`)
  }
  const tested = new Set(situations.flatMap(({ page, warns = {} }) => [...page ?? [], ...Object.keys(warns)]))
  t.strictSame(alerts.map(nameOf).filter(name => !tested.has(name)), [])
})

t.test('Alertmanager inhibits as the situations assume', { skip: lacking('prometheus-alertmanager', 'amtool') }, async t => {
  const file = join(folder, 'alertmanager.yaml')
  t.equal(spawnSync('amtool', ['check-config', file]).status, 0)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const alertmanager = start(t, 'prometheus-alertmanager', [
    `--config.file=${file}`, `--storage.path=${t.testdir()}`, `--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='
  ], { cwd: root, env: process.env })
  await alertmanager.says(/Listening/)
  const names = alerts.map(rule => ({ alert: nameOf(rule), severity: rule.labels?.severity as string }))
  const pairs = names.flatMap(one =>
    names.filter(other => other.alert !== one.alert).map(other => [one, other] as const))
  const posted = await fetch(`${url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(pairs.flatMap((pair, n) => pair.map(({ alert, severity }) => ({
      labels: { alertname: `PaymentSignature${alert}`, severity, environment: String(n) }
    }))))
  })
  t.equal(posted.status, 200)
  const listed: Array<{ labels: Record<string, string>, status: { inhibitedBy: string[] } }> =
    await (await fetch(`${url}/api/v2/alerts`)).json() as never
  t.equal(listed.length, pairs.length * 2)
  const inhibited = listed.filter(({ status }) => status.inhibitedBy.length > 0)
    .map(({ labels }) => `${labels.environment}: ${labels.alertname?.replace('PaymentSignature', '')}`).sort()
  const expected = pairs.flatMap((pair, n) => {
    const fired = pair.map(one => ({ ...one, minutes: [0] }))
    const sent = sentOf(fired).map(({ alert }) => alert)
    return fired.filter(({ alert }) => !sent.includes(alert)).map(({ alert }) => `${n}: ${alert}`)
  }).sort()
  t.strictSame(inhibited, expected)
  t.ok(expected.length > 20)
})
