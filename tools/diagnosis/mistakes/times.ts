import type { Mistake } from './mistake.js'
import { unitFix, withEndings } from './numbers.js'

/** Returns a function that applies `write` to the epoch milliseconds of a text, and returns no text for other texts. */
const atTime = (write: (milliseconds: number) => ReadonlyArray<string | number>) => (text: string): string[] => {
  const milliseconds = /^\d{10}(?:\d{3}|\d{6}|\d{9})?$/.test(text)
    ? Number(text.slice(0, 13).padEnd(13, '0'))
    : Date.parse(/^\d{4}-/.test(text) ? text : '')
  return Number.isNaN(milliseconds) ? [] : write(milliseconds).map(String)
}

const [hour, day] = [3_600_000, 86_400_000] // milliseconds

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
  // Two letters of the day, the hour and the milliseconds are the forms with a space, with a zero, and without zeros.
  const [DD, hh, SS] = [String(d).padStart(2), String(h).padStart(2, '0'), SSS.replace(/0+$/, '')]
  const EEEE = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')[local.getUTCDay()]
  const XXX = (zone < 0 ? '-' : '+') + new Date(Math.abs(zone) * hour).toISOString().slice(11, 16)
  const [XX, X, zzzz] = [XXX.replace(':', ''), XXX.replace(':00', ''), 'Coordinated Universal Time']
  // A longer name comes before its beginning: yyyy before yy.
  const parts: Readonly<Record<string, unknown>> =
    { yyyy, yy, MMM, MM, L, EEEE, EEE, DD, dd, d, HH, hh, h, mm, ss, SSS, SS, a, XXX, XX, X, zzzz }
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
const named = [
  'EEE MMM dd HH:mm:ss UTC yyyy', 'EEE MMM dd HH:mm:ss yyyy', 'EEE MMM DD HH:mm:ss yyyy', 'EEE, dd MMM yyyy HH:mm:ss -0000',
  'EEE MMM dd yyyy HH:mm:ss GMTXX (zzzz)', 'EEEE, dd-MMM-yy HH:mm:ss UTC', 'EEEE, dd-MMM-yyyy HH:mm:ss UTC'
]

/** Dates, separators, times and offsets that programs join: in ISO 8601, without separators, and for people. */
const forms = [
  [
    ['yyyy-MM-dd'], ['T', ' '],
    ['HH:mm:ss', 'HH:mm:ss.SSS', 'HH:mm:ss.SS', 'HH:mm:ss.SSS000', 'HH:mm:ss,SSS'],
    ['', 'Z', 'XXX', 'XX', 'X', ' XX', ' UTC', ' XX UTC']
  ],
  [['yyyyMMdd'], ['', 'T'], ['HHmmss', 'HHmmssSSS', 'HHmm', 'HHmmss.SSS'], ['', 'Z']],
  [
    ['yyyy-MM-dd', 'dd/MM/yyyy', 'MM/dd/yyyy', 'dd.MM.yyyy', 'dd-MM-yyyy', 'yyyy/MM/dd', 'L/d/yyyy', 'MMM d, yyyy'],
    ['', ' HH:mm', ' HH:mm:ss', ', HH:mm:ss', ' h:mm:ss a', ', h:mm:ss a', ' hh:mm a', ' hh:mm:ss a']
  ]
]

/** Returns a moment in all these forms. */
const inForms = (milliseconds: number, zone = 0): string[] => forms.flatMap(form => form
  .map(patterns => format(milliseconds, patterns, zone))
  .reduce((starts, ends) => starts.flatMap(start => ends.map(end => start + end))))

/** Returns a whole number with each fraction of so many decimals. */
const withDecimals = (text: string, decimals: number): string[] =>
  /^\d{1,20}$/.test(text) ? withEndings(`${text}.`, decimals) : []

/** Dates from which programs count: of spreadsheets, .NET, Python, UUIDs, Windows, NTP, GPS, Macs and astronomers. */
const epochs = [
  '1899-12-30', '1904-01-01', '0001-01-01', '0000-12-31', '1582-10-15', '1601-01-01', '1858-11-17', '1900-01-01',
  '1970-01-01', '1980-01-06', '2001-01-01', '-004713-11-24T12:00Z'
].map(date => Date.parse(date))

/** Returns a number of days or seconds in the forms of programs: whole, exact, and with some decimals. */
const counted = (number: number): Array<string | number> => [
  Math.floor(number), number, Number(number.toPrecision(15)),
  ...Array.from({ length: 13 }, (_, decimals) => number.toFixed(decimals))
]

/** Forms and offsets of a time stamp. */
export const times: readonly Mistake[] = [
  ['iso', 'it was a date as text, not a number', unitFix, {
    4: atTime(milliseconds => [milliseconds, ...format(milliseconds, universal)]),
    9: atTime(milliseconds => [
      ...format(milliseconds, ['yyyyMMdd', ...named]), ...inForms(milliseconds),
      // The clock had microseconds, which the time stamp lost.
      ...format(milliseconds, ['yyyy-MM-ddTHH:mm:ss.SSS', 'yyyy-MM-dd HH:mm:ss.SSS']).flatMap(start =>
        withEndings(start, 3).flatMap(date => ['', 'Z', '+00:00'].map(zone => date + zone)))
    ])
  }, ['timestamp']],
  ['time-zone', 'it differed by the offset of a time zone, as when local time is used as UTC',
    'Epoch milliseconds have no time zone: take them from the clock, not from a formatted date.', {
      7: atTime(milliseconds => quarters.map(zone => milliseconds + zone * hour)),
      8: atTime(milliseconds => clocks.flatMap(zone => {
        const seconds = Math.floor(milliseconds / 1000) + zone * hour / 1000
        return [seconds, `${seconds}000`]
      }))
    }, ['timestamp']],
  ['local-date', 'it was a local date as text, not a number', unitFix, {
    7: atTime(milliseconds => clocks.flatMap(zone => format(milliseconds, patterns.slice(0, 6), zone))),
    9: atTime(milliseconds => [
      ...clocks.flatMap(zone => [...format(milliseconds, patterns.slice(-1), zone), ...inForms(milliseconds, zone)]),
      ...[2, 3, 4].flatMap(zone => format(milliseconds, ['yyyy-MM-ddTHH:mm:ss.SSS'], zone)
        .flatMap(start => withEndings(start, 3)))
    ])
  }, ['timestamp']],
  // PHP's microtime(true) * 1000 prints one decimal, Python's time.time() * 1000 up to four.
  ['fraction', 'it had decimals, as when seconds with a fraction are multiplied by 1000',
    'Cut it down to an integer before it is signed and sent.', {
      7: text => [1, 2].flatMap(decimals => withDecimals(text, decimals)),
      9: text => [
        ...[3, 4].flatMap(decimals => withDecimals(text, decimals)),
        ...atTime(time => [1, 2, 3].flatMap(digits => withEndings((time / 1000).toFixed(3), digits)))(text)
      ]
    }, ['timestamp']],
  ['epoch', 'it was counted from another date than 1970 or in another unit, such as the days of a spreadsheet', unitFix, {
    9: atTime(time => [
      ...epochs.map(epoch => time - epoch).flatMap(since => [
        since, ...['000', '0000', '000000'].map(more => `${since}${more}`), ...counted(since / day), ...counted(since / 1000)
      ]),
      ...clocks.flatMap(zone => epochs.slice(0, 2).flatMap(epoch => counted((time - epoch + zone * hour) / day)))
    ])
  }, ['timestamp']],
  ['taken-twice', 'the clock was read twice, once for the signature and once for the request',
    'Take the time stamp once, and use the same value for the signature and for the payment request.', {
      5: atTime(milliseconds => Array.from({ length: 25 }, (_, index) =>
        [milliseconds + index + 1, milliseconds - index - 1]).flat())
    }, ['timestamp']]
]
