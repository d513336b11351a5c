import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'yaml'
import { randomOf } from '../proof/part.js'
import { root } from './server.js'

/** Time in a situation. */
export interface Time {
  /** Minutes since the event, negative before. */
  minute: number
  /** Hour of the day in UTC, with fraction. The event is at noon. */
  hour: number
  /** Day, 0 for the day of the event. */
  day: number
  /** Seconds since the epoch of the simulation. */
  now: number
}

/**
 * Spans of simulated time in minutes. Alerts before `judged` do not count: rules that compare with yesterday cannot
 * work on the first day. `evaluation` is the interval of the rules.
 */
const spans = {
  hour: { before: 100, after: 150, judged: -100, evaluation: 1 },
  day: { before: 27 * 60, after: 9 * 60, judged: -60, evaluation: 2 },
  week: { before: 8 * 1440, after: 2 * 1440, judged: -2 * 1440, evaluation: 5 }
}

type Counts = Record<string, number>
type Values = Record<string, number | undefined>

export interface Situation {
  name: string
  /** Default: hour. */
  span?: keyof typeof spans
  /** True if the outside probe runs. */
  probe?: boolean
  /**
   * Mean number of requests in a minute, by outcome, operation, caller and instance, such as `signed`, `signed refund
   * back-office` or `forbidden refund anonymous @one`. Default: purchase, anonymous, both instances.
   */
  requests?: (time: Time) => Counts
  /** Values of further series at a time; undefined for none. */
  series?: (time: Time) => Values
  /** The alert that wakes the operator, and the minutes after the event until it fires. */
  page?: readonly [alert: string, within: number]
  /** Warnings that must fire, with minutes. */
  warns?: Record<string, number>
  /** Alerts that may fire too. A page in this list is a known fault of the rules, and counted. */
  may?: readonly string[]
  /** Minutes after the event at which the page must still fire. */
  lasts?: number
  /** Reason why the rules are known to fail here. The result counts nevertheless. */
  known?: string
}

const rules = join(root, 'deploy/prometheus/alerts.yaml')

/** Draws from the Poisson distribution. */
function draw (mean: number, random: () => number): number {
  if (mean > 50) { // nearly normal
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; count++) product *= random()
  return count
}

/** Returns the time of a minute of the simulation. */
function timeOf (index: number, before: number): Time {
  const minute = index - before
  const noon = minute + 720
  return { minute, hour: (((noon % 1440) + 1440) % 1440) / 60, day: Math.floor(noon / 1440), now: index * 60 }
}

/** Writes samples in the notation of promtool. A series that ends is stale at once, as after a scrape without it. */
const notation = (values: Array<number | undefined>): string => values.map((value, index) =>
  value ?? (index > 0 && values[index - 1] !== undefined ? 'stale' : '_')).join(' ')

/** Returns the input series of a situation. */
function seriesOf (situation: Situation, seed: number): Array<{ series: string, values: string }> {
  const { name, span = 'hour', probe = false, requests = (): Counts => ({}), series = (): Values => ({}) } = situation
  const { before, after } = spans[span]
  const length = before + after + 1
  const random = randomOf(seed)
  const counts = new Map<string, number[]>()
  const others = new Map<string, Array<number | undefined>>()
  const usual: Record<string, number> = {
    ...Object.fromEntries(['one', 'other'].flatMap(instance => [
      [`up{instance="${instance}"}`, 1],
      [`process_start_time_seconds{instance="${instance}"}`, -1e6],
      [`payment_signature_token_info{instance="${instance}",key_check_value="625429"}`, 1],
      [`payment_signature_audit_up{instance="${instance}"}`, 1]
    ])),
    ...probe && {
      'up{job="payment-signature-probe",instance="https://sign.shop.example"}': 1,
      'probe_success{job="payment-signature-probe",instance="https://sign.shop.example"}': 1,
      'probe_ssl_earliest_cert_expiry{job="payment-signature-probe",instance="https://sign.shop.example"}': 60 * 86_400
    }
  }
  const add = (key: string, index: number, count: number) => {
    const all = counts.get(key) ?? new Array<number>(length).fill(0)
    all[index]! += count
    counts.set(key, all)
  }
  for (let index = 0; index < length; index++) {
    const time = timeOf(index, before)
    for (const [key, mean] of Object.entries(requests(time))) {
      const [labels = '', instance] = key.split(' @')
      const count = draw(mean, random)
      if (instance !== undefined) add(`${labels}@${instance}`, index, count)
      else {
        const half = Math.floor((count + (random() < 0.5 ? 1 : 0)) / 2)
        add(`${labels}@one`, index, half)
        add(`${labels}@other`, index, count - half)
      }
    }
    for (const [key, value] of Object.entries({ ...usual, ...series(time) })) {
      const all = others.get(key) ?? new Array<number | undefined>(length).fill(undefined)
      all[index] = value
      others.set(key, all)
    }
  }
  const isDown = (instance: string, index: number) => others.get(`up{instance="${instance}"}`)?.[index] !== 1
  for (const [key, all] of counts) {
    const [labels = '', instance = ''] = key.split('@')
    const [outcome, operation = 'purchase', caller = 'anonymous'] = labels.split(' ')
    let sum = 0
    let exists = caller === 'anonymous' // which has its series from the start
    others.set(`payment_signature_decisions_total{variant="A",outcome="${outcome}",operation="${operation}",caller="${caller}",instance="${instance}"}`,
      all.map((count, index) => {
        sum += count
        exists ||= count > 0
        return exists && !isDown(instance, index) ? sum : undefined
      }))
  }
  return [...others].map(([key, values]) => {
    const [, metric, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(key) as unknown as string[]
    const own = [labels, `environment="${name}"`, ...labels.includes('job=') ? [] : ['job="payment-signature"']]
    return { series: `${metric}{${own.filter(text => text !== '').join()}}`, values: notation(values) }
  })
}

const minutesOfUnit: Readonly<Record<string, number>> = { w: 10_080, d: 1440, h: 60, m: 1 }

/** Returns the minutes of a duration of Prometheus, such as 1d3h5m. */
const minutesOf = (duration: string): number => [...duration.matchAll(/(\d+)([wdhm])/g)]
  .reduce((sum, [, count, unit = '']) => sum + Number(count) * (minutesOfUnit[unit] ?? NaN), 0)

/** Minutes after the event in which an alert fires. */
interface Fired { alert: string, severity: string, minutes: number[] }

/** Situations of one span that promtool evaluates together, at most 10,000 samples in a query. */
interface Batch { span: keyof typeof spans, inputs: Map<string, ReturnType<typeof seriesOf>> }

/** Runs the shipped rules with promtool. Returns the alerts of each situation. */
async function run ({ span, inputs }: Batch, path: string): Promise<Map<string, Fired[]>> {
  const { before, after, judged, evaluation } = spans[span]
  const times = Array.from({ length: (before + after) / evaluation + 1 }, (_, n) => n * evaluation)
  writeFileSync(path, JSON.stringify({
    rule_files: [rules],
    evaluation_interval: `${evaluation}m`,
    tests: [{
      interval: '1m',
      input_series: [...inputs.values()].flat(),
      promql_expr_test: times.map(minute => ({
        expr: 'group by (environment, alertname, severity) (ALERTS{alertstate="firing"})', eval_time: `${minute}m`, exp_samples: []
      }))
    }]
  }))
  const promtool = spawn('promtool', ['test', 'rules', path], { stdio: ['ignore', 'ignore', 'pipe'] })
  const output = await text(promtool.stderr)
  const results = new Map<string, Fired[]>([...inputs.keys()].map(name => [name, []]))
  const blocks = output.split(/^ +expr: .*, time: /m)
  if (!/^\s*(?:FAILED:\s*)?$/.test(blocks[0] ?? '')) throw new Error(output.slice(0, 10_000))
  for (const block of blocks.slice(1)) {
    const [, duration = ''] = /^(\w+),/.exec(block) ?? []
    const minute = minutesOf(duration) - before
    if (minute < judged) continue
    for (const [, labels = ''] of block.matchAll(/\{([^{}]*)\} 1/g)) {
      const { alertname = '', severity = '', environment = '' } =
        Object.fromEntries([...labels.matchAll(/(\w+)="(.*?)"/g)].map(([, name, value]) => [name, value]))
      const alert = alertname.replace('PaymentSignature', '')
      const fired = results.get(environment)
      if (fired === undefined) throw new Error(block)
      let found = fired.find(one => one.alert === alert && one.severity === severity)
      if (found === undefined) fired.push(found = { alert, severity, minutes: [] })
      found.minutes.push(minute)
    }
  }
  return results
}

interface InhibitRule { source_matchers: string[], target_matchers: string[] }

/** Returns a function that tells if matchers of Alertmanager match an alert. */
const matches = (matchers: string[], { alert, severity }: Fired) => matchers.every(matcher => {
  const [, label, operator, value = ''] = /^(\w+) (=~?) "?(.*?)"?$/.exec(matcher) as unknown as string[]
  const given = label === 'severity' ? severity : `PaymentSignature${alert}`
  return operator === '=' ? given === value : new RegExp(`^(?:${value})$`).test(given)
})

/** A message of Alertmanager: the minute after the event. */
interface Sent { alert: string, severity: string, minute: number, last: number }

/**
 * Returns the messages that Alertmanager sends: for each alert that fires at a time at which no other one inhibits it.
 * Alertmanager waits for half a minute before it sends: an alert of the next minute comes too late.
 */
export function sentOf (fired: Fired[]): Sent[] {
  const { inhibit_rules: inhibitRules } = parse(readFileSync(join(root, 'deploy/prometheus/alertmanager.yaml'), 'utf8'))
  return fired.flatMap(one => {
    const sources = fired.filter(other => other !== one && (inhibitRules as InhibitRule[]).some(rule =>
      matches(rule.source_matchers, other) && matches(rule.target_matchers, one)))
    const minute = one.minutes.find(minute => !sources.some(({ minutes }) => minutes.includes(minute)))
    return minute === undefined ? [] : [{ ...one, minute, last: one.minutes.at(-1) as number }]
  })
}

interface Result {
  situation: Situation
  fired: Fired[]
  sent: Sent[]
  /** Expected messages that came in time. */
  right: string[]
  missed: string[]
  wrong: string[]
}

/** Most series of decisions in a batch. */
const mostSeries = 300

/** Runs all situations, two batches at a time. `folder` is for the files of promtool. */
export async function examine (situations: Situation[], folder: string, seed = 1): Promise<Result[]> {
  const batches: Array<Batch & { size: number }> = []
  for (const [n, situation] of situations.entries()) {
    const { name, span = 'hour' } = situation
    const series = seriesOf(situation, seed + n)
    const size = series.filter(one => one.series.startsWith('payment_signature_decisions')).length
    let batch = batches.find(one => one.span === span && one.size + size <= mostSeries)
    if (batch === undefined) batches.push(batch = { span, size: 0, inputs: new Map() })
    batch.inputs.set(name, series)
    batch.size += size
  }
  const fired = new Map<string, Fired[]>()
  const queue = [...batches.entries()]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const [name, alerts] of await run(next[1], join(folder, `${next[0]}.json`))) fired.set(name, alerts)
    }
  }
  await Promise.all([work(), work()])
  return situations.map(situation => judge(situation, fired.get(situation.name) ?? []))
}

function judge (situation: Situation, fired: Fired[]): Result {
  const { page, warns = {}, may = [], lasts = 0 } = situation
  const sent = sentOf(fired)
  const expected = [
    ...page === undefined ? [] : [[...page, 'critical', lasts] as const],
    ...Object.entries(warns).map(([alert, within]) => [alert, within, 'warning', 0] as const)
  ]
  const right: string[] = []
  const missed: string[] = []
  for (const [alert, within, severity, lasts] of expected) {
    const found = sent.find(one => one.alert === alert && one.severity === severity)
    const isRight = found !== undefined && found.minute >= 0 && found.minute <= within && found.last >= lasts
    ;(isRight ? right : missed).push(`${severity} ${alert}${found === undefined ? '' : ` after ${found.minute} min`}`)
  }
  const isExpected = ({ alert, severity, minute }: Sent) => severity === 'critical'
    ? minute >= 0 && alert === page?.[0]
    : (minute >= 0 && alert in warns) || may.includes(alert)
  const wrong = sent.filter(one => !isExpected(one)).map(({ alert, severity, minute }) => `${severity} ${alert} after ${minute} min`)
  return { situation, fired, sent, right, missed, wrong }
}
