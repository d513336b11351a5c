import type { Kind } from '../context.js'
import type { Mistake } from './mistake.js'

/** Digits of a non-negative number, without leading zeros and with all decimals. */
interface Decimal { readonly whole: string, readonly fraction: string }

/** Digits of scripts that people type into forms: Arabic-Indic, Persian, fullwidth, Devanagari. */
const scripts = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '０１２３４５６７８９', '०१२३४५६७८९']
const otherDigits = scripts.join('')
const otherDigit = new RegExp(`[${otherDigits}]`, 'g')

/** Returns a text with other digits and Arabic separators replaced by ASCII. */
const toAsciiDigits = (text: string): string =>
  text.replace(otherDigit, digit => String(otherDigits.indexOf(digit) % 10)).replaceAll('٫', '.').replaceAll('٬', ',')

/** Returns a text with its ASCII digits in each of the other scripts. */
function inOtherDigits (text: string): string[] {
  const [arabic = '', ...others] = scripts.map(digits => text.replace(/\d/g, digit => digits.charAt(Number(digit))))
  return [arabic, ...others, arabic.replaceAll(',', '٬').replace('.', '٫')]
}

/** Returns the number in a text. It may have other digits, a currency, thousands separators or a comma, but no sign. */
export function decimalOf (text: string): Decimal | undefined {
  if (text.length > 40 || /^[+-]|\d[-/:]\d/.test(text)) return undefined // long texts take long to rewrite
  const plain = toAsciiDigits(text).replace(/[^0-9.,]/g, '')
  const [, whole, fraction = ''] = /^(\d*|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)(?:[.,](\d*))?$/.exec(plain) ?? []
  if (whole === undefined || whole + fraction === '') return undefined
  return { whole: whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '') || '0', fraction }
}

const join = (whole: string, fraction: string, separator = '.'): string =>
  fraction === '' ? whole : whole + separator + fraction

/** Returns a number with the decimal point moved to the right. */
function shifted ({ whole, fraction }: Decimal, places: number): Decimal {
  const start = whole.padStart(1 - places, '0')
  const digits = start + fraction.padEnd(places, '0')
  const point = start.length + places
  return { whole: digits.slice(0, point).replace(/^0+(?=\d)/, ''), fraction: digits.slice(point) }
}

/** Returns a number rounded half up, without floating-point arithmetic. */
function rounded (decimal: Decimal, decimals: number): string {
  const { whole, fraction } = shifted(decimal, decimals)
  const digits = String(BigInt(whole) + (fraction >= '5' ? 1n : 0n)).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return join(digits.slice(0, point), digits.slice(point))
}

/** Returns a number rounded half down, as half even and binary fractions do for some. */
const halfDown = (number: Decimal, decimals: number): string =>
  rounded({ ...number, fraction: number.fraction.replace(/50*$/, '4') }, decimals)

const cut = ({ whole, fraction }: Decimal, decimals: number): string => join(whole, fraction.slice(0, decimals))

/** Returns digits in groups of three, counted from the end. */
const grouped = (digits: string, separator: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, separator)

/** Returns a function that applies `write` to a text that is a number without letters. Other texts yield nothing. */
const written = (
  write: (number: Decimal, value: number) => ReadonlyArray<string | number | bigint>
) => (text: string): string[] => {
  const decimal = /\p{L}/u.test(text) ? undefined : decimalOf(text)
  return decimal === undefined ? [] : write(decimal, Number(join(decimal.whole, decimal.fraction))).map(String)
}

/** Returns the distance from a double to the next larger one. The next smaller double can be twice as near. */
const stepAt = (value: number): number => 2 ** (Math.floor(Math.log2(value)) - 52)

/** Returns a number in scientific notation, such as 1.5e+3, in the forms of several languages. */
function exponents (value: number, decimals?: number): string[] {
  const [mantissa = '', sign = '', power = ''] = value.toExponential(decimals).split(/e([+-])/)
  const ruby = `0.${mantissa.replace('.', '')}e${Number(sign + power) + 1}`
  return [ruby, ...['e', 'E'].flatMap(e => [sign, sign.replace('+', '')].flatMap(sign =>
    [1, 2, 3].map(width => mantissa + e + sign + power.padStart(width, '0'))))]
}

/** Returns a floating-point number as programs print it: with up to all of its digits, with an exponent, in base 16. */
function renderings (value: number): string[] {
  const digits = [...Array(21).keys()]
  const plain = [...digits, 25, 30, 40, 50, 60]
    .flatMap(length => [value.toFixed(length), value.toPrecision(length + 1)]).flatMap(text => [text, text.includes('.') ? text.replace(/\.?0+(?=$|e)/, '') : text])
  const rounded = digits.slice(0, 17).flatMap(decimals =>
    [...exponents(value, decimals), ...exponents(Number(value.toPrecision(decimals + 1)))])
  const power = Math.floor(Math.log2(value))
  const [whole, decimals = ''] = (value / 2 ** power).toString(16).split('.')
  const hexadecimal = [decimals, decimals.padEnd(13, '0')].flatMap(decimals =>
    ['', '+', '+0'].map(sign => `0x${whole}.${decimals}p${sign}${power}`))
  return [...plain, ...plain.map(text => text.replace('.', ',')), ...rounded, ...hexadecimal, value.toString(16)]
}

/** Sizes of integer types in bits: 24 in MySQL, 53 in JavaScript. */
const sizes = [8, 16, 24, 32, 53, 64]

/** Returns what integer types make of a number that is too large: its lowest bits, or their limits. */
const inIntegers = (integer: bigint): bigint[] => sizes.flatMap(bits => {
  const half = 1n << BigInt(bits - 1)
  const limits = [half - 1n, -half, ...integer < 2n * half ? [] : [2n * half - 1n]]
  return integer < half ? [] : [BigInt.asIntN(bits, integer), BigInt.asUintN(bits, integer), ...limits]
})

/** Returns a number in other units: multiplied by powers of ten. */
const shifts = (decimal: Decimal, powers: readonly number[]): string[] => powers.flatMap(places => {
  const { whole, fraction } = shifted(decimal, places)
  const fractions = ['', fraction, fraction.replace(/0+$/, '')].map(fraction => join(whole, fraction))
  return [...fractions, ...[0, 2].map(decimals => rounded({ whole, fraction }, decimals))]
})

/** A currency at either end. The length is limited because any text may be matched. */
const currencyMark = /^[\p{L}\p{Sc}][\p{L}\p{Sc}.]{0,9} ?| ?[\p{L}\p{Sc}][\p{L}\p{Sc}.]{0,9}$/gu
const currencies = 'EGP USD EUR GBP SAR AED KWD QAR BHD OMR JOD $ € £ LE ج.م'.split(' ')
/** Currencies in HTML, as shop systems print them: the dollar, the euro, the pound, the riyal, the dirham. */
const currenciesOfPages =
  '&#36; &dollar; &euro; &#8364; &#x20ac; &pound; &#163; &#xa3; &#xA3; &yen; &#x631;.&#x633; &#x62f;.&#x625;'.split(' ')

/** Returns an amount with a currency at either end, in HTML without tags. */
const onPages = written(({ whole, fraction }) => [
  join(whole, fraction), join(grouped(whole, ','), fraction), join(grouped(whole, '.'), fraction, ',')
].flatMap(price => [...currencies, ...currenciesOfPages].flatMap(currency =>
  ['&nbsp;', '&#160;', ...currency.startsWith('&') ? ['', ' '] : []].flatMap(space =>
    [price + space + currency, currency + space + price]))))

/** Returns a text with each ending of so many digits. */
export const withEndings = (text: string, digits: number): string[] =>
  Array.from({ length: 10 ** digits }, (_, ending) => text + String(ending).padStart(digits, '0'))

/** Returns a whole number of `length` digits with the three digits that a coarser unit has lost. */
const withThreeDigits = (text: string, length: number): string[] =>
  text.length === length && /^\d+$/.test(text) ? withEndings(text, 3) : []

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Returns a text as a spreadsheet shows it: a number of few digits, or a date, such as 12-Mar for MAR-12. */
function inSpreadsheets (text: string): string[] {
  const [, digits = '', more = ''] = /^(\d{1,15})(\d*)(?:E\d{1,2})?$/i.exec(text) ?? []
  const [, one = '', other = ''] = /^(\d{1,2}|[a-z]{3,9})[-/ ]?(\d{1,2})$/i.exec(text) ?? []
  const dates = [[one, other], [other, one]].flatMap(([month = '', day = '']) => {
    const name = months.find((name, at) => month.toLowerCase().startsWith(name) || Number(month) === at + 1)
      ?.replace(/^./, letter => letter.toUpperCase())
    return name === undefined ? [] : [`${Number(day)}-${name}`, `${name}-${day}`]
  })
  const short = digits === '' ? [] : [2, 5].map(decimals => Number(text).toExponential(decimals).toUpperCase())
  return [
    ...short.flatMap(number => [number, number.replace(/\.?0*E/, 'E')]).map(number => number.replace(/\+(?=\d$)/, '+0')),
    ...digits === '' ? [] : [String(Number(text))], ...more === '' ? [] : [digits + '0'.repeat(more.length)], ...dates
  ]
}

export const unitFix = 'Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts ' +
  'have two decimals, and time stamps are in epoch milliseconds, 13 digits.'

const inNumbers: readonly Kind[] = ['amount', 'timestamp', 'account-number', 'identifier']

/** Formats of numbers, and conversions to number types. */
export const numbers: readonly Mistake[] = [
  ['decimals', 'its decimals were different',
    'Format the amount once, with two decimals, and sign and send that same text.', {
      3: written(number => [
        ...[2, 0, 1, 3, 4].map(decimals => rounded(number, decimals)),
        ...[0, 1, 2].map(decimals => cut(number, decimals))
      ]),
      // One step of rounding, and more decimals in the text.
      5: written(number => [0, 1, 2].flatMap(decimals => [rounded, cut, halfDown].flatMap(round =>
        [0, 1, 2, 3].map(more => rounded(decimalOf(round(number, decimals))!, more))))),
      4: written(number => Array.from({ length: 7 }, (_, more) => rounded(number, 5 + more))),
      7: written((number, value) => [
        ...Array.from({ length: 6 }, (_, more) => rounded(number, 12 + more)), Math.ceil(value),
        ...[10, 100].map(unit => (Math.ceil(value * unit) / unit).toFixed(2))
      ])
    }, ['amount']],
  ['as-number', 'it was converted to a number, which drops zeros or adds .0',
    'Keep it as text from where it is entered to where it is signed and sent.',
    { 3: written((_number, value) => [value, String(value).replace(/^\d+$/, '$&.0')]) }, inNumbers],
  ['separators', 'its decimal or thousands separators were different',
    'Sign and send plain digits with a decimal point, whatever the locale; separators belong on the screen only.', {
      2: text => [text.replace(/(?<=\d)[, \u00a0\u202f'’_](?=\d{3}(?!\d))/g, '')],
      3: written(({ whole, fraction }) => [
        ...[...'.,٫-:·\' '].map(point => join(whole, fraction, point)),
        ...[...',. \u00a0\u202f\'’_'].map(separator => grouped(whole, separator))
          .filter(groups => groups !== whole).flatMap(groups => [join(groups, fraction), join(groups, fraction, ',')])
      ])
    }, inNumbers],
  ['currency', 'a currency was added or removed', 'Sign and send only the number, not its text for a page.', {
    2: text => /\p{Nd}/u.test(text) ? [text.replace(currencyMark, '')] : [],
    6: text => currencies.flatMap(currency =>
      ['', ' '].flatMap(space => [text + space + currency, currency + space + text])),
    8: onPages
  }, ['amount']],
  ['minor-units', 'one side uses minor units (hundredths or thousandths)', unitFix,
    { 5: written((number, value) => [...shifts(number, [2, 3, -2]), Math.floor(value * 100)]) }, ['amount']],
  ['unit', 'it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds', unitFix, {
    3: written(number => [
      ...shifts(number, [-3, 3, 6, -6]), ...shifts(number, [-3]).map(seconds => `${seconds}000`)
    ]),
    5: text => withThreeDigits(text, 10),
    9: text => withThreeDigits(text, 13)
  }, ['timestamp']],
  ['digits', 'it was written in the digits of another script',
    'Format numbers with a fixed locale that has ASCII digits, such as en-US.', {
      2: text => [toAsciiDigits(text)],
      5: text => [text, ...written(({ whole, fraction }) => [join(grouped(whole, ','), fraction)])(text)]
        .flatMap(inOtherDigits)
    }, inNumbers],
  ['sign', 'a plus or minus sign was added or removed',
    'Sign and send the amount without a plus or minus sign, for refunds too.', {
      2: text => [text.replace(/^[+-](?=[\d.])/, '')],
      5: text => [`-${text}`, `+${text}`, `${text}-`, `(${text})`]
    }, ['amount']],
  ['number-format', 'it was formatted as a language formats a floating-point number',
    'Keep it as text, or format it with digits only.',
    { 5: written((_number, value) => exponents(value)) }, inNumbers],
  ['spreadsheet', 'a spreadsheet read it as a number or a date, of which it keeps 15 digits and shows fewer',
    'Format the column as text before it is filled or opened, or leave the spreadsheet out.',
    { 6: inSpreadsheets }, inNumbers],
  ['floating-point', 'it was converted to a floating-point number, which is not exact and has few digits',
    'Keep it as text, and calculate amounts in integers or decimals.', {
      6: written((_number, value) => [
        ...[-0.5, -1, 1, -1.5, -2, 2, -3, 3, -4, 4].map(steps => value + steps * stepAt(value)),
        Math.fround(value), value * 100, value / 100
      ]),
      9: written((_number, value) => value === 0 ? [] : [value, Math.fround(value)].flatMap(renderings))
    }, inNumbers],
  ['integer', 'it was converted to an integer type that is too small, or written in another base',
    'Keep it as text, or in a 64-bit integer, and write it in decimal digits.', {
      7: text => written(({ whole, fraction }, value) => {
        const integer = BigInt(whole)
        const octal = /^0[0-7]+$/.test(text) ? [Number.parseInt(text, 8)] : []
        const integers = [integer, integer / 1000n * 1000n, BigInt(whole + fraction), BigInt(Math.trunc(value))]
        // A DECIMAL column that is too short keeps its highest value.
        const nines = Array.from(whole.slice(1), (_, length) => join('9'.repeat(length + 1), '9'.repeat(fraction.length)))
        const bases = [2, 8, 16, 36].map(base => integer.toString(base))
        return [...octal, ...integers.flatMap(inIntegers), ...nines, ...bases, `0x${integer.toString(16)}`]
      })(text)
    }, inNumbers]
]
