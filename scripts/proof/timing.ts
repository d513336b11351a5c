import { randomBytes } from 'node:crypto'
import { callerFinder } from '../../src/guard/policy.js'
import { hash256 } from '../../src/scheme/signature.js'
import { randomOf, table } from './part.js'
import type { Part } from './part.js'

type Find = (authorization: string) => unknown

const kinds = ['right', 'nearly right', 'wrong'] as const
type Kind = typeof kinds[number]

const pairs: Array<[Kind, Kind]> = [['right', 'wrong'], ['right', 'nearly right'], ['nearly right', 'wrong']]

/** Above this |t|, dudect reports that a function is probably not constant-time. */
const threshold = 10

/** Number of keys that are compared with, and of the headers of each kind for each key. */
const keyCount = 64

/** Shares of the samples that are kept, the fastest first. Interruptions of the process dominate the others. */
const kept = [1, 0.99, 0.9, 0.5]

/** Compares the text of a key up to its first difference, which is not constant-time. */
function brokenFinder (key: string): Find {
  return authorization => {
    hash256(authorization.slice(7))
    for (let at = 0; at < key.length; at++) if (authorization[at + 7] !== key[at]) return undefined
    return key
  }
}

/** Returns Welch's t of two samples. */
function welch (one: Float64Array, other: Float64Array): number {
  const [first, second] = [one, other].map(sample => {
    const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length
    const variance = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sample.length - 1)
    return { mean, error: variance / sample.length }
  }) as [{ mean: number, error: number }, { mean: number, error: number }]
  return (first.mean - second.mean) / Math.sqrt(first.error + second.error)
}

/** Returns the t of the largest absolute value over the shares of the samples that are kept. */
function largestT (one: Float64Array, other: Float64Array): number {
  const sorted = Float64Array.from([...one, ...other]).sort()
  const all = kept.map(share => {
    const limit = sorted[Math.ceil(sorted.length * share) - 1] as number
    return welch(one.filter(value => value <= limit), other.filter(value => value <= limit))
  })
  return all.reduce((largest, t) => Math.abs(t) > Math.abs(largest) ? t : largest)
}

/** A comparison with one key, and headers of each kind for it. */
interface Subject {
  find: Find
  headers: Record<Kind, Buffer[]>
}

/** Measures comparisons for headers of each kind, in random order. Returns nanoseconds. */
function measure (subjects: Subject[], count: number, random: () => number): Record<Kind, Float64Array> {
  const samples = Object.fromEntries(kinds.map(kind => [kind, new Float64Array(count)])) as Record<Kind, Float64Array>
  const warmUp = 20_000
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  for (let round = -warmUp; round < count; round++) {
    const [first, second] = [Math.floor(random() * 3), 1 + Math.floor(random() * 2)]
    for (let turn = 0; turn < kinds.length; turn++) {
      const kind = kinds[(first + turn * second) % kinds.length] as Kind
      const { find, headers } = pick(subjects)
      const header = pick(headers[kind]).toString('latin1') // a new text: where older ones are in memory changes the time
      const start = process.hrtime.bigint()
      find(header)
      const end = process.hrtime.bigint()
      if (round >= 0) samples[kind][round] = Number(end - start)
    }
  }
  return samples
}

export const timing: Part = {
  name: 'timing',
  shows: 'The time to refuse an API key is independent of how much of the key is right: Welch\'s t test, as in dudect, ' +
    `finds no difference (|t| is below ${threshold}) and finds a comparison that stops at the first difference.`,
  async run ({ seed, short, note, signal }) {
    const count = short ? 100_000 : 1_000_000
    const random = randomOf(seed)
    const keys = Array.from({ length: keyCount }, () => randomBytes(32).toString('hex'))
    const other = (key: string) => (parseInt(key.slice(-3), 16) ^ (1 + Math.floor(random() * 4095))).toString(16).padStart(3, '0')
    const all = keys.map(key => {
      const headersOf = (keyOf: () => string) =>
        Array.from({ length: keyCount }, () => Buffer.from(`Bearer ${keyOf()}`))
      const headers = {
        right: headersOf(() => key),
        'nearly right': headersOf(() => key.slice(0, -3) + other(key)),
        wrong: headersOf(() => randomBytes(32).toString('hex'))
      }
      const caller = { name: 'shop', apiKeySha256: hash256(key), operations: ['purchase' as const], accountNumbers: ['102551'] }
      return { headers, constant: callerFinder({ callers: [caller] }), broken: brokenFinder(key) }
    })
    const found: Record<string, number[]> = {}
    for (const [name, find] of [['the policy\'s comparison', 'constant'], ['a broken comparison', 'broken']] as const) {
      signal.throwIfAborted()
      const samples = measure(all.map(subject => ({ find: subject[find], headers: subject.headers })), count, random)
      found[name] = pairs.map(([one, other]) => Math.round(largestT(samples[one], samples[other]) * 10) / 10)
      note(`${name}: t ${found[name].join(', ')}`)
    }
    const [constant = [], broken = []] = Object.values(found)
    const [, , t = NaN] = constant
    const isFound = Math.abs(broken[2] ?? 0) > threshold
    return {
      passed: Math.abs(t) < threshold && isFound,
      figures: {
        'comparisons of each kind': count,
        '|t| of nearly right and wrong keys': Math.abs(t),
        '|t| of the broken comparison': Math.abs(broken[2] ?? NaN)
      },
      details: 'A right key differs: the policy returns its caller, and the response shows that the key is right.\n\n' +
        table(['t', ...pairs.map(pair => pair.join(' / '))], Object.entries(found).map(([name, all]) => [name, ...all]))
    }
  }
}
