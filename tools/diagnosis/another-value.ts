import type { Explanation, Kind } from './transform.js'
import { decimalOf } from './transforms/decimal.js'

const plainAmount = /^(?:0|[1-9]\d*)(?:\.\d{1,3})?$/
const currency = /^\s*(?:[\p{L}.]{1,4}|\p{Sc})\s?(?=[\d\p{Nd}])|(?<=[\d\p{Nd}])\s?(?:[\p{L}.]{2,4}|\p{Sc})\s*$/gu

/** Returns an identifier with each run of digits replaced by 9. */
const patternOf = (text: string): string => text.replace(/\d+/g, '9')

/** True if the signed text is an ordinary value of the kind, and differs from the sent value. */
export function isAnotherValue (kind: Kind, signed: string, sent: string): boolean {
  switch (kind) {
    case 'amount': return [signed, sent].every(text => plainAmount.test(text)) && Number(signed) !== Number(sent)
    case 'timestamp': return [signed, sent].every(text => /^\d{13}$/.test(text)) && signed !== sent
    case 'account-number': return signed.length === sent.length && isAnotherValue('identifier', signed, sent)
    case 'identifier': return /\d/.test(sent) && patternOf(signed) === patternOf(sent) && !/^0|0{6}/.test(signed)
    default: return false
  }
}

/** True if a text can stand between two changes. An amount has to remain a number. */
export const isValid = (kind: Kind, text: string): boolean =>
  kind !== 'amount' || (decimalOf(text) !== undefined && !/\p{L}/u.test(text.replace(currency, '')))

/** Returns the explanation of another value, which no known mistake produces. */
export const anotherValue = (kind: Kind): Explanation => ({
  name: `${kind}-another-value`,
  kind,
  says: (signed, sent) => kind === 'timestamp' && Math.abs(Number(signed) - Number(sent)) <= 60_000
    ? 'the clock was read twice, once for the signature and once for the request'
    : 'the value was changed, calculated again, or taken from another request',
  fix: 'Sign and send the same value: take it from one place, once.'
})
