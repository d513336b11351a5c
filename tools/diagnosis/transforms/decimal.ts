/** Digits of a non-negative number, without leading zeros and with all decimals. */
export interface Decimal {
  readonly whole: string
  readonly fraction: string
}

/** Limit of the length of an amount, because long texts take long to rewrite. In UTF-16 code units. */
const maxLength = 40

/** Digits of scripts that people type into forms: Arabic-Indic, Persian, fullwidth, Devanagari. */
const scripts = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '０１２３４５６７８９', '०१२३४५६७८९']

const otherDigits = scripts.join('')

const otherDigit = new RegExp(`[${otherDigits}]`, 'g')

/** Returns a text with other digits and Arabic separators replaced by ASCII. */
export const toAsciiDigits = (text: string): string => text
  .replace(otherDigit, digit => String(otherDigits.indexOf(digit) % 10)).replaceAll('٫', '.').replaceAll('٬', ',')

/** Returns a text with its ASCII digits in each of the other scripts. */
export function inOtherDigits (text: string): string[] {
  const others = scripts.map(digits => text.replace(/\d/g, digit => digits.charAt(Number(digit))))
  const [arabic = ''] = others
  return [...others, arabic.replaceAll(',', '٬').replace('.', '٫')]
}

/** Returns the number in a text. It may have other digits, a currency, thousands separators or a comma, but no sign. */
export function decimalOf (text: string): Decimal | undefined {
  if (text.length > maxLength || /^[+-]|\d[-/:]\d/.test(text)) return undefined
  const plain = toAsciiDigits(text).replace(/[^0-9.,]/g, '')
  const [, whole, fraction = ''] = /^(\d*|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)(?:[.,](\d*))?$/.exec(plain) ?? []
  if (whole === undefined || whole + fraction === '') return undefined
  return { whole: whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '') || '0', fraction }
}

export const join = (whole: string, fraction: string, separator = '.'): string =>
  fraction === '' ? whole : whole + separator + fraction

/** Returns a number with the decimal point moved to the right. */
export function shifted ({ whole, fraction }: Decimal, places: number): Decimal {
  const start = whole.padStart(1 - places, '0')
  const digits = start + fraction.padEnd(places, '0')
  const point = start.length + places
  return { whole: digits.slice(0, point).replace(/^0+(?=\d)/, ''), fraction: digits.slice(point) }
}

/** Returns a number rounded half up, without floating-point arithmetic. */
export function rounded (decimal: Decimal, decimals: number): string {
  const { whole, fraction } = shifted(decimal, decimals)
  const digits = String(BigInt(whole) + (fraction >= '5' ? 1n : 0n)).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return join(digits.slice(0, point), digits.slice(point))
}

/** Returns digits in groups of three, counted from the end. */
export const grouped = (digits: string, separator: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, separator)
