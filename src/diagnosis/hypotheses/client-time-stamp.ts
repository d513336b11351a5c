import type { TermHypothesis } from '../hypothesis.js'
import { inOtherDigits } from './digits.js'

const terms = ['clientTimeStamp'] as const

/** How far apart two clocks, or two readings of one, are looked for, in milliseconds. */
const window = 60_000

/** Epoch milliseconds, whatever unit the digits are in. */
function millisecondsOf (text: string): number | undefined {
  if (!/^\d{10}(?:\d{3}|\d{6}|\d{9})?$/.test(text)) {
    const parsed = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(parsed) ? undefined : parsed
  }
  return Number(text.slice(0, 13).padEnd(13, '0'))
}

const written = (write: (milliseconds: number) => string[]) => (text: string): string[] => {
  const milliseconds = millisecondsOf(text)
  return milliseconds === undefined ? [] : write(milliseconds)
}

export const clientTimeStamp: readonly TermHypothesis[] = [
  {
    name: 'timestamp-unit',
    terms,
    texts: written(milliseconds => [
      String(Math.floor(milliseconds / 1000)), `${milliseconds}000`, `${milliseconds}000000`, String(milliseconds),
      String(Math.round(milliseconds / 1000)), `${Math.floor(milliseconds / 1000)}000`, String(milliseconds / 1000)
    ]),
    says: 'it was in another unit: 10 digits are seconds, 13 milliseconds, 16 microseconds',
    fix: 'Use epoch milliseconds, 13 digits, on both sides.'
  },
  {
    name: 'timestamp-iso',
    terms,
    texts: written(milliseconds => {
      const iso = new Date(milliseconds).toISOString()
      const seconds = iso.slice(0, 19)
      return [
        iso, `${seconds}Z`, `${seconds}+00:00`, seconds, iso.slice(0, 23), seconds.replace('T', ' '),
        seconds.replace(/[-:T]/g, ''), new Date(milliseconds).toUTCString(), String(milliseconds)
      ]
    }),
    says: 'it was a date as text, not a number',
    fix: 'Use epoch milliseconds, 13 digits, on both sides.'
  },
  {
    name: 'timestamp-time-zone',
    terms,
    texts: written(milliseconds => Array.from({ length: 56 }, (_, index) => {
      const halfHours = index < 28 ? index + 1 : 27 - index
      return String(milliseconds + halfHours * 1_800_000)
    })),
    says: 'it was off by whole or half hours, as when local time is taken for UTC',
    fix: 'Epoch milliseconds have no time zone: take them from the clock, not from a formatted date.',
    alone: 'pair'
  },
  {
    name: 'timestamp-number-format',
    terms,
    texts: written(milliseconds => [
      `${milliseconds}.0`, milliseconds.toExponential(), milliseconds.toExponential().replace('e+', 'E'),
      milliseconds.toExponential().replace('e', 'E'), milliseconds.toLocaleString('en-US'), String(milliseconds)
    ]),
    says: 'it was written as a number is in another language',
    fix: 'Convert the time stamp to text as an integer: digits and nothing else.'
  },
  {
    name: 'timestamp-digits',
    terms,
    texts: text => inOtherDigits(text),
    says: 'it was written with the digits of another script',
    fix: 'Format numbers with a fixed locale that has ASCII digits, such as en-US.'
  },
  {
    name: 'timestamp-taken-twice',
    terms,
    * texts (text) {
      const milliseconds = millisecondsOf(text)
      if (milliseconds === undefined) return
      for (let distance = 1; distance <= window; distance++) {
        yield String(milliseconds + distance)
        yield String(milliseconds - distance)
      }
    },
    says: 'the clock was read twice, once for the signature and once for the request',
    fix: 'Take the time stamp once, and use the same value for the signature and for the payment request.',
    alone: 'part'
  }
]
