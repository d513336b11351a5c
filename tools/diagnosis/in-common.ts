import { fields, type SignatureRequest } from '../../src/scheme/request.js'
import { quote } from '../../src/text/characters.js'
import { fieldText } from './context.js'
import type { Failure, SharedDiagnosis } from './diagnose-all.js'
import type { Cause } from './diagnosis.js'

const properties: ReadonlyArray<readonly [form: RegExp, says: string]> = [
  [/[^\0-\x7f]/, 'has a character that is not ASCII'], [/\s/, 'has white space'], [/[A-Z]/, 'has capital letters'],
  [/[a-z]/, 'has small letters'], [/[^\w.-]/, 'has a special character'], [/\.\d*$/, 'has decimals']
]

/** A request of a file. */
interface Judged { readonly request: SignatureRequest }

/** Returns statements about a request that may separate failing requests from others, the most specific first. */
function statementsOf ({ request }: Judged): string[] {
  return fields.flatMap(field => {
    const text = fieldText(request[field])
    if (field === 'merchantToken') return []
    const states = text === '' ? ['is absent'] : ['is given', `is a ${typeof request[field]}`]
    // Random texts have common beginnings and ends by chance.
    const isRandom = field === 'sid' || field === 'clientTimeStamp'
    const ends = isRandom ? [] : [`is ${quote(text)}`, `begins with ${text.slice(0, 1)}`, `ends in ${text.slice(-1)}`]
    const has = properties.filter(([form]) => form.test(text)).map(([, says]) => says)
    return [...states, ...has, ...text === '' ? [] : ends].map(state => `${field} ${state}`)
  })
}

/** Returns a limit of an amount, a time stamp or a length that separates failing requests from others. */
function limitOf (failing: readonly Judged[], others: readonly Judged[]): string | undefined {
  const sizes = fields.flatMap((field): Array<readonly [string, (request: SignatureRequest) => number]> => {
    if (field === 'amount' || field === 'clientTimeStamp') return [[`${field} is`, request => Number(fieldText(request[field]))]]
    return field === 'merchantToken' ? [] : [[`length of ${field} is`, request => fieldText(request[field]).length]]
  })
  for (const [says, sizeOf] of sizes) {
    const sorted = (all: readonly Judged[]): number[] =>
      all.map(({ request }) => sizeOf(request)).toSorted((one, other) => one - other)
    const [bad, good] = [sorted(failing), sorted(others)]
    if (bad[0]! > good.at(-1)!) return `${says} ${bad[0]} or more`
    if (bad.at(-1)! < good[0]!) return `${says} ${bad.at(-1)} or less`
  }
}

/** Returns a statement that is true for all failing requests and for no other request. */
export function patternOf (failing: readonly Judged[], others: readonly Judged[]): string | undefined {
  if (failing.length < 2 || others.length === 0) return undefined
  const [all, rest] = [failing, others].map(requests => requests.map(request => new Set(statementsOf(request))))
  const isTelling = (statement: string): boolean =>
    all!.every(statements => statements.has(statement)) && !rest!.some(statements => statements.has(statement))
  return statementsOf(failing[0]!).find(isTelling) ?? limitOf(failing, others)
}

/** Returns the names of a cause: the hypotheses of its changes, and variants with another name of one change. */
function namesOf ({ changes }: Cause): string[] {
  const names = changes.map(({ hypothesis }) => hypothesis)
  const others = changes.flatMap(({ alsoKnownAs }, index) => alsoKnownAs.map(other => names.with(index, other)))
  return [names, ...others].map(String)
}

/**
 * Returns the causes that explain most failures. Each failure belongs to the first cause that explains it. Of causes
 * that explain equally many, the one with hypotheses of the causes before is first.
 */
export function sharedCausesOf (failures: readonly Failure[], known: readonly string[] = []): SharedDiagnosis['causes'] {
  const named = failures.flatMap(failure => failure.diagnosis.causes.flatMap(cause =>
    namesOf(cause).map(name => ({ name, cause, failure }))))
  const groups = new Map<string, Map<Failure, Cause>>()
  for (const { name, cause, failure } of named) {
    const group = groups.get(name) ?? new Map<Failure, Cause>()
    groups.set(name, group.set(failure, group.get(failure) ?? cause))
  }
  const knownIn = (name: string): number => name.split(',').filter(hypothesis => known.includes(hypothesis)).length
  const [first] = [...groups].toSorted(([name, one], [other, { size }]) =>
    size - one.size || knownIn(other) - knownIn(name))
  if (first === undefined) return []
  const [name, most] = first
  const [cause] = most.values()
  const rest = failures.filter(failure => !most.has(failure))
  return [{ cause: cause!, failures: [...most.keys()] }, ...sharedCausesOf(rest, [...known, ...name.split(',')])]
}

/**
 * Returns a sentence about a token that changed: all failing requests are before or after one time.
 *
 * @param failing - requests whose part 1 matches, and whose part 2 differs
 */
export function rotationIn (failing: readonly Judged[], others: readonly Judged[]): string[] {
  if (failing.length < 2 || others.length === 0) return []
  const timesOf = (all: readonly Judged[]): number[] =>
    all.map(({ request }) => Number(fieldText(request.clientTimeStamp))).toSorted((one, other) => one - other)
  const [bad, good] = [timesOf(failing), timesOf(others)]
  const isLater = bad[0]! > good.at(-1)!
  const date = new Date(isLater ? bad[0]! : good[0]!)
  if (Number.isNaN(date.getTime()) || (!isLater && bad.at(-1)! >= good[0]!)) return []
  const when = `${isLater ? 'before' : 'from'} clientTimeStamp ${date.getTime()}${isLater ? '' : ' on'}, ${date.toISOString()}`
  return [`Part 1 matches in all requests, and part 2 only ${when}: the token changed then. ` +
    'Supply the older and the newer token (--tokens).']
}
