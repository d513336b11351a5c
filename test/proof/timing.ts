import { randomBytes } from 'node:crypto'
import { callerFinder } from '../../src/guard/policy.js'
import { hash256 } from '../../src/scheme/variant.js'
import { randomOf, table } from './part.js'
import type { Part } from './part.js'

type Find = (authorization: string) => unknown

const kinds = ['right', 'nearly right', 'wrong'] as const
type Kind = typeof kinds[number]

const pairs: Array<[Kind, Kind]> = [['right', 'wrong'], ['right', 'nearly right'], ['nearly right', 'wrong']]

/** Above this |t|, dudect reports that a function is probably not constant-time. */
const threshold = 10

/** Number of keys that are compared with. */
const keyCount = 64

/** Number of hexadecimal digits of a key, and of those that are right in a header of each kind. */
const keyLength = 64
const headerLength = 'Bearer '.length + keyLength
const rightDigits: Record<Kind, number> = { right: keyLength, 'nearly right': keyLength - 3, wrong: 0 }

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

/** A comparison with one key. */
interface Subject {
  find: Find
  key: string
}

/** Returns an Authorization header of a kind, whose wrong digits are random. */
function headerOf (key: string, kind: Kind, random: () => number): string {
  const right = rightDigits[kind]
  const wrong = Array.from({ length: keyLength - right }, (_, index) => {
    const digit = Math.floor(random() * 16)
    return (index === 0 && digit === parseInt(key[right] as string, 16) ? digit ^ 1 : digit).toString(16)
  })
  return `Bearer ${key.slice(0, right)}${wrong.join('')}`
}

/**
 * Measures comparisons for headers of each kind, in random order. Returns nanoseconds.
 *
 * Each header is new, because the places of old ones in memory would make some of them slower. Headers are written to a
 * buffer before a block of measurements, and read from there by the same steps for each kind: other steps before a
 * measurement would change its time.
 */
function measure (subjects: Subject[], count: number, random: () => number): Record<Kind, Float64Array> {
  const samples = Object.fromEntries(kinds.map(kind => [kind, new Float64Array(count)])) as Record<Kind, Float64Array>
  const block = 1000
  const order = kinds.flatMap(kind => Array.from({ length: block }, () => kind))
  for (let done = -20 * block; done < count; done += block) { // the first blocks are the warm-up
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other] as Kind, order[last] as Kind]
    }
    const calls = order.map(kind => {
      const { find, key } = subjects[Math.floor(random() * subjects.length)] as Subject
      return { kind, find, header: headerOf(key, kind, random) }
    })
    const text = Buffer.from(calls.map(({ header }) => header).join(''))
    let position = 0
    const indexes = { right: done, 'nearly right': done, wrong: done }
    for (const { kind, find } of calls) {
      const header = text.toString('latin1', position, position += headerLength)
      const start = process.hrtime.bigint()
      find(header)
      const end = process.hrtime.bigint()
      samples[kind][indexes[kind]++] = Number(end - start) // ignored below 0
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
    const subjects = Array.from({ length: keyCount }, () => {
      const key = randomBytes(keyLength / 2).toString('hex')
      const rights = { operations: ['purchase' as const], accountNumbers: ['102551'] }
      const policy = { callers: [{ name: 'shop', apiKeySha256: hash256(key), ...rights }] }
      return { key, constant: callerFinder(policy), broken: brokenFinder(key) }
    })
    const found: Record<string, number[]> = {}
    for (const [name, find] of [['the policy\'s comparison', 'constant'], ['a broken comparison', 'broken']] as const) {
      signal.throwIfAborted()
      const samples = measure(subjects.map(subject => ({ find: subject[find], key: subject.key })), count, random)
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
