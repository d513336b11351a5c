import { anotherValue } from './another-value.js'
import { kinds, type TermName } from './context.js'
import type { Alternative } from './alternatives.js'
import type { Match, Search, Start } from './search.js'
import type { Kind } from './transform.js'

/** Cost of a recovered value: higher than the cost of any mistake. */
const cost = 15

/** Largest amount in its smallest unit; largest difference of time stamps in milliseconds, and of numbers in IDs. */
const usual = { amount: 200_000, time: 60_000, number: 25_000 }
const deep = { amount: 100_000_000, time: 3_600_000, number: 5_000_000 }

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** Characters of ordinary values, for edits. */
const alphabetOf = (kind: Kind): string =>
  kind === 'sid' || kind === 'identifier' ? `0123456789-_ ${letters}${letters.toUpperCase()}` : '0123456789.'

/** Yields the numbers around a number with its leading zeros, the nearest first. Yields nothing for other texts. */
function * around (digits: string, distance: number): Generator<string> {
  const value = Number(digits)
  if (!/^\d{1,15}$/.test(digits)) return
  for (let step = 1; step <= distance; step++) {
    yield String(value + step).padStart(digits.length, '0')
    if (value >= step) yield String(value - step).padStart(digits.length, '0')
  }
}

/** Yields texts with one character replaced, removed, inserted or swapped with the next. */
function * edits (text: string, alphabet: string): Generator<string> {
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

/** Yields ordinary other values of a term. */
function * valuesOf (kind: Kind, text: string, reach: typeof usual): Generator<string> {
  if (kind === 'amount') {
    const [isAmount, decimals = ''] = /^\d+(?:\.(\d{1,3}))?$/.exec(text) ?? []
    if (isAmount === undefined) return
    for (let amount = 1; amount <= reach.amount; amount++) {
      const digits = String(amount).padStart(decimals.length + 1, '0')
      const point = digits.length - decimals.length
      yield decimals === '' ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
    }
  } else if (kind === 'timestamp') {
    yield * around(text, reach.time)
  } else if (kind === 'identifier' || kind === 'account-number') {
    for (let at = 0; at < text.length; at++) {
      if (/\d/.test(text[at]!)) for (const digit of '0123456789') yield text.slice(0, at) + digit + text.slice(at + 1)
    }
    const [, start = '', number = ''] = /^(.*?)(\d+)$/s.exec(text) ?? []
    for (const other of around(number, reach.number)) yield start + other
  }
}

/** Yields the texts of all pieces with one other value. */
function * candidatesOf (
  texts: readonly string[], kinds: readonly Kind[], reach: typeof usual
): Generator<readonly string[]> {
  const open = [...texts.keys()].filter(index => kinds[index] !== 'token')
  for (const index of open) {
    for (const value of valuesOf(kinds[index]!, texts[index]!, reach)) yield texts.with(index, value)
  }
  for (const index of open) {
    for (const edited of edits(texts[index]!, alphabetOf(kinds[index]!))) yield texts.with(index, edited)
  }
}

/**
 * Searches for one other value of a term, regardless of its reason, or one wrong character.
 *
 * @param starts - with the text of each term, the most likely first
 * @param share - share of the limit of texts that may be used
 */
export function recover (
  search: Search, starts: readonly Start[], digests: readonly string[], isDeep: boolean, share: number
): Match[] {
  for (const start of starts) {
    const { before, after, digest } = start.computation
    const base = start.pieces.map(({ at }) => at(0)[0]!)
    const texts = base.map(({ text }) => text)
    const kindsOf = start.pieces.map(({ is }) => kinds[is as TermName])
    for (const others of candidatesOf(texts, kindsOf, isDeep && starts[0] === start ? deep : usual)) {
      const text = before + others.join('') + after
      if (!search.count(share, text)) return []
      if (!digests.includes(digest(text)) || others.every((other, index) => other === texts[index])) continue
      const chosen = base.map((right, index): Alternative => others[index] === right.text
        ? right
        : { ...right, text: others[index]!, cost, from: right, reason: anotherValue(kindsOf[index]!), changes: 1 })
      return [{ start, chosen, text, digest: digest(text), cost }]
    }
  }
  return []
}
