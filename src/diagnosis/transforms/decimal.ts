import { toAsciiDigits } from './digits.js'

/** A number that is not negative, by its digits: no leading zeros, all decimals. */
export interface Decimal {
  readonly whole: string
  readonly fraction: string
}

/** Longer texts are no amounts, and would take long to rewrite. In UTF-16 code units. */
export const maxLength = 40

/** An amount however it is written: with other digits, a currency, separators of thousands, a comma; without a sign. */
export function decimalOf (text: string): Decimal | undefined {
  if (text.length > maxLength || /^[+-]/.test(text)) return undefined
  const plain = toAsciiDigits(text).replace(/[^0-9.,]/g, '')
  const [, whole, fraction = ''] = /^(\d*|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)(?:[.,](\d*))?$/.exec(plain) ?? []
  if (whole === undefined || whole + fraction === '') return undefined
  return { whole: whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '') || '0', fraction }
}

export const join = (whole: string, fraction: string): string => fraction === '' ? whole : `${whole}.${fraction}`

/** Rounded to so many decimals, half up, on the digits themselves. */
export function rounded ({ whole, fraction }: Decimal, decimals: number): string {
  const digits = (whole + fraction.padEnd(decimals, '0').slice(0, decimals))
  const up = fraction.length > decimals && fraction.charAt(decimals) >= '5' ? 1n : 0n
  const text = (BigInt(digits) + up).toString().padStart(decimals + 1, '0')
  return decimals === 0 ? text : join(text.slice(0, -decimals), text.slice(-decimals))
}

/** With the decimal point moved so many places to the right. */
export function shifted ({ whole, fraction }: Decimal, places: number): Decimal {
  const digits = places > 0 ? whole + fraction.padEnd(places, '0') : whole.padStart(1 - places, '0') + fraction
  const point = places > 0 ? whole.length + places : Math.max(whole.length, 1 - places) + places
  return { whole: digits.slice(0, point).replace(/^0+(?=\d)/, ''), fraction: digits.slice(point) }
}

export const grouped = (whole: string, separator: string): string => whole.replace(/\B(?=(?:\d{3})+$)/g, separator)

/** As in India: the last three digits, then pairs. */
export const groupedByPairs = (whole: string): string => whole.replace(/\B(?=(?:\d{2})*\d{3}$)/g, ',')

export const cutOff = ({ whole, fraction }: Decimal, decimals: number): string =>
  join(whole, fraction.slice(0, decimals))
