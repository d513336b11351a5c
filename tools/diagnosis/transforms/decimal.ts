/** A number that is not negative, by its digits: no leading zeros, all decimals. */
export interface Decimal {
  readonly whole: string
  readonly fraction: string
}

/** Longer texts are no amounts, and would take long to rewrite. In UTF-16 code units. */
const maxLength = 40

/** The digits of scripts that get into forms: Arabic-Indic, Persian, fullwidth, Devanagari. */
const scripts = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '０１２３４５６７８９', '०१२३४५६७८९']

/** The text with the digits of those scripts, and the Arabic separators, in ASCII. */
export const toAsciiDigits = (text: string): string => scripts
  .reduce((rest, digits) => rest.replace(new RegExp(`[${digits}]`, 'g'), digit => `${digits.indexOf(digit)}`), text)
  .replaceAll('٫', '.').replaceAll('٬', ',')

/** The text with its ASCII digits in each of the other scripts. */
export function inOtherDigits (text: string): string[] {
  const others = scripts.map(digits => text.replace(/\d/g, digit => digits.charAt(Number(digit))))
  const [arabic = ''] = others
  return [...others, arabic.replaceAll(',', '٬').replace('.', '٫')]
}

/** An amount however it is written: with other digits, a currency, separators of thousands, a comma; without a sign. */
export function decimalOf (text: string): Decimal | undefined {
  if (text.length > maxLength || /^[+-]|\d[-/:]\d/.test(text)) return undefined
  const plain = toAsciiDigits(text).replace(/[^0-9.,]/g, '')
  const [, whole, fraction = ''] = /^(\d*|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)(?:[.,](\d*))?$/.exec(plain) ?? []
  if (whole === undefined || whole + fraction === '') return undefined
  return { whole: whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '') || '0', fraction }
}

export const join = (whole: string, fraction: string, separator = '.'): string =>
  fraction === '' ? whole : whole + separator + fraction

/** With the decimal point moved so many places to the right. */
export function shifted ({ whole, fraction }: Decimal, places: number): Decimal {
  const start = whole.padStart(1 - places, '0')
  const digits = start + fraction.padEnd(places, '0')
  const point = start.length + places
  return { whole: digits.slice(0, point).replace(/^0+(?=\d)/, ''), fraction: digits.slice(point) }
}

/** Rounded to so many decimals, half up, on the digits themselves. */
export function rounded (decimal: Decimal, decimals: number): string {
  const { whole, fraction } = shifted(decimal, decimals)
  const digits = String(BigInt(whole) + (fraction >= '5' ? 1n : 0n)).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return join(digits.slice(0, point), digits.slice(point))
}

/** Digits or letters in groups that are counted from their end. */
export const grouped = (text: string, separator: string, size = 3): string =>
  text.replace(new RegExp(`\\B(?=(?:\\w{${size}})+$)`, 'g'), separator)
