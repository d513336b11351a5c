import type { TermHypothesis } from '../hypothesis.js'
import { cutOff, decimalOf, grouped, groupedByPairs, join, maxLength, rounded, shifted } from './decimal.js'
import type { Decimal } from './decimal.js'
import { inOtherDigits } from './digits.js'
import { fieldText } from './field-text.js'

const terms = ['amount'] as const

/** The texts that `write` makes of the amount, if it is one. */
const written = (write: (decimal: Decimal) => string[]) => (text: string): string[] => {
  const decimal = decimalOf(text)
  return decimal === undefined ? [] : write(decimal)
}

const currencies = [
  'EGP', 'USD', 'EUR', 'GBP', 'SAR', 'AED', 'KWD', 'QAR', 'BHD', 'OMR', 'JOD', '$', '€', '£', 'LE', 'ج.م'
]

const withCurrency = (text: string): string[] => [
  ...currencies.flatMap(currency =>
    [`${text} ${currency}`, `${text}${currency}`, `${currency} ${text}`, `${currency}${text}`]),
  ...[text.replace(/^\D+/u, '').replace(/\D+$/u, '')].filter(Boolean)
]

export const amount: readonly TermHypothesis[] = [
  {
    name: 'amount-as-number',
    terms,
    texts: written(({ whole, fraction }) => {
      const value = Number(join(whole, fraction))
      return [String(value), Number.isInteger(value) ? `${value}.0` : String(value), value.toExponential().toUpperCase()]
    }),
    says: 'it passed through a number, which drops trailing zeros',
    fix: 'Keep the amount as a string from where it is entered to where it is signed and sent.'
  },
  {
    name: 'amount-decimals',
    terms,
    texts: written(decimal => [
      ...[2, 0, 1, 3].map(decimals => rounded(decimal, decimals)),
      ...[0, 1, 2].map(decimals => cutOff(decimal, decimals))
    ]),
    says: 'it was written with a different number of decimals',
    fix: 'Format the amount once, with two decimals, and sign and send that same text.'
  },
  {
    name: 'amount-trailing-zeros',
    terms,
    texts: written(({ whole, fraction }) => [join(whole, fraction.replace(/0+$/, ''))]),
    says: 'its trailing zeros were dropped',
    fix: 'Keep the zeros: 100.50 and 100.5 are different texts.'
  },
  {
    name: 'amount-thousands-separators',
    terms,
    texts: written(({ whole, fraction }) => [
      ...[',', '.', ' ', '\u00a0', '\u202f', "'", '_'].map(separator => join(grouped(whole, separator), fraction)),
      `${grouped(whole, '.')},${fraction}`, `${grouped(whole, ' ')},${fraction}`, join(groupedByPairs(whole), fraction),
      join(whole, fraction)
    ]),
    says: 'its thousands separators were different',
    fix: 'Sign and send plain digits; separators belong on the screen only.'
  },
  {
    name: 'amount-decimal-comma',
    terms,
    texts: written(({ whole, fraction }) => fraction === '' ? [] : [`${whole},${fraction}`, `${whole}٫${fraction}`, join(whole, fraction)]),
    says: 'its decimal separator was different',
    fix: 'Use a decimal point, whatever the locale.'
  },
  {
    name: 'amount-currency',
    terms,
    texts: text => text.length > maxLength
      ? []
      : [text, ...written(decimal => [rounded(decimal, 0), join(grouped(decimal.whole, ','), decimal.fraction)])(text)]
          .flatMap(withCurrency),
    says: 'a currency was added or removed',
    fix: 'Sign and send only the number.',
    alone: 'pair'
  },
  {
    name: 'amount-minor-units',
    terms,
    texts: written(decimal => {
      const [up, down] = [shifted(decimal, 2), shifted(decimal, -2)]
      return [
        rounded(up, 0), rounded(shifted(decimal, 3), 0), rounded(up, 2), rounded(down, 2),
        join(down.whole, down.fraction.replace(/0+$/, ''))
      ]
    }),
    says: 'one side uses minor units (hundredths or thousandths)',
    fix: 'Agree on one unit: the scheme hashes the text, so both sides must sign and send the same.'
  },
  {
    name: 'amount-digits',
    terms,
    texts: text => [...inOtherDigits(text), ...written(({ whole, fraction }) =>
      inOtherDigits(join(grouped(whole, ','), fraction)))(text)],
    says: 'it was written in the digits of another script',
    fix: 'Format the amount with a fixed locale that has ASCII digits, such as en-US.'
  },
  {
    name: 'amount-leading-zeros',
    terms,
    texts: written(({ whole, fraction }) => [
      join(whole === '0' ? '' : whole, fraction), join(`0${whole}`, fraction), join(whole, fraction),
      join(whole.padStart(12, '0'), fraction), (whole + fraction).padStart(12, '0')
    ]),
    says: 'its leading zeros were different',
    fix: 'Format the amount the same way everywhere.'
  },
  {
    name: 'amount-sign',
    terms,
    texts: text => text === '' ? [] : [`-${text}`, `+${text}`, text.replace(/^[+-]/, '')],
    says: 'a plus or minus sign was added or removed',
    fix: 'Sign and send the amount without a plus or minus sign, for refunds too.'
  },
  {
    name: 'amount-not-ignored',
    terms,
    texts: (text, { request }) => text === '' ? [fieldText(request.amount), '0', '0.00', '0.0'] : [''],
    says: 'the amount was used for an operation that ignores it, or left out for one that uses it',
    fix: 'Purchases and refunds sign the amount; voids and inquiries sign an empty text.'
  }
]
