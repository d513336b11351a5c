import type { Kind, Transform } from '../transform.js'

const kinds: readonly Kind[] = ['time']

/** Epoch milliseconds, whatever the text is. */
function millisecondsOf (text: string): number | undefined {
  if (/^\d{10}(?:\d{3}|\d{6}|\d{9})?$/.test(text)) return Number(text.slice(0, 13).padEnd(13, '0'))
  const parsed = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(parsed) ? undefined : parsed
}

const written = (write: (milliseconds: number) => Iterable<string>) => (text: string): Iterable<string> => {
  const milliseconds = millisecondsOf(text)
  return milliseconds === undefined ? [] : write(milliseconds)
}

const hour = 3_600_000 // milliseconds

/** Of all time zones, from one side of the date line to the other, in hours; UTC left out. */
const quarters = Array.from({ length: 112 }, (_, index) => (index < 56 ? index + 1 : 55 - index) / 4)
/** Those that clocks show, daylight saving time included. */
const clocks = quarters.filter(zone => Number.isInteger(zone) || [
  -9.5, -3.5, -2.5, 3.5, 4.5, 5.5, 5.75, 6.5, 8.75, 9.5, 10.5, 12.75, 13.75
].includes(zone))

const two = (value: number): string => String(value).padStart(2, '0')

/** A moment as the clocks of a zone show it, in patterns of the kind that Java and Unicode have. */
function format (milliseconds: number, patterns: readonly string[], zone = 0): string[] {
  const local = new Date(milliseconds + zone * hour)
  const iso = local.toISOString()
  const [day = '', , month = ''] = local.toUTCString().split(' ')
  const minutes = Math.abs(zone) * 60
  const offset = `${zone < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  const parts: Readonly<Record<string, string>> = {
    yyyy: iso.slice(0, 4),
    yy: iso.slice(2, 4),
    MMM: month,
    MM: iso.slice(5, 7),
    L: String(local.getUTCMonth() + 1),
    EEE: day.slice(0, 3),
    dd: iso.slice(8, 10),
    d: String(local.getUTCDate()),
    HH: iso.slice(11, 13),
    h: String(local.getUTCHours() % 12 || 12),
    mm: iso.slice(14, 16),
    ss: iso.slice(17, 19),
    SSS: iso.slice(20, 23),
    SSSSSS: `${iso.slice(20, 23)}000`,
    a: local.getUTCHours() < 12 ? 'AM' : 'PM',
    XXX: offset,
    XX: offset.replace(':', '')
  }
  return patterns.map(pattern => pattern.replace(/yyyy|yy|MMM|MM|L|EEE|dd|d|HH|h|mm|ss|SSSSSS|SSS|XXX|XX|a/g, part => String(parts[part])))
}

/** With everything, then shorter. */
const patterns = [
  'yyyy-MM-ddTHH:mm:ss.SSSXXX', 'yyyy-MM-ddTHH:mm:ssXXX', 'yyyy-MM-ddTHH:mm:ssXX', 'yyyy-MM-ddTHH:mm:ss.SSS', 'yyyy-MM-ddTHH:mm:ss',
  'yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd HH:mm:ss.SSS', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'yyyy-MM-dd HH:mm:ssXXX', 'yyyyMMddHHmmss',
  'dd/MM/yyyy HH:mm:ss', 'EEE, dd MMM yyyy HH:mm:ss XX'
]
const universal = ['yyyy-MM-ddTHH:mm:ss.SSSZ', 'yyyy-MM-ddTHH:mm:ssZ', 'EEE, dd MMM yyyy HH:mm:ss GMT', ...patterns]
const otherPatterns = [
  'yyyy-MM-ddTHH:mm:ss.SSSSSSZ', 'yyyy-MM-ddTHH:mm:ss.SSSSSS', 'yyyy-MM-ddTHH:mmZ', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'yyyy-MM-dd HH:mm:ssZ',
  'yyyy-MM-dd HH:mm:ss UTC', 'yyyy-MM-dd HH:mm:ss.SSS XX UTC', 'yyyy-MM-dd HH:mm', 'yyyy-MM-dd', 'yyyyMMdd', 'yyyyMMddHHmmssSSS', 'yyMMddHHmmss',
  'dd/MM/yyyy', 'MM/dd/yyyy HH:mm:ss', 'dd.MM.yyyy HH:mm:ss', 'dd-MM-yyyy HH:mm:ss', 'yyyy/MM/dd HH:mm:ss', 'L/d/yyyy, h:mm:ss a', 'L/d/yyyy h:mm:ss a',
  'MMM d, yyyy h:mm:ss a', 'EEE MMM dd HH:mm:ss UTC yyyy', 'EEE MMM dd HH:mm:ss yyyy', 'EEE MMM dd yyyy HH:mm:ss GMTXX (Coordinated Universal Time)', 'HH:mm:ss'
]

/** When other clocks began, in milliseconds from 1970. */
const epochs = ['0001-01-01', '1601-01-01', '1900-01-01', '1904-01-01', '1980-01-06', '2000-01-01', '2001-01-01'].map(Date.parse)

/** What a clock shows up to so many milliseconds earlier or later. */
const near = (milliseconds: number, distance: number): string[] => Array.from({ length: 2 * distance }, (_, index) =>
  String(milliseconds + (index % 2 === 0 ? 1 + index / 2 : -(1 + index) / 2)))

const takenTwice = {
  says: 'the clock was read twice, once for the signature and once for the request',
  fix: 'Take the time stamp once, and use the same value for the signature and for the payment request.',
  isAlone: true
} as const

/** A whole number with so many decimals. */
const decimalsOf = (text: string, lengths: readonly number[]): string[] => lengths.flatMap(length =>
  Array.from({ length: 10 ** length }, (_, digits) => `${text}.${String(digits).padStart(length, '0')}`))

const unitFix = 'Use epoch milliseconds, 13 digits, on both sides.'

export const time: readonly Transform[] = [
  {
    name: 'iso',
    cost: 4,
    kinds,
    texts: written(milliseconds => [String(milliseconds), ...format(milliseconds, universal)]),
    says: 'it was a date as text, not a number',
    fix: unitFix
  },
  {
    name: 'iso',
    cost: 7,
    kinds,
    texts: written(milliseconds => format(milliseconds, otherPatterns)),
    says: 'it was a date as text, not a number',
    fix: unitFix
  },
  {
    name: 'time-zone',
    cost: 7,
    kinds,
    texts: written(milliseconds => quarters.map(zone => String(milliseconds + zone * hour))),
    says: 'it was off by a time zone, as when local time is taken for UTC',
    fix: 'Epoch milliseconds have no time zone: take them from the clock, not from a formatted date.'
  },
  {
    name: 'local-date',
    cost: 7,
    kinds,
    texts: written(milliseconds => clocks.flatMap(zone => format(milliseconds, patterns.slice(0, 6), zone))),
    says: 'it was a local date as text, not a number',
    fix: unitFix,
    isAlone: true
  },
  {
    name: 'local-date',
    cost: 9,
    kinds,
    texts: written(milliseconds =>
      quarters.flatMap(zone => format(milliseconds, [...patterns, ...otherPatterns], zone))),
    says: 'it was a local date as text, not a number',
    fix: unitFix,
    isAlone: true
  },
  {
    name: 'precision',
    cost: 6,
    kinds,
    texts: written(milliseconds => [1000, 60_000, hour, 24 * hour].flatMap(unit =>
      [Math.floor(milliseconds / unit) * unit, Math.round(milliseconds / unit) * unit].map(String))),
    says: 'it was rounded to a second, a minute, an hour or a day',
    fix: 'Sign the very number that the payment request carries.'
  },
  {
    name: 'fraction',
    cost: 7,
    kinds,
    texts: text => /^\d+$/.test(text) ? decimalsOf(text, [1, 2]) : [],
    says: 'it had decimals, as when seconds with a fraction are multiplied by 1000',
    fix: 'Cut it down to an integer before it is signed and sent.'
  },
  {
    name: 'fraction',
    cost: 9,
    kinds,
    texts: text => /^\d+$/.test(text) ? decimalsOf(text, [3, 4]) : [],
    says: 'it had decimals, as when seconds with a fraction are multiplied by 1000',
    fix: 'Cut it down to an integer before it is signed and sent.',
    isAlone: true
  },
  {
    name: 'epoch',
    cost: 7,
    kinds,
    texts: written(milliseconds => [
      ...epochs.flatMap(epoch => [1, 1e-3, 1e4].map(unit => unit > 1
        ? String(BigInt(milliseconds - epoch) * 10_000n)
        : String((milliseconds - epoch) * unit)).concat(String(Math.floor((milliseconds - epoch) / 1000)))),
      String(25569 + milliseconds / (24 * hour)), `0.${String(milliseconds).slice(10)}00000 ${String(milliseconds).slice(0, 10)}`
    ]),
    says: 'it was counted from another moment than 1970, or in another way',
    fix: unitFix
  },
  { name: 'taken-twice', cost: 6, kinds, texts: written(milliseconds => near(milliseconds, 25)), ...takenTwice },
  { name: 'taken-twice', cost: 9, kinds, texts: written(milliseconds => near(milliseconds, 60_000)), ...takenTwice }
]
