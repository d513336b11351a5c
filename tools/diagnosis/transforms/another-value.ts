import type { Kind, Transform } from '../transform.js'
import { decimalOf } from './decimal.js'

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

/** Yields the amounts up to a number of smallest units, with the decimals of an amount. Other texts yield nothing. */
const amounts = (largest: number) => function * (text: string): Generator<string> {
  const [isAmount, decimals = ''] = /^\d+(?:\.(\d{1,3}))?$/.exec(text) ?? []
  if (isAmount === undefined) return
  for (let amount = 1; amount <= largest; amount++) {
    const digits = String(amount).padStart(decimals.length + 1, '0')
    const point = digits.length - decimals.length
    yield decimals === '' ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  }
}

/** Yields the numbers around the number at the end of a text, the nearest first, with its leading zeros. */
const around = (distance: number, pattern = /^(.*?)(\d+)$/s) => function * (text: string): Generator<string> {
  const [, start = '', digits = ''] = pattern.exec(text) ?? []
  const value = Number(digits)
  if (!/^\d{1,15}$/.test(digits)) return
  for (let step = 1; step <= distance; step++) {
    yield start + String(value + step).padStart(digits.length, '0')
    if (value >= step) yield start + String(value - step).padStart(digits.length, '0')
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** Characters of ordinary values. */
const ofNumbers = '0123456789.'
const ofTexts = `0123456789-_ ${letters}${letters.toUpperCase()}`

/** Yields texts with one character replaced, removed, inserted or swapped with the next. */
const edits = (alphabet: string) => function * (text: string): Generator<string> {
  for (let at = 0; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)]
    for (const character of alphabet) {
      yield before + character + after.slice(1)
      yield before + character + after
    }
    yield before + after.slice(1)
    yield before + after.charAt(1) + after.charAt(0) + after.slice(2)
  }
}

/** Returns a text with each of its digits replaced by each other digit. */
const otherDigits = (text: string): string[] => Array.from(text, (character, at) => /\d/.test(character)
  ? [...'0123456789'].map(digit => text.slice(0, at) + digit + text.slice(at + 1))
  : []).flat()

const time = /^()(\d+)$/s
const says = (signed: string, sent: string, kind: Kind): string =>
  kind === 'timestamp' && Math.abs(Number(signed) - Number(sent)) <= 60_000
    ? 'the clock was read twice, once for the signature and once for the request'
    : 'the value was changed, calculated again, or taken from another request'
const fix = 'Sign and send the same value: take it from one place, once.'

/** Other values of a term, whatever the reason, and one wrong character. At 16 those that only a deep search tries. */
export const anotherValue: readonly Transform[] = [
  ['another-value', says, fix, { 5: otherDigits, 15: amounts(200_000), 16: amounts(100_000_000) }, ['amount']],
  ['another-value', says, fix, { 7: around(1000, time), 15: around(60_000, time), 16: around(3_600_000, time) }, ['timestamp']],
  ['another-value', says, fix, { 9: text => [...around(100)(text), ...otherDigits(text)], 15: around(25_000), 16: around(5_000_000) }, ['identifier', 'account-number']],
  ['another-value', says, fix, { 15: edits(ofNumbers) }, ['amount', 'timestamp', 'account-number']],
  ['another-value', says, fix, { 15: edits(ofTexts) }, ['sid', 'identifier']]
]
