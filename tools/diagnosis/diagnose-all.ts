import type { SignatureRequest } from '../../src/scheme/request.js'
import { quote } from '../explain/characters.js'
import { digestOf } from './bytes.js'
import {
  contextOf, fieldText, knownFields, namesIn, textsOf, type Context, type Part, type TermName
} from './context.js'
import { diagnoseInFile, judge, usualTries } from './diagnose.js'
import { change, type Change, type DiagnoseOptions, type Diagnosis } from './diagnosis.js'
import { differencesOf } from './other-request.js'
import { patternOf } from './pattern.js'

/** A request with the signatures that were logged for it. */
interface Signed {
  readonly request: SignatureRequest
  readonly signatures: readonly string[]
  /** The request of the same payment that the payment side received. */
  readonly otherRequest?: Readonly<Record<string, unknown>>
}

/** A request with a wrong signature, or one that was sent with other values. */
interface Failure {
  /** The fields of the request, without its token. */
  readonly request: SignatureRequest
  readonly diagnosis: Diagnosis
}

export interface SharedDiagnosis {
  /** Number of requests. */
  readonly total: number
  readonly failing: number
  /** Changes that all requests show, without a search: one signature or one time stamp for all of them. */
  readonly changes: readonly Change[]
  /** Statement that is true for all failing requests and for no other request, such as `amount ends in 0`. */
  readonly pattern: string | undefined
  /** Failures by their mistake, the mistake of most first. Without changes, nothing was found. */
  readonly groups: ReadonlyArray<{ readonly changes: readonly Change[], readonly failures: readonly Failure[] }>
  /** Warnings and next steps if all match. */
  readonly hints: readonly string[]
  /** Number of failing requests that were not searched. */
  readonly unsearched: number
  readonly tries: number
}

/** Limits of the requests that are searched, of the texts for all of them, and of the texts for each after that. */
const maxSearched = 50
const maxTriesOfAll = 3_900_000
const minTries = 20_000
/** Limit of the requests before and after one whose values it may have. */
const maxNearby = 25

/** Returns the right signature of a request, without a token only its part 1 and ///; empty if a value has no text. */
function rightOf (request: SignatureRequest, { variant, merchantToken = '' }: DiagnoseOptions): string {
  const context = contextOf(variant, request, merchantToken)
  if (context === undefined) return ''
  const [part1, part2] = textsOf(context).map(text => digestOf('sha256', text))
  return `${part1}///${context.terms.merchantToken === '' ? '' : part2}`
}

/** Returns the first wrong signature; undefined if all signatures match. Without a token, only part 1 is compared. */
export function wrongOf ({ request, signatures }: Signed, options: DiagnoseOptions): string | undefined {
  const right = rightOf(request, options)
  const isRight = (signature: string): boolean => right.endsWith('///') ? signature.startsWith(right) : signature === right
  return signatures.find(signature => right === '' || !isRight(signature))
}

/** Returns what is the same in different requests, where it must differ. */
function repeatedIn (signed: readonly Signed[]): Change[] {
  const [all, count] = [`all ${signed.length} requests have the same`, (values: unknown[]) => new Set(values).size]
  const requests = count(signed.map(({ request }) => JSON.stringify(knownFields({ ...request }))))
  if (signed.length < 2 || requests < signed.length) return []
  if (count(signed.flatMap(({ signatures }) => signatures)) === 1) {
    return [change('one-signature', `${all.replace('a', 'A')} signature, which no signer makes for different requests.`,
      'Request a signature for each payment: it is cached, or was made only once.')]
  }
  return count(signed.map(({ request }) => JSON.stringify(request.clientTimeStamp))) === 1
    ? [change('one-time-stamp', `${all.replace('a', 'A')} clientTimeStamp.`,
        'Take the time stamp anew for each payment.')]
    : []
}

/** Returns the terms of a part that are another request's: none if the part is right, undefined if it is neither. */
function takenFrom (other: Context, own: Context, part: Part, digest?: string): readonly TermName[] | undefined {
  const names = namesIn(part, own)
  const differing = names.filter(name => own.terms[name] !== other.terms[name])
  return Array.from({ length: 2 ** differing.length }, (_, bits) => differing.filter((_name, at) => bits & 1 << at))
    .find(taken => digest === digestOf('sha256',
      names.map(name => (taken.includes(name) ? other : own).terms[name]).join('')))
}

/** Returns the change of a signature with two or more values of another request, such as all of part 2. */
function sharedWith (others: readonly Context[], own: Context, signature: string): Change[] {
  const digests = signature.split('///')
  for (const other of others) {
    const taken = (['part1', 'part2'] as const).map((part, index) => takenFrom(other, own, part, digests[index]))
    if (taken.includes(undefined) || taken.flat().length < 2) continue
    const findings = taken.flatMap((names = [], index) => names.length === 0
      ? []
      : [`part ${index + 1} has ${names.map(name => own.subjects[name].replace('The', 'the')).join(', ')}`])
    return [change('shared-variable',
      `${findings.join('; ').replace('p', 'P')} of another request in the file, sid ${quote(other.terms.sid)}.`,
      'Keep the values of each request in local variables, not in static, global or shared ones.',
      'Perhaps a variable is shared by requests that are signed at the same time.')]
  }
  return []
}

/** Returns the names of the mistakes in a diagnosis. */
const mistakesIn = ({ causes: [cause] }: Diagnosis): string[] =>
  (cause?.changes ?? []).map(({ hypothesis }) => hypothesis)

/** Returns the diagnosis of a request whose mistake needs no search. */
const foundWith = (changes: readonly Change[], part: 'matches' | 'explained'): Diagnosis =>
  ({ valid: false, part1: part, part2: part, causes: [{ changes }], hints: [], tries: 0, complete: true })

/** Diagnoses many requests with their signatures, each for the first wrong one, and groups them by their mistake. */
export function diagnoseAll (
  signed: readonly Signed[], { maxTries = usualTries, ...options }: DiagnoseOptions
): SharedDiagnosis {
  const changes = repeatedIn(signed)
  const requests = signed.slice(0, maxSearched).map(({ request }) => request)
  const owners = new Map(requests.map(request => [rightOf(request, options), request]))
  owners.delete('') // of a request with a value without a text
  const [failing, others, failures]: [SignatureRequest[], SignatureRequest[], Failure[]] = [[], [], []]
  const known: Array<ReadonlySet<string>> = []
  let tries = 0
  for (const [index, { request, signatures, otherRequest }] of signed.entries()) {
    const wrong = wrongOf({ request, signatures }, options)
    const differences = wrong === undefined ? differencesOf(request, { ...options, otherRequest }) : []
    if (wrong === undefined && differences.length === 0) others.push(request)
    else failing.push(request)
    if (failing.length > maxSearched || others.at(-1) === request || changes[0]?.hypothesis === 'one-signature') continue
    const otherRequests = requests.filter(other => other !== request)
    const search = (limit: number, hypotheses?: ReadonlySet<string>): Diagnosis => {
      const own = { otherRequest, otherRequests, maxTries: limit, hypotheses }
      const diagnosis = diagnoseInFile(wrong!, request, { ...options, ...own })
      tries += diagnosis.tries
      return diagnosis
    }
    const isExplained = ({ part1, part2 }: Diagnosis): boolean => ![part1, part2].includes('unexplained')
    const owner = owners.get(wrong ?? '')
    let diagnosis = wrong === undefined ? foundWith(differences, 'matches') : undefined
    if (owner !== undefined) {
      const finding = `The signature is that of another request in the file, sid ${quote(fieldText(owner.sid))}.`
      const fix = 'Send each signature with the request that it was made for.'
      diagnosis = foundWith([change('other-request', finding, fix)], 'explained')
    }
    if (diagnosis === undefined) {
      const nearby = signed.slice(Math.max(0, index - maxNearby), index + maxNearby)
      const contexts = [request, ...nearby.map(({ request }) => request)].map(request =>
        contextOf(options.variant, request, options.merchantToken ?? ''))
      const [own, ...others] = contexts.filter(context => context !== undefined)
      const changes = contexts[0] === undefined ? [] : sharedWith(others, own!, wrong!)
      if (changes.length > 0) diagnosis = foundWith(changes, 'explained')
    }
    // The mistakes of the requests before are tried first.
    for (const names of known) diagnosis ??= [search(minTries, names)].find(isExplained)
    if (diagnosis === undefined) {
      const left = Math.max(maxTries, maxTriesOfAll) - tries
      diagnosis = search(Math.min(maxTries, Math.max(left, minTries)))
      const all = diagnosis.causes.flatMap(({ changes }) => changes)
      const names = new Set(all.flatMap(({ hypothesis, alsoKnownAs }) => [hypothesis, ...alsoKnownAs]))
      if (isExplained(diagnosis)) known.push(names)
    }
    failures.push({ request: { ...knownFields({ ...request }), merchantToken: undefined }, diagnosis })
  }
  const byName = new Map<string, Failure[]>()
  for (const failure of failures) {
    const name = mistakesIn(failure.diagnosis).sort().join()
    byName.set(name, [...byName.get(name) ?? [], failure])
  }
  const groups = [...byName.values()]
    .map(failures => ({ changes: failures[0]!.diagnosis.causes[0]?.changes ?? [], failures }))
  const [first] = signed as [Signed]
  return {
    total: signed.length,
    failing: failing.length,
    changes,
    pattern: patternOf(failing, others),
    groups: groups.sort((one, other) => other.failures.length - one.failures.length),
    hints: failing.length === 0 ? judge(first.signatures[0]!, first.request, options).hints : [],
    unsearched: failing.length - failures.length,
    tries
  }
}
