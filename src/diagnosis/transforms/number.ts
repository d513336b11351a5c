import type { Kind, Transform } from '../transform.js'
import { cutOff, decimalOf, grouped, groupedByPairs, join, rounded, shifted } from './decimal.js'
import type { Decimal } from './decimal.js'
import { inOtherDigits } from './digits.js'

const numbers: readonly Kind[] = ['amount', 'time', 'account', 'identifier']
const amounts: readonly Kind[] = ['amount']

/** The texts that `write` makes of a number, if it is one. */
const written = (write: (decimal: Decimal, value: number) => string[]) => (text: string): string[] => {
  const decimal = decimalOf(text)
  return decimal === undefined ? [] : write(decimal, Number(join(decimal.whole, decimal.fraction)))
}

/** The number so many steps of a double away. */
function neighbour (value: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps))
  return view.getFloat64(0)
}

/** 1.5e+3 as languages have it. */
const exponents = (text: string): string[] => {
  const [mantissa = '', power = ''] = text.split('e')
  const digits = power.slice(1)
  return ['e+', 'E+', 'E', 'e'].flatMap(e => [1, 2, 3].map(width => mantissa + e + digits.padStart(width, '0')))
}

const currencies = ['EGP', 'USD', 'EUR', 'GBP', 'SAR', 'AED', 'KWD', 'QAR', 'BHD', 'OMR', 'JOD', '$', '€', '£', 'LE', 'ج.م']

const shifts = (decimal: Decimal, places: number): string[] => {
  const { whole, fraction } = shifted(decimal, places)
  return [
    rounded({ whole, fraction }, 0), whole, rounded({ whole, fraction }, 2), join(whole, fraction), join(whole, fraction.replace(/0+$/, ''))
  ]
}

const unitFix = 'Agree on one unit: the text is hashed, so both sides must sign and send the same. Amounts have two decimals, ' +
  'and time stamps are in epoch milliseconds, 13 digits.'

/** How a number is written, and what becomes of it in a number type. */
export const number: readonly Transform[] = [
  {
    name: 'decimals',
    cost: 3,
    kinds: amounts,
    texts: written(decimal => [
      ...[2, 0, 1, 3, 4].map(decimals => rounded(decimal, decimals)),
      ...[0, 1, 2].map(decimals => cutOff(decimal, decimals))
    ]),
    says: 'it was written with a different number of decimals',
    fix: 'Format the amount once, with two decimals, and sign and send that same text.'
  },
  {
    name: 'decimals',
    cost: 7,
    kinds: amounts,
    texts: written((decimal, value) => [
      ...[5, 6, 7, 8].map(decimals => rounded(decimal, decimals)), String(Math.ceil(value)),
      ...[10, 100].map(unit => (Math.ceil(value * unit) / unit).toFixed(2))
    ]),
    says: 'it was written with a different number of decimals, or rounded up',
    fix: 'Format the amount once, with two decimals, and sign and send that same text.'
  },
  {
    name: 'as-number',
    cost: 3,
    kinds: numbers,
    texts: written((_decimal, value) => [String(value), Number.isInteger(value) ? `${value}.0` : String(value)]),
    says: 'it passed through a number, which drops zeros or adds .0',
    fix: 'Keep it as text from where it is entered to where it is signed and sent.'
  },
  {
    name: 'decimal-comma',
    cost: 3,
    kinds: ['amount', 'time'],
    texts: written(({ whole, fraction }) => fraction === ''
      ? []
      : [join(whole, fraction), ...[',', '٫', '-', ':', '·', "'", ' '].map(separator => whole + separator + fraction)]),
    says: 'its decimal separator was different',
    fix: 'Use a decimal point, whatever the locale.'
  },
  {
    name: 'thousands-separators',
    cost: 3,
    kinds: numbers,
    texts: written(({ whole, fraction }) => {
      const groups = [',', '.', ' ', '\u00a0', '\u202f', "'", '’', '_'].map(separator => grouped(whole, separator))
      const others = [...groups, groupedByPairs(whole)].filter(group => group !== whole)
      return [join(whole, fraction), ...others.flatMap(group =>
        [join(group, fraction), fraction === '' ? group : `${group},${fraction}`])]
    }),
    says: 'its thousands separators were different',
    fix: 'Sign and send plain digits; separators belong on the screen only.'
  },
  {
    name: 'currency',
    cost: 6,
    kinds: amounts,
    texts: text => [
      ...currencies.flatMap(currency => [`${text} ${currency}`, `${text}${currency}`, `${currency} ${text}`, `${currency}${text}`]),
      text.replace(/^\D+/u, '').replace(/\D+$/u, '')
    ],
    says: 'a currency was added or removed',
    fix: 'Sign and send only the number.'
  },
  {
    name: 'minor-units',
    cost: 5,
    kinds: amounts,
    texts: written((decimal, value) =>
      [...[2, 3, -2].flatMap(places => shifts(decimal, places)), String(Math.floor(value * 100))]),
    says: 'one side uses minor units (hundredths or thousandths)',
    fix: unitFix
  },
  {
    name: 'unit',
    cost: 3,
    kinds: ['time'],
    texts: written(decimal => [...[-3, 3, 6, -6].flatMap(places => shifts(decimal, places)), `${rounded(shifted(decimal, -3), 0)}000`, `${shifted(decimal, -3).whole}000`]),
    says: 'it was in a different unit: 10 digits are seconds, 13 milliseconds, 16 microseconds',
    fix: unitFix
  },
  {
    name: 'unit',
    cost: 7,
    kinds: ['amount', 'time'],
    texts: written(decimal => [-4, -1, 1, 4, 5, 9].flatMap(places => shifts(decimal, places))),
    says: 'it was multiplied or divided by a power of ten',
    fix: unitFix
  },
  {
    name: 'digits',
    cost: 5,
    kinds: numbers,
    texts: text => [...inOtherDigits(text), ...written(({ whole, fraction }) => inOtherDigits(join(grouped(whole, ','), fraction)))(text)],
    says: 'it was written in the digits of another script',
    fix: 'Format numbers with a fixed locale that has ASCII digits, such as en-US.'
  },
  {
    name: 'sign',
    cost: 5,
    kinds: amounts,
    texts: text => text === '' ? [] : [`-${text}`, `+${text}`, `${text}-`, `(${text})`, text.replace(/^[+-]/, '')],
    says: 'a plus or minus sign was added or removed',
    fix: 'Sign and send the amount without a plus or minus sign, for refunds too.'
  },
  {
    name: 'number-format',
    cost: 5,
    kinds: numbers,
    texts: written((_decimal, value) => exponents(value.toExponential())),
    says: 'it was formatted as a language formats a floating-point number',
    fix: 'Keep it as text, or format it with digits only.'
  },
  {
    name: 'floating-point',
    cost: 6,
    kinds: amounts,
    texts: written((_decimal, value) => [
      ...[-1, 1, -2, 2, -3, 3, -4, 4].map(steps => neighbour(value, steps)),
      Math.fround(value), value * 100, value / 100
    ].map(String)),
    says: 'it was calculated with in a floating-point number, which is not exact',
    fix: 'Calculate amounts in integers or decimals, and keep them as text.'
  },
  {
    name: 'floating-point',
    cost: 7,
    kinds: numbers,
    texts: written((_decimal, value) => [
      ...[6, 7, 8, 9, 14, 15].flatMap(digits => {
        const short = Number(value.toPrecision(digits))
        return [String(short), ...exponents(short.toExponential())]
      }),
      ...[2, 6].flatMap(digits => exponents(value.toExponential(digits)))
    ]),
    says: 'it passed through a number that holds, or shows, fewer digits',
    fix: 'Keep it as text.'
  },
  {
    name: 'integer',
    cost: 7,
    kinds: numbers,
    texts: written(({ whole }) => {
      const integer = BigInt(whole)
      return [
        ...[32, 31].flatMap(bits => [BigInt.asIntN(bits, integer), BigInt.asUintN(bits, integer)]).map(String),
        ...[16, 36, 8, 2].flatMap(radix => [integer.toString(radix), integer.toString(radix).toUpperCase()]), `0x${integer.toString(16)}`
      ]
    }),
    says: 'it passed through an integer of 32 bits, or was written in another base',
    fix: 'Keep it as text, or in an integer of 64 bits, and write it in decimal digits.'
  }
]
