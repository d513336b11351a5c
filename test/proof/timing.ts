import { randomBytes } from 'node:crypto'
import { callerFinder } from '../../src/guard/policy.js'
import { hash256 } from '../../src/scheme/variant.js'
import { randomOf } from './part.js'
import type { Part } from './part.js'

type Find = (authorization: string) => unknown

/** Above this |t|, dudect reports that a function is probably not constant-time. */
const threshold = 10

/** Number of keys that are compared with, and of the hexadecimal digits of a key. */
const keyCount = 64
const keyLength = 64

/** Kinds of keys, and the number of their first digits that are right. */
const rightDigits = { 'nearly right': keyLength - 3, wrong: 0 }
type Kind = keyof typeof rightDigits

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
  const meanOf = (sample: Float64Array) => sample.reduce((sum, value) => sum + value, 0) / sample.length
  const errorOf = (sample: Float64Array, mean: number) =>
    sample.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sample.length - 1) / sample.length
  const [mean, otherMean] = [meanOf(one), meanOf(other)]
  return (mean - otherMean) / Math.sqrt(errorOf(one, mean) + errorOf(other, otherMean))
}

/** Returns the largest |t| over the shares of the samples that are kept. */
function largestT (one: Float64Array, other: Float64Array): number {
  const sorted = Float64Array.from([...one, ...other]).sort()
  return Math.max(...kept.map(share => {
    const limit = sorted[Math.ceil(sorted.length * share) - 1] as number
    return Math.abs(welch(one.filter(value => value <= limit), other.filter(value => value <= limit)))
  }))
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
function measure (subjects: Array<{ find: Find, key: string }>, count: number, random: () => number) {
  const samples: Record<Kind, Float64Array> = { 'nearly right': new Float64Array(count), wrong: new Float64Array(count) }
  const measured: Record<Kind, number> = { 'nearly right': 0, wrong: 0 }
  const warmUp = 20_000
  while (Math.min(...Object.values(measured)) < count + warmUp) {
    const calls = Array.from({ length: 2000 }, () => {
      const { find, key } = subjects[Math.floor(random() * subjects.length)]!
      const kind: Kind = random() < 0.5 ? 'nearly right' : 'wrong'
      return { kind, find, header: headerOf(key, kind, random) }
    })
    const text = Buffer.from(calls.map(({ header }) => header).join(''))
    let position = 0
    for (const { kind, find } of calls) {
      const header = text.toString('latin1', position, position += 'Bearer '.length + keyLength)
      const start = process.hrtime.bigint()
      find(header)
      const end = process.hrtime.bigint()
      samples[kind][measured[kind]++ - warmUp] = Number(end - start) // an index outside the array is ignored
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
    const [constant = NaN, broken = NaN] = (['constant', 'broken'] as const).map(finder => {
      signal.throwIfAborted()
      const samples = measure(subjects.map(subject => ({ find: subject[finder], key: subject.key })), count, random)
      const t = Math.round(largestT(samples['nearly right'], samples.wrong) * 10) / 10
      note(`${finder}: |t| ${t}`)
      return t
    })
    return {
      passed: constant < threshold && broken > threshold,
      figures: {
        'comparisons of each kind': count,
        '|t| of nearly right and wrong keys': constant,
        '|t| of the broken comparison': broken
      }
    }
  }
}
