import type { SignatureRequest } from '../../src/scheme/request.js'
import { quote } from '../../src/text/characters.js'
import { digestOf } from './bytes.js'
import { contextOf, fieldText, knownFields, textsOf } from './context.js'
import { diagnoseInFile } from './diagnose.js'
import { change, type Cause, type Change, type DiagnoseOptions, type Diagnosis } from './diagnosis.js'
import { differencesOf } from './matched.js'
import { patternOf, rotationIn, sharedCausesOf } from './in-common.js'

/** A request with the signatures that were logged for it. */
export interface Signed {
  readonly request: SignatureRequest
  readonly signatures: readonly string[]
  /** The request of the same payment that the payment side received. */
  readonly otherRequest?: DiagnoseOptions['otherRequest']
}

/** A request with a wrong signature, or one that was sent with other values. */
export interface Failure {
  /** The fields of the request, without its token. */
  readonly request: SignatureRequest
  readonly diagnosis: Diagnosis
}

export interface SharedDiagnosis {
  /** Number of requests. */
  readonly total: number
  readonly failing: number
  /** Statement that is true for all failing requests and for no other request, such as `amount ends in 0`. */
  readonly pattern: string | undefined
  /** Causes with the requests that each explains, most requests first. */
  readonly causes: ReadonlyArray<{ readonly cause: Cause, readonly failures: readonly Failure[] }>
  readonly unexplained: readonly Failure[]
  /** Sentences about all requests: that the token changed, or warnings and next steps if all match. */
  readonly hints: readonly string[]
  /** Number of failing requests that were not searched. */
  readonly unsearched: number
  readonly tries: number
}

/** Limits of the requests that are searched, and of the texts that are hashed for all requests. */
const maxSearched = 50
const maxTriesOfAll = 3_900_000

/** Limit of the texts for a request after that, and for one that is tried with the cause of another. */
const minTries = 20_000

/** Returns the right signature of a request, without a token only its part 1 and ///; empty if a value has no text. */
function rightOf (request: SignatureRequest, { variant, merchantToken = '' }: DiagnoseOptions): string {
  const context = contextOf(variant, request, merchantToken)
  if (context === undefined) return ''
  const [part1, part2] = textsOf(context).map(text => digestOf('sha256', text))
  return `${part1}///${context.terms.merchantToken === '' ? '' : part2}`
}

/** True if a signature matches. Without a token, only part 1 is compared. */
function isRight (signature: string, request: SignatureRequest, options: DiagnoseOptions): boolean {
  const right = rightOf(request, options)
  return right.endsWith('///') ? signature.startsWith(right) : right !== '' && signature === right
}

/** Returns the first wrong signature. Returns undefined if all signatures match. */
export const wrongOf = ({ request, signatures }: Signed, options: DiagnoseOptions): string | undefined =>
  signatures.find(signature => !isRight(signature, request, options))

/** Returns the diagnosis of a request whose mistake needs no search. */
function foundWith (changes: readonly Change[], part: 'matches' | 'explained'): Diagnosis {
  const causes = [{ changes, equallyLikely: 1 }]
  return { valid: false, part1: part, part2: part, causes, hints: [], tries: 0, complete: true }
}

/** Returns the change of a signature that is the right one of another request. */
const swappedWith = ({ sid }: SignatureRequest): Change =>
  change('other-request', `The signature is that of another request in the file, sid ${quote(fieldText(sid))}.`,
    'Send each signature with the request that it was made for.')

const isExplained = ({ part1, part2 }: Diagnosis): boolean => part1 !== 'unexplained' && part2 !== 'unexplained'

/**
 * Diagnoses many requests, and returns the causes that explain most of them. One request is searched with the full
 * limit, its causes are tried on the others, and then one that is left is searched.
 *
 * @param signed - the requests; the first wrong signature of each is diagnosed
 * @throws UsageError the same codes as `diagnose`
 */
export function diagnoseAll (
  signed: readonly Signed[], options: DiagnoseOptions & { readonly maxTries: number }
): SharedDiagnosis {
  const { maxTries } = options
  const judged = signed.map(own => {
    const differences = differencesOf(own.request, { ...options, otherRequest: own.otherRequest })
    return { ...own, wrong: wrongOf(own, options), differences }
  })
  const [failing, others] = [true, false].map(isFailing => judged.filter(({ wrong, differences }) =>
    (wrong !== undefined || differences.length > 0) === isFailing)) as [typeof judged, typeof judged]
  const searched = failing.slice(0, maxSearched)
  const all = signed.slice(0, maxSearched).map(({ request }) => request)
  const ownerOf = new Map(all.map(request => [rightOf(request, options), request]))
  const isOfToken = ({ wrong = '', request }: typeof searched[number]): boolean =>
    wrong.split('///')[0] === rightOf(request, options).split('///')[0]
  const rotation = failing.every(isOfToken) ? rotationIn(failing, others) : []
  const found = new Map<typeof searched[number], Diagnosis>()
  let tries = 0
  const search = (own: typeof searched[number], limit: number, hypotheses?: ReadonlySet<string>): Diagnosis => {
    const onProgress = (count: number): void => options.onProgress?.(tries + count)
    const otherRequests = all.filter(request => request !== own.request)
    const limits = { maxTries: limit, ...hypotheses === undefined ? {} : { hypotheses } }
    const more = { ...limits, onProgress, otherRequests, otherRequest: own.otherRequest }
    const diagnosis = diagnoseInFile(own.wrong!, own.request, { ...options, ...more })
    tries += diagnosis.tries
    return diagnosis
  }
  for (const own of searched) {
    if (found.has(own)) continue
    const owner = own.wrong === undefined ? undefined : ownerOf.get(own.wrong)
    const known = own.wrong === undefined
      ? foundWith(own.differences, 'matches')
      : owner && foundWith([swappedWith(owner)], 'explained')
    // If nothing but another token explains one request, the other ones need no long search.
    const isRotated = rotation.length > 0 && [...found.values()].some(diagnosis => !isExplained(diagnosis))
    const left = isRotated ? 0 : Math.max(maxTries, maxTriesOfAll) - tries
    const diagnosis = known ?? search(own, Math.min(maxTries, Math.max(left, minTries)))
    found.set(own, diagnosis)
    if (known !== undefined || !isExplained(diagnosis)) continue
    const changes = diagnosis.causes.flatMap(({ changes }) => changes)
    const names = new Set(changes.flatMap(({ hypothesis, alsoKnownAs }) => [hypothesis, ...alsoKnownAs]))
    for (const other of searched) {
      if (found.has(other) || other.wrong === undefined || ownerOf.has(other.wrong)) continue
      const replayed = search(other, minTries, names)
      if (isExplained(replayed)) found.set(other, replayed)
    }
  }
  const failures = searched.map((own): Failure =>
    ({ request: { ...knownFields({ ...own.request }), merchantToken: undefined }, diagnosis: found.get(own)! }))
  const unexplained = failures.filter(({ diagnosis }) => !isExplained(diagnosis))
  const matching = failing.length === 0 ? judged.slice(0, maxSearched) : []
  const next = matching.flatMap(({ request, signatures, otherRequest }) =>
    diagnoseInFile(signatures[0]!, request, { ...options, otherRequest }).hints)
  return {
    total: signed.length,
    failing: failing.length,
    pattern: patternOf(failing, others),
    causes: sharedCausesOf(failures),
    unexplained,
    hints: [...unexplained.length === failures.length ? rotation : [], ...new Set(next)],
    unsearched: failing.length - searched.length,
    tries
  }
}
