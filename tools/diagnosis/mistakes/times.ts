import type { Mistake } from './mistake.js'
import { unitFix } from './numbers.js'

/** Returns a function that applies `write` to the epoch milliseconds of a text, and returns no text for other texts. */
const atTime = (write: (milliseconds: number) => ReadonlyArray<string | number>) => (text: string): string[] => {
  const milliseconds = /^\d{10}(?:\d{3}|\d{6}|\d{9})?$/.test(text)
    ? Number(text.slice(0, 13).padEnd(13, '0'))
    : Date.parse(/^\d{4}-/.test(text) ? text : '')
  return Number.isNaN(milliseconds) ? [] : write(milliseconds).map(String)
}

const hour = 3_600_000 // milliseconds

/** All quarter hours from UTC-14 to UTC+14, without UTC. */
const quarters = Array.from({ length: 113 }, (_, index) => index / 4 - 14).filter(zone => zone !== 0)
/** Offsets of real time zones, daylight saving time included. In hours. */
const clocks = quarters.filter(zone => Number.isInteger(zone) ||
  [-9.5, -3.5, -2.5, 3.5, 4.5, 5.5, 5.75, 6.5, 8.75, 9.5, 10.5, 12.75, 13.75].includes(zone))

/** Returns a moment in a time zone, in patterns like those of Java and Unicode. `zone` is in hours. */
function format (milliseconds: number, patterns: readonly string[], zone = 0): string[] {
  const local = new Date(milliseconds + zone * hour)
  const iso = local.toISOString()
  const [EEE, dd, MMM, yyyy, HH, mm, ss] = local.toUTCString().split(/[, :]+/)
  const [yy, MM, SSS] = [iso.slice(2, 4), iso.slice(5, 7), iso.slice(20, 23)]
  const [L, d, h, a] = [Number(MM), Number(dd), Number(HH) % 12 || 12, Number(HH) < 12 ? 'AM' : 'PM']
  const XXX = (zone < 0 ? '-' : '+') + new Date(Math.abs(zone) * hour).toISOString().slice(11, 16)
  const [XX, zzzz] = [XXX.replace(':', ''), 'Coordinated Universal Time']
  // A longer name comes before its beginning: yyyy before yy.
  const parts: Readonly<Record<string, unknown>> = {
    yyyy, yy, MMM, MM, L, EEE, dd, d, HH, h, mm, ss, SSS, a, XXX, XX, zzzz
  }
  const part = new RegExp(Object.keys(parts).join('|'), 'g')
  return patterns.map(pattern => pattern.replace(part, name => String(parts[name])))
}

/** Common patterns, the longest first. */
const patterns = [
  'yyyy-MM-ddTHH:mm:ss.SSSXXX', 'yyyy-MM-ddTHH:mm:ssXXX', 'yyyy-MM-ddTHH:mm:ssXX', 'yyyy-MM-ddTHH:mm:ss.SSS',
  'yyyy-MM-ddTHH:mm:ss', 'yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd HH:mm:ss.SSS', 'yyyy-MM-dd HH:mm:ss.SSS000',
  'yyyy-MM-dd HH:mm:ssXXX', 'yyyyMMddHHmmss', 'dd/MM/yyyy HH:mm:ss', 'EEE, dd MMM yyyy HH:mm:ss XX'
]
const universal = ['yyyy-MM-ddTHH:mm:ss.SSSZ', 'yyyy-MM-ddTHH:mm:ssZ', 'EEE, dd MMM yyyy HH:mm:ss GMT', ...patterns]
const otherPatterns = [
  'yyyy-MM-ddTHH:mm:ss.SSS000Z', 'yyyy-MM-dd HH:mm:ss.SSS000XXX', 'yyyy-MM-dd HH:mm:ss.SSS XX UTC', 'yyyy-MM-dd HH:mm',
  'yyyy-MM-dd', 'yyyyMMdd', 'yyyyMMddHHmmssSSS', 'L/d/yyyy, h:mm:ss a', 'L/d/yyyy h:mm:ss a',
  'EEE MMM dd HH:mm:ss UTC yyyy', 'EEE MMM dd HH:mm:ss yyyy', 'EEE MMM dd yyyy HH:mm:ss GMTXX (zzzz)'
]

/** Returns a whole number with each fraction of so many decimals. */
const withDecimals = (text: string, decimals: number): string[] =>
  Array.from({ length: /^\d{1,20}$/.test(text) ? 10 ** decimals : 0 }, (_, digits) =>
    `${text}.${String(digits).padStart(decimals, '0')}`)

/** Forms and offsets of a time stamp. */
export const times: readonly Mistake[] = [
  ['iso', 'it was a date as text, not a number', unitFix, {
    4: atTime(milliseconds => [milliseconds, ...format(milliseconds, universal)]),
    7: atTime(milliseconds => format(milliseconds, otherPatterns))
  }, ['timestamp']],
  ['time-zone', 'it differed by the offset of a time zone, as when local time is used as UTC',
    'Epoch milliseconds have no time zone: take them from the clock, not from a formatted date.',
    { 7: atTime(milliseconds => quarters.map(zone => milliseconds + zone * hour)) }, ['timestamp']],
  ['local-date', 'it was a local date as text, not a number', unitFix, {
    7: atTime(milliseconds => clocks.flatMap(zone => format(milliseconds, patterns.slice(0, 6), zone)))
  }, ['timestamp']],
  // PHP's microtime(true) * 1000 prints one decimal, Python's time.time() * 1000 up to four.
  ['fraction', 'it had decimals, as when seconds with a fraction are multiplied by 1000',
    'Cut it down to an integer before it is signed and sent.', {
      7: text => [1, 2].flatMap(decimals => withDecimals(text, decimals)),
      9: text => [3, 4].flatMap(decimals => withDecimals(text, decimals))
    }, ['timestamp']],
  // .NET counts from the year 1, Windows from 1601, both in tenths of a microsecond.
  ['epoch', 'it was counted from another date than 1970, or in another unit', unitFix,
    { 7: atTime(time => ['0001-01-01', '1601-01-01'].map(epoch => `${time - Date.parse(epoch)}0000`)) }, ['timestamp']],
  ['taken-twice', 'the clock was read twice, once for the signature and once for the request',
    'Take the time stamp once, and use the same value for the signature and for the payment request.', {
      5: atTime(milliseconds => Array.from({ length: 25 }, (_, index) =>
        [milliseconds + index + 1, milliseconds - index - 1]).flat())
    }, ['timestamp']]
]
