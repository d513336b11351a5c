import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { withoutRedis } from '../test/support/redis.js'
import { scoped } from './scope.js'
import { agent, quickKinds, slowKinds } from './soak/requests.js'
import type { Kind } from './soak/requests.js'
import { startService } from './soak/service.js'
import type { Service } from './soak/service.js'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0')
if (withoutRedis !== false) throw new Error(withoutRedis)

/** What payment_signature_decisions_total has as outcome. */
const outcomes: Record<number, string> = {
  200: 'signed', 400: 'invalid', 401: 'unauthenticated', 403: 'forbidden', 413: 'invalid', 415: 'invalid', 429: 'rate_limited'
}

const say = (line: string): unknown => process.stdout.write(`${line}\n`)

const faults: string[] = []
function found (fault: string): void {
  if (faults.push(fault) <= 20) say(`FAULT ${fault.slice(0, 500)}`)
}

/** How many requests of a kind got a status. */
const tally = new Map<Kind, Map<number, number>>()

async function ask (kind: Kind, port: number, signal: AbortSignal): Promise<void> {
  const { statusCode, fault } = await kind.send(port, signal).catch(error => ({ statusCode: -1, fault: String(error) }))
  const isCutOff = statusCode === 0 && signal.aborted
  if (fault !== undefined) found(`${kind.name}: ${fault}`)
  else if (!isCutOff && !kind.statusCodes.includes(statusCode)) found(`${kind.name}: status ${statusCode}`)
  const counts = tally.get(kind) ?? new Map<number, number>()
  tally.set(kind, counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1))
}

/** How many the service must have counted by what, and how many more it may have: those that nobody waited for. */
function sent (isCounted: (kind: Kind) => boolean, nameOf: (statusCode: number) => string) {
  const counts: Record<string, { sent: number, maybe: number }> = {}
  for (const [kind, statuses] of tally) {
    if (!isCounted(kind)) continue
    for (const [statusCode, count] of statuses) {
      // What nobody waited for was signed, or was one too many from an address that others had by chance.
      for (const possible of statusCode === 0 ? [200, 429] : [statusCode]) {
        const one = counts[nameOf(possible)] ??= { sent: 0, maybe: 0 }
        one[statusCode === 0 ? 'maybe' : 'sent'] += count
      }
    }
  }
  return counts
}

/** The samples of a metric, summed by the value of a label. */
function summed (metrics: Map<string, number>, metric: string, label: string): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [series, value] of metrics) {
    const [, name] = new RegExp(`^${metric}\\{.*\\b${label}="([^"]*)"`).exec(series) ?? []
    if (name !== undefined) sums[name] = (sums[name] ?? 0) + value
  }
  return sums
}

function compare (metric: string, counted: Record<string, number>, expected: ReturnType<typeof sent>): void {
  for (const name of new Set([...Object.keys(counted), ...Object.keys(expected)])) {
    const { sent, maybe } = expected[name] ?? { sent: 0, maybe: 0 }
    const count = counted[name] ?? 0
    if (count < sent || count > sent + maybe) found(`${metric} counts ${count} ${name}; ${sent} to ${sent + maybe} were sent`)
  }
}

interface Figures { memory: number, descriptors: number, series: number }

async function figures (service: Service): Promise<Figures> {
  const metrics = await service.metrics()
  return {
    memory: Math.round((metrics.get('process_resident_memory_bytes') ?? 0) / 1e6),
    descriptors: metrics.get('process_open_fds') ?? 0,
    series: [...metrics.keys()].filter(name => !/^(process|nodejs)_/.test(name)).length // Node.js adds some as it goes
  }
}

/** The figures once the connections of the clients have ended, which the service may see a moment later. */
async function atRest (service: Service, before: Figures): Promise<Figures> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const now = await figures(service)
    if (now.descriptors <= before.descriptors) return now
    await setTimeout(100)
  }
  return figures(service)
}

/** Sends all that there is for so many minutes; the figures before it, in the middle and after it. */
async function load (service: Service): Promise<[before: Figures, middle: Figures, after: Figures]> {
  const { port } = service
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  for (const kind of quickKinds) await ask(kind, port, end.signal)
  const limited = quickKinds.find(({ name }) => name === 'purchases from one address') as Kind
  while (!tally.get(limited)?.has(429)) await ask(limited, port, end.signal)
  agent.destroy()
  const before = await figures(service)

  async function client (kinds: Kind[], pause: number) {
    while (!end.signal.aborted) {
      await ask(kinds[randomInt(kinds.length)] as Kind, port, end.signal)
      await setTimeout(pause)
    }
  }
  const clients = [
    ...Array.from({ length: 16 }, () => client(quickKinds, 5)),
    ...Array.from({ length: 16 }, () => client(slowKinds, 0))
  ]
  await setTimeout(minutes * 30_000)
  const middle = await figures(service)
  await setTimeout(minutes * 30_000)
  end.abort()
  await Promise.all(clients)
  agent.destroy()
  return [before, middle, await atRest(service, before)]
}

/** Whether metrics, audit and log say what was sent. Ends the service. */
async function judge (service: Service): Promise<void> {
  const metrics = await service.metrics()
  const decisions = summed(metrics, 'payment_signature_decisions_total', 'outcome')
  compare('payment_signature_decisions_total', decisions, sent(
    ({ isDecision }) => isDecision, status => outcomes[status] ?? String(status)))
  compare('http_request_duration_seconds', summed(metrics, 'http_request_duration_seconds_count', 'status_code'), sent(
    ({ isRouted }) => isRouted, String))
  if (metrics.get('payment_signature_rate_limit_redis_up') !== 1) found('Redis is not up')

  const reason = await service.stop()
  if (reason !== 'the service ended with 0') found(reason)
  const { log } = service
  const counted = Object.values(decisions).reduce((sum, count) => sum + count, 0)
  // Of a client that went away before its response there may be a line, but there is no response to count.
  const unanswered = [...tally.values()].reduce((sum, statuses) => sum + (statuses.get(0) ?? 0), 0)
  if (log.decisions < counted || log.decisions > counted + unanswered) {
    found(`audit and log have ${log.decisions} decisions; the metrics ${counted}, and ${unanswered} had no response`)
  }
  log.faults.forEach(found)
  say(`log: ${log.lines} lines, ${log.decisions} of the audit`)
}

await scoped('soak', async scope => {
  const service = await startService(scope)
  const died = service.ended.then(reason => { throw new Error(`${reason} under load`) })
  const [before, middle, after] = await Promise.race([load(service), died])
  for (const [name, unit] of [['memory', 'MB'], ['descriptors', 'open'], ['series', 'of our metrics']] as const) {
    say(`${name}: ${before[name]} at the start, ${middle[name]} in the middle, ${after[name]} at the end, ${unit}`)
  }
  if (after.series > before.series) found(`${after.series - before.series} metric series more than at the start`)
  if (after.descriptors > before.descriptors) found(`${after.descriptors - before.descriptors} descriptors more than at the start`)
  died.catch(() => {})
  await judge(service)
})
for (const [kind, statuses] of tally) {
  say(`${kind.name}: ${[...statuses].sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status || 'no response'}`).join(', ')}`)
}
const total = [...tally.values()].flatMap(statuses => [...statuses.values()]).reduce((sum, count) => sum + count, 0)
say(`${total} requests in ${minutes} minutes, ${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)
