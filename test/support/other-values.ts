/* eslint-disable max-len -- tables */
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import type { Diagnosis } from '../../tools/diagnosis/diagnosis.js'
import { numbers } from './diagnosed.js'
import { requests, signatureOf, textsOf, type Attempt, type Texts } from './wrong-signatures.js'

/** A request with a signature of other ordinary values. */
interface OtherValues {
  /** The terms that differ. */
  readonly differing: ReadonlyArray<keyof Texts>
  readonly attempt: Attempt
  readonly signed: Texts
  readonly sent: Texts
}

const random = numbers()
const below = (limit: number): number => Math.floor(random.next().value as number * limit)
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('')
const hex = (count: number): string => Array.from({ length: count }, () => below(16).toString(16)).join('')
const otherDigit = (text: string): string => {
  const index = below(text.length - 1) + 1
  return text.slice(0, index) + (Number(text[index]) + 1 + below(9)) % 10 + text.slice(index + 1)
}
const amountOf = (cents: number): string => (cents / 100).toFixed(2)

/** Functions that return an ordinary value of a term, and another ordinary value. */
const values: Readonly<Record<'amount' | 'order' | 'account' | 'sid' | 'time' | 'token', readonly [make: () => string, other: (text: string) => string]>> = {
  amount: [
    () => amountOf(pick([() => 100 + 100 * below(500), () => 50 * (1 + below(600)), () => 99 + 100 * below(300), () => 1 + below(200_000)])()),
    text => {
      const cents = Math.round(Number(text) * 100)
      return amountOf(pick([
        () => cents + 100 * (1 + below(50)), () => Math.round(cents * pick([1.05, 1.14, 1.2, 0.9, 0.8, 0.5, 2, 3])), () => 1 + below(200_000), () => cents + 1 + below(99)
      ])())
    }
  ],
  order: [
    () => pick([() => String(1 + below(200)), () => String(1000 + below(900_000)), () => `ORD-${1000 + below(9000)}`, () => `2024-${digits(6)}`])(),
    text => text.replace(/\d+$/, number => pick([() => String(Number(number) + 1 + below(20)).padStart(number.length, '0'), () => String(1 + below(10 ** number.length)).padStart(number.length, '0')])())
  ],
  account: [() => pick([() => `1${digits(5)}`, () => `4${digits(9)}`])(), text => pick([otherDigit, text => `1${digits(text.length - 1)}`])(text)],
  sid: [() => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`, () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`],
  time: [() => String(1709912345678 + below(30_000_000_000)), text => String(Number(text) + pick([() => 1 + below(3000), () => below(600_000) - 300_000, () => below(30_000_000)])())],
  token: [() => pick([() => hex(32), () => `sk_live_${hex(16)}`])(), () => pick([() => hex(32), () => `sk_live_${hex(16)}`])()]
}
type Name = keyof typeof values
const names = Object.keys(values) as Name[]

function make (differing: readonly Name[]): OtherValues {
  const own = Object.fromEntries(names.map(name => [name, values[name][0]()])) as Record<Name, string>
  const request = {
    ...requests.purchase, amount: own.amount, orderId: own.order, merchantAccountNumber: own.account, sid: own.sid, clientTimeStamp: Number(own.time)
  }
  const sent = textsOf('purchase', request, own.token)
  const signed = { ...sent }
  for (const name of differing) while (signed[name] === sent[name]) signed[name] = values[name][1](own[name])
  return { differing, sent, signed, attempt: { signature: signatureOf(signed), request, options: { variant: 'A', merchantToken: own.token } } }
}

/** Returns requests with one other value. */
export const neighbours = (count: number): OtherValues[] =>
  Array.from({ length: count }, () => make([pick<Name>(['amount', 'amount', 'amount', 'amount', 'order', 'order', 'account', 'sid', 'time', 'time', 'token'])]))

/** Returns requests with two to six other values. */
export const unrelated = (count: number): OtherValues[] =>
  Array.from({ length: count }, () => make(names.filter(name => below(2) === 0 || name === 'sid').concat('time').filter((name, index, all) => all.indexOf(name) === index)))

const kinds: Partial<Record<keyof Texts, string>> = { amount: 'amount', order: 'identifier', account: 'account-number', sid: 'sid', time: 'timestamp', token: 'token' }

/** Judges a diagnosis of other values: `isFalse` if it names a mistake, `isFact` if it also names no interpretation. */
export function judge ({ differing, signed, sent }: OtherValues, { causes, hints }: Diagnosis) {
  const changes = causes[0]?.changes ?? []
  const isUnit = (name: keyof Texts): boolean => [100, 1000].some(unit =>
    [Number(signed[name]) / Number(sent[name]), Number(sent[name]) / Number(signed[name])].some(ratio => Math.abs(ratio - unit) < 1e-9))
  const isFalse = changes.some(({ hypothesis }) => !differing.some(name =>
    hypothesis === `${kinds[name]}-another-value` || hypothesis === 'timestamp-taken-twice' || (isUnit(name) && /unit/.test(hypothesis))))
  const isWrongHint = !differing.includes('token') && hints.some(hint => /token of another environment/.test(hint))
  return { isFalse, isFact: isFalse && changes.some(change => (change as { interpretation?: string }).interpretation === ''), isWrongHint, isFound: !isFalse && changes.length === differing.length }
}

export const diagnosed = (values: OtherValues): ReturnType<typeof judge> & { diagnosis: Diagnosis } => {
  const { signature, request, options } = values.attempt
  const diagnosis = diagnose(signature, request, options)
  return { ...judge(values, diagnosis), diagnosis }
}
