import type { TermHypothesis } from '../hypothesis.js'
import { inOtherDigits } from './digits.js'

const terms = ['clientTimeStamp'] as const

/** How far apart two clocks, or two readings of one, are looked for, in milliseconds. */
const maxDistance = 60_000

/** Epoch milliseconds, whatever unit the digits are in. */
function millisecondsOf (text: string): number | undefined {
  if (!/^\d{10}(?:\d{3}|\d{6}|\d{9})?$/.test(text)) {
    const parsed = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(parsed) ? undefined : parsed
  }
  return Number(text.slice(0, 13).padEnd(13, '0'))
}

const quarterHour = 900_000 // milliseconds

/** Of all time zones, from one side of the date line to the other, UTC left out. */
const quarterHours = Array.from({ length: 112 }, (_, index) => index < 56 ? index + 1 : 55 - index)

/** The ways to write a moment as the clocks of a time zone show it. */
function localDates (milliseconds: number, quarters: number): string[] {
  const local = new Date(milliseconds + quarters * quarterHour).toISOString().slice(0, 23)
  const minutes = Math.abs(quarters) * 15
  const two = (number: number): string => String(number).padStart(2, '0')
  const zone = `${quarters < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  const seconds = local.slice(0, 19)
  return [`${local}${zone}`, `${seconds}${zone}`, `${seconds}${zone.replace(':', '')}`, local, seconds, seconds.replace('T', ' ')]
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
    says: 'it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds',
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
    texts: written(milliseconds => quarterHours.map(quarters => String(milliseconds + quarters * quarterHour))),
    says: 'it was off by a time zone, as when local time is taken for UTC',
    fix: 'Epoch milliseconds have no time zone: take them from the clock, not from a formatted date.',
    alone: 'pair'
  },
  {
    name: 'timestamp-local-date',
    terms,
    texts: written(milliseconds => quarterHours.flatMap(quarters => localDates(milliseconds, quarters))),
    says: 'it was a local date as text, not a number',
    fix: 'Use epoch milliseconds, 13 digits, on both sides.',
    alone: 'part'
  },
  {
    name: 'timestamp-number-format',
    terms,
    texts: written(milliseconds => [
      `${milliseconds}.0`, milliseconds.toExponential(), milliseconds.toExponential().replace('e+', 'E'),
      milliseconds.toExponential().replace('e', 'E'), milliseconds.toLocaleString('en-US'), String(milliseconds)
    ]),
    says: 'it was formatted as another programming language formats numbers',
    fix: 'Convert the time stamp to text as an integer: digits only.'
  },
  {
    name: 'timestamp-digits',
    terms,
    texts: text => inOtherDigits(text),
    says: 'it was written in the digits of another script',
    fix: 'Format numbers with a fixed locale that has ASCII digits, such as en-US.'
  },
  {
    name: 'timestamp-taken-twice',
    terms,
    * texts (text) {
      const milliseconds = millisecondsOf(text)
      if (milliseconds === undefined) return
      for (let distance = 1; distance <= maxDistance; distance++) {
        yield String(milliseconds + distance)
        yield String(milliseconds - distance)
      }
    },
    says: 'the clock was read twice, once for the signature and once for the request',
    fix: 'Take the time stamp once, and use the same value for the signature and for the payment request.',
    alone: 'part'
  }
]
