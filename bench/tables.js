import { median, timesAsFast } from './statistics.js'

const row = cells => `| ${cells.join(' | ')} |\n`
const table = (head, rows) => row(head) + row(head.map(() => '---')) + rows.map(row).join('')

const factor = ({ ratio, lowest, highest }) => [`${ratio.toFixed(2)}`, `${lowest.toFixed(2)}-${highest.toFixed(2)}`]
const costs = ({ rounds }) => rounds.map(({ cpu }) => cpu)
const middle = (rounds, figure) => median(rounds.map(round => round[figure]))

/** Requests a second, p50, p99, memory, and the errors of all rounds. */
const load = rounds => [
  middle(rounds, 'requestsPerSecond').toFixed(0),
  middle(rounds, 'p50').toFixed(2),
  middle(rounds, 'p99').toFixed(2),
  middle(rounds, 'memory').toFixed(0),
  rounds.reduce((sum, { errors }) => sum + errors, 0)
]

/** What is measured against what, by processor time for each request, and the least that is aimed at. */
const aims = [
  { one: 'silent-again', other: 'silent', label: 'noise: the service against itself' },
  { one: 'silent', other: 'bare-fastify', label: 'service, logging off, against bare Fastify that signs', aim: 1 },
  { one: 'silent', other: 'node-http', label: 'service, logging off, against plain `node:http` that signs', aim: 1 },
  { one: 'service', other: 'silent', label: 'service, default logging, against logging off', aim: 0.88 },
  { one: 'silent', other: 'express', label: 'service, logging off, against Express 5', aim: 5.5 },
  { one: 'service', other: 'express', label: 'service, default logging, against Express 5 without logging', aim: 4.8 },
  { one: 'guards', other: 'bare-fastify', label: 'service, guards but AUDIT on, logging off, against bare Fastify that signs', aim: 0.75 },
  { one: 'guards-audit', other: 'bare-fastify', label: 'service, all guards on, default logging, against bare Fastify that signs', aim: 0.75 }
]

/** Each target's speed in proportion to bare Fastify that signs. */
export function relativeSpeeds ({ targets }) {
  const reference = costs(targets.find(({ name }) => name === 'bare-fastify'))
  return targets.map(target => ({ ...target, speed: timesAsFast(costs(target), reference) }))
}

function httpTables (result) {
  const byName = Object.fromEntries(result.targets.map(target => [target.name, target]))
  const pairs = table(['times as fast', 'median', 'range', 'aim'], aims.map(({ one, other, label, aim = '' }) =>
    [label, ...factor(timesAsFast(costs(byName[one]), costs(byName[other]))), aim]))
  const head = ['', 'times as fast as bare Fastify', 'range', 'µs of processor', 'requests/s', 'p50, ms', 'p99, ms',
    'memory, MB', 'errors']
  return pairs + '\n' + table(head, relativeSpeeds(result).map(({ label, speed, rounds }) => [
    label,
    ...factor(speed),
    middle(rounds, 'cpu').toFixed(1),
    ...load(rounds)
  ]))
}

function signerTables ({ cases }) {
  const head = ['variant', 'operation', 'text', 'ns for a signature', 'two bare hashes', 'createHash',
    'times the floor', 'range', 'times as fast as createHash', 'range']
  return table(head, cases.map(({ variant, operation, text, ours, floor, createHash }) => [
    variant,
    operation,
    text,
    ...[ours, floor, createHash].map(times => median(times).toFixed(0)),
    ...factor(timesAsFast(floor, ours)),
    ...factor(timesAsFast(ours, createHash))
  ]))
}

function startTables ({ rows }) {
  const [fastify, service, node, sign] = rows.map(({ milliseconds }) => milliseconds)
  const pairs = [
    { label: 'service against bare Fastify', one: service, other: fastify },
    { label: 'sign against `node -e 0`', one: sign, other: node }
  ].filter(({ one }) => one !== undefined)
  return table(['', 'median, ms', 'fastest', 'slowest'], rows.map(({ label, milliseconds: times }) =>
    [label, ...[median(times), Math.min(...times), Math.max(...times)].map(time => time.toFixed(0))]
  )) + '\n' + table(['times as long', 'median', 'range'],
    pairs.map(({ label, one, other }) => [label, ...factor(timesAsFast(other, one))]))
}

function growthTables ({ rows, memory: { points, errors } }) {
  return table(['', 'µs of processor', 'requests/s', 'p50, ms', 'p99, ms', 'memory, MB', 'errors'],
    rows.map(({ what, value, rounds }) => [`${what}: ${value}`, middle(rounds, 'cpu').toFixed(1), ...load(rounds)])
  ) + '\n' + table(['millions of signatures', 'memory, MB'],
    points.map(({ signatures, memory }) => [(signatures / 1e6).toFixed(1), memory.toFixed(1)])) +
    `\nErrors in these: ${errors}.\n`
}

/** Each part's result as tables in Markdown. */
export const tables = { http: httpTables, signer: signerTables, start: startTables, growth: growthTables }
