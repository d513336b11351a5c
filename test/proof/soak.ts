import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { agent, quickKinds, slowKinds } from './soak/requests.js'
import type { Kind } from './soak/requests.js'
import { startService } from './soak/service.js'
import type { Service } from './soak/service.js'
import { inScope, table } from './part.js'
import type { Context, Part } from './part.js'

/** Value of the label `outcome` of payment_signature_decisions_total for a status. */
const outcomes: Record<number, string> = {
  200: 'signed', 400: 'invalid', 401: 'unauthenticated', 403: 'forbidden', 413: 'invalid', 415: 'invalid', 429: 'rate_limited'
}

const faults: string[] = []
const found = (fault: string): unknown => faults.push(fault.slice(0, 500))

/** Number of requests of a kind with a status. */
const tally = new Map<Kind, Map<number, number>>()

async function ask (kind: Kind, port: number, signal: AbortSignal): Promise<void> {
  const { statusCode, fault } = await kind.send(port, signal).catch(error => ({ statusCode: -1, fault: String(error) }))
  const isCutOff = statusCode === 0 && signal.aborted
  if (fault !== undefined) found(`${kind.name}: ${fault}`)
  else if (!isCutOff && !kind.statusCodes.includes(statusCode)) found(`${kind.name}: status ${statusCode}`)
  const counts = tally.get(kind) ?? new Map<number, number>()
  tally.set(kind, counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1))
}

/**
 * Returns, for each name, the number of requests that the service must have counted, and the number that it may have
 * counted in addition: those whose clients went away.
 */
function sent (isCounted: (kind: Kind) => boolean, nameOf: (statusCode: number) => string) {
  const counts: Record<string, { sent: number, maybe: number }> = {}
  for (const [kind, statuses] of tally) {
    if (!isCounted(kind)) continue
    for (const [statusCode, count] of statuses) {
      // A request whose client went away was signed, or was one too many from its address.
      for (const possible of statusCode === 0 ? [200, 429] : [statusCode]) {
        const one = counts[nameOf(possible)] ??= { sent: 0, maybe: 0 }
        one[statusCode === 0 ? 'maybe' : 'sent'] += count
      }
    }
  }
  return counts
}

/** Returns the samples of a metric, summed by the value of a label. */
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

const gauges = ['memory in use', 'resident memory', 'descriptors', 'series'] as const
type Sample = Record<typeof gauges[number], number>

/**
 * Growth that is noise in any case, over the whole run: megabytes, descriptors, series. Node.js returns memory to the
 * system late, so the resident memory also grows without a leak.
 */
const tolerated: Sample = { 'memory in use': 2, 'resident memory': 20, descriptors: 2, series: 0 }

async function sample (service: Service): Promise<Sample> {
  const metrics = await service.metrics()
  return {
    'memory in use': ((metrics.get('nodejs_heap_size_used_bytes') ?? NaN) + (metrics.get('nodejs_external_memory_bytes') ?? NaN)) / 1e6,
    'resident memory': (metrics.get('process_resident_memory_bytes') ?? NaN) / 1e6,
    descriptors: metrics.get('process_open_fds') ?? 0,
    series: [...metrics.keys()].filter(name => !/^(process|nodejs)_/.test(name)).length // Node.js adds its own over time
  }
}

/** Takes a sample after the connections of the clients have ended, which the service may notice a moment later. */
async function atRest (service: Service, before: Sample): Promise<Sample> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const now = await sample(service)
    if (now.descriptors <= before.descriptors) return now
    await setTimeout(100)
  }
  return sample(service)
}

/** Fits a line. Returns its growth over all values, and the standard deviation of the values from it. */
function trend (values: number[]): { growth: number, noise: number } {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const middle = (count - 1) / 2
  const slope = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0) /
    values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
  const squares = values.reduce((sum, value, index) => sum + (value - mean - slope * (index - middle)) ** 2, 0)
  return { growth: slope * (count - 1), noise: Math.sqrt(squares / count) }
}

/** Sends requests of all kinds. Returns samples: one before, some under load, and one at rest. */
async function load (service: Service, seconds: number, { signal, note }: Context) {
  const { port } = service
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  signal.addEventListener('abort', () => end.abort())
  for (const kind of quickKinds) await ask(kind, port, end.signal)
  const limited = quickKinds.find(({ name }) => name === 'purchases from one address') as Kind
  while (!tally.get(limited)?.has(429)) await ask(limited, port, end.signal)
  agent.destroy()
  const before = await sample(service)

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
  const underLoad: Sample[] = []
  for (let part = 0; part < 60 && !signal.aborted; part++) {
    await setTimeout(seconds * 1000 / 60)
    underLoad.push(await sample(service))
    if (part % 10 === 9) note(`${Math.round((part + 1) / 0.6)} %: ${Math.round(underLoad.at(-1)!['memory in use'])} MB in use`)
    Object.values(agent.freeSockets).flat().forEach(socket => socket?.destroy()) // clients reconnect
  }
  end.abort()
  await Promise.all(clients)
  agent.destroy()
  return { before, underLoad, after: await atRest(service, before) }
}

/** Compares metrics, audit and log with the requests that were sent. Ends the service. */
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
  // A request whose client went away may have a line, but has no response to count.
  const unanswered = [...tally.values()].reduce((sum, statuses) => sum + (statuses.get(0) ?? 0), 0)
  if (log.decisions < counted || log.decisions > counted + unanswered) {
    found(`audit and log have ${log.decisions} decisions; the metrics ${counted}, and ${unanswered} had no response`)
  }
  log.faults.forEach(found)
}

export const soak: Part = {
  name: 'soak',
  shows: 'Under good, bad and hostile requests with all guards, the service signs correctly, counts and records each ' +
    'decision, and needs no more memory, descriptors or metric series over time.',
  programs: ['redis-server'],
  run: inScope('soak', async (scope, context) => {
    const { short, minutes = 30, note } = context
    const service = await startService(scope)
    const died = service.ended.then(reason => { throw new Error(`${reason} under load`) })
    const { before, underLoad, after } = await Promise.race([load(service, short ? 2 : minutes * 60, context), died])
    died.catch(() => {})
    const settled = underLoad.slice(underLoad.length / 3) // the heap grows to its usual size at first
    const rows = gauges.map(name => {
      const { growth, noise } = trend(settled.map(sample => sample[name]))
      if (!short && growth > Math.max(tolerated[name], 2 * noise)) found(`${name} grew by ${growth} with a noise of ${noise}`)
      const values = [before[name], settled[0]![name], settled.at(-1)![name], after[name], growth, noise]
      return [name, ...values.map(value => value.toFixed(1))]
    })
    if (after.series > before.series) found(`${after.series - before.series} metric series more than at the start`)
    if (after.descriptors > before.descriptors) found(`${after.descriptors - before.descriptors} descriptors more than at the start`)
    await judge(service)

    const kinds = [...tally].map(([kind, statuses]) => [kind.name, [...statuses].sort(([one], [other]) => one - other)
      .map(([status, count]) => `${count} × ${status || 'no response'}`).join(', ')])
    const total = [...tally.values()].flatMap(statuses => [...statuses.values()]).reduce((sum, count) => sum + count, 0)
    faults.slice(0, 20).forEach(fault => note(`fault: ${fault}`))
    return {
      passed: faults.length === 0 && !context.signal.aborted,
      figures: { requests: total, 'log lines': service.log.lines, 'audit lines': service.log.decisions, faults: faults.length },
      details: [
        table(['', 'before', 'after a third', 'at the end', 'at rest', 'growth in the last two thirds', 'noise'], rows),
        table(['requests', 'responses'], kinds),
        ...faults.slice(0, 20).map(fault => `- ${fault}`)
      ].join('\n\n')
    }
  })
}
