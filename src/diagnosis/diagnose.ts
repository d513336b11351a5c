import { isDeepStrictEqual } from 'node:util'
import { checkRequest } from '../scheme/check-request.js'
import { InvalidRequestError, SigningError } from '../scheme/errors.js'
import type { SignatureRequest } from '../scheme/signature-request.js'
import type { Terms } from '../scheme/terms.js'
import { assertLimits, assertMerchantToken, assertRequest, assertSignature, assertVariant } from '../scheme/usage.js'
import { termsOf } from '../scheme/variant.js'
import type { Variant } from '../scheme/variant.js'
import type { Alternative } from './alternatives.js'
import { changesOf } from './alternatives.js'
import type { Cause, Change, DiagnoseOptions, Diagnosis, PartFinding } from './diagnosis.js'
import { formOf } from './form.js'
import type { Form } from './form.js'
import { termHypotheses } from './hypotheses.js'
import type { Context, TermHypothesis, TermName } from './hypothesis.js'
import type { Scenario } from './scenario.js'
import { looseTermsOf, scenarioOf, scenariosOf } from './scenario.js'
import { Search } from './search.js'
import type { Match } from './search.js'

/** How many causes are named at most. */
const mostCauses = 5

const change = (hypothesis: string, finding: string, fix: string): Change =>
  ({ hypothesis, alsoKnownAs: [], finding, fix })

/** Why a request cannot be signed as it is; undefined if it can. */
function refusalOf (request: SignatureRequest, { variant, merchantToken }: DiagnoseOptions): Error | undefined {
  try {
    checkRequest(request)
    termsOf(variant, request, merchantToken)
    return undefined
  } catch (failure) {
    if (failure instanceof InvalidRequestError || failure instanceof SigningError) return failure
    throw failure
  }
}

/** Hypotheses about values that only this call knows: other tokens. */
function ownHypotheses (
  request: SignatureRequest, { merchantToken, otherTokens = {} }: DiagnoseOptions
): TermHypothesis[] {
  const others = Object.entries(otherTokens).map(([name, text]) => ({ text, says: `was the one named ${name}` }))
  return [
    {
      name: 'token-of-request',
      terms: ['merchantToken'],
      texts: () => request.merchantToken ? [merchantToken] : [],
      says: 'was the configured one, not the one that the request brings',
      fix: 'Leave merchantToken out of the request, or sign with it on both sides.'
    },
    {
      name: 'token-other',
      terms: ['merchantToken'],
      texts: () => others,
      says: 'was another one',
      fix: 'Use the token of the same environment on both sides; compare the key check values.'
    }
  ]
}

interface FieldHypotheses {
  readonly hypotheses: readonly TermHypothesis[]
  readonly scenarios: readonly Scenario[]
}

/** What becomes of each field in which the other side's request differs: other terms, or one other text. */
function fieldHypotheses (context: Context, { merchantToken, otherRequest }: DiagnoseOptions): FieldHypotheses {
  const hypotheses: TermHypothesis[] = []
  const scenarios: Scenario[] = []
  const { variant, request, terms } = context
  const fix = 'Sign and send the same value: take it from one place.'
  const fields = otherRequest === undefined ? [] : [...Object.keys(request), ...Object.keys(otherRequest)]
  for (const field of new Set(fields)) {
    const value = otherRequest?.[field]
    if (isDeepStrictEqual(value, (request as Record<string, unknown>)[field])) continue
    const changed = { ...request, [field]: value }
    const others = looseTermsOf(variant, changed, merchantToken)
    if (others === undefined) continue
    const differing = (Object.keys(terms) as Array<keyof Terms>).filter(name => others[name] !== terms[name])
    const [name] = differing
    if (name !== undefined && differing.length === 1 && field !== 'operationType') {
      hypotheses.push({
        name: 'other-request',
        terms: [name],
        texts: () => [others[name]],
        says: name === 'merchantToken' ? 'was the one in the other request' : `${field} is so in the other request`,
        fix
      })
    } else if (name !== undefined) {
      const finding = `The value of ${field} was that of the other request.`
      scenarios.push(scenarioOf({ variant, request: changed, terms: others }, [change('other-request', finding, fix)]))
    }
  }
  return { hypotheses, scenarios }
}

/** Which digest of a signature is taken for which part. */
interface Reading {
  readonly part1: string | undefined
  readonly part2: string | undefined
  readonly changes: readonly Change[]
}

function readingsOf ({ part1, part2 }: Form): Reading[] {
  if (part2 === undefined) {
    const fix = 'Send both parts with /// between them.'
    return [
      { part1, part2, changes: [change('one-part', 'Only part 1 is there.', fix)] },
      { part1: undefined, part2: part1, changes: [change('one-part', 'Only part 2 is there.', fix)] }
    ]
  }
  const swapped = change('parts-swapped', 'The parts were in the wrong order.', 'Part 1, with the session id, comes first.')
  return [{ part1, part2, changes: [] }, { part1: part2, part2: part1, changes: [swapped] }]
}

const orderChange = (part: 'part 1' | 'part 2', order: readonly TermName[]): Change => change('term-order',
  `The terms of ${part} were joined in the order ${order.join(', ')}.`,
  'Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order term (variant A), token, account number, amount, reference.')

/** What a match has changed, without its scenario. */
function termChanges (
  part: 'part 1' | 'part 2', { chosen, order }: Match, settled?: ReadonlyMap<TermName, Alternative>
): Change[] {
  const changes = [...chosen].flatMap(([name, alternative]) =>
    settled?.get(name) === alternative ? [] : changesOf(name, alternative))
  return order === undefined ? changes : [...changes, orderChange(part, order)]
}

const anotherSid = change('sid-another',
  'The session id was another one, or part 1 was computed or copied wrongly: part 2, which has all the rest, confirms ' +
  'time stamp, amount and reference.',
  'Make the session id once, and use it for the signature and for the payment request.')

const part2Fields = { A: 'order id, account number and token', B: 'account number and token' }

function hintsOf (part1: PartFinding, part2: PartFinding, variant: Variant, complete: boolean): string[] {
  const limits = complete ? [] : ['The bound on the work was reached before everything was tried; allow more tries.']
  if (part1 === 'unexplained' && part2 === 'unexplained') {
    return [
      'Neither part fits, and nothing that was tried makes one fit.',
      'Part 1 holds no secret, so the token is not the only difference: look at time stamp, session id, amount and ' +
      'reference first, and compare the request that was signed with the one that was sent, character by character.',
      ...limits
    ]
  }
  if (part2 === 'unexplained') {
    return [
      `Part 1 ${part1 === 'matches' ? 'fits' : 'is explained'}, so time stamp, session id, amount and reference are settled.`,
      `Part 2 does not fit: ${part2Fields[variant]} are left. Most often it is the token of another environment; ` +
      'compare the key check values, or name the other tokens.',
      ...limits
    ]
  }
  return []
}

/** What the search has found: causes, and how each part stands. */
type Found = Pick<Diagnosis, 'part1' | 'part2' | 'causes'>

/** What both parts have. */
const shared: readonly TermName[] = ['clientTimeStamp', 'amount', 'referenceNumber']

/** What one part has settled for the other. */
const settledBy = ({ chosen }: Match): Map<TermName, Alternative> =>
  new Map([...chosen].filter(([name]) => shared.includes(name)))

const inPart2Only = (other: Change): Change => ({ ...other, finding: `In part 2 only: ${other.finding}` })

/** The causes with the fewest changes. More of them can only be other ways to write the same text. */
function smallest (causes: readonly Cause[]): Cause[] {
  const least = Math.min(...causes.map(({ changes }) => changes.length))
  return causes.filter(({ changes }) => changes.length === least).slice(0, mostCauses)
}

/** The causes that go with one way of getting part 1, with at most so many changes in part 2. */
function * causesOf (
  search: Search, scenarios: readonly Scenario[], first: Match, reading: Reading, maxChanges: number
): Generator<Cause> {
  const changes = [...reading.changes, ...first.scenario.changes, ...termChanges('part 1', first)]
  if (reading.part2 === undefined) return yield { changes }

  const digests = new Set([reading.part2])
  const settled = settledBy(first)
  const seconds = search.run({ part: 'part2', scenarios: [first.scenario], digests, settled, maxChanges })
  for (const second of seconds) yield { changes: [...changes, ...termChanges('part 2', second, settled)] }
  if (seconds.length > 0) return

  const otherwise = scenarios.filter(({ context, computation }) =>
    context === first.scenario.context && computation !== first.scenario.computation)
  if (otherwise.length > 0 && maxChanges > 0) {
    const ways = search.run({ part: 'part2', scenarios: otherwise, digests, settled, maxChanges: Math.min(maxChanges - 1, 1) })
    for (const { scenario } of ways) {
      const computed = scenario.changes.slice(first.scenario.changes.length).map(inPart2Only)
      yield { changes: [...changes, ...computed] }
    }
    if (ways.length > 0) return
  }

  for (const second of search.run({ part: 'part2', scenarios: [first.scenario], digests, maxChanges: Math.min(maxChanges, 2) })) { // the parts do not agree
    yield { changes: [...changes, ...termChanges('part 2', second).map(inPart2Only)] }
  }
}

/** What is left for part 1 once part 2 has settled the rest. */
function sidChanges (search: Search, match: Match, part1: string | undefined): Change[] {
  if (part1 === undefined) return []
  const settled = settledBy(match)
  const [first] = search.run({ part: 'part1', scenarios: [match.scenario], digests: new Set([part1]), settled })
  return first === undefined ? [anotherSid] : termChanges('part 1', first, settled)
}

/** Part 2 by itself, when nothing fits part 1. */
function searchPart2 (search: Search, scenarios: readonly Scenario[], readings: readonly Reading[]): Found {
  const readingBy = new Map(readings.flatMap(reading => reading.part2 === undefined ? [] : [[reading.part2, reading]]))
  const matches = search.run({ part: 'part2', scenarios, digests: new Set(readingBy.keys()), maxChanges: 2 })
  const causes = matches.map((match): Cause => {
    const { part1, changes } = readingBy.get(match.digest)!
    return {
      changes: [...changes, ...match.scenario.changes, ...termChanges('part 2', match), ...sidChanges(search, match, part1)]
    }
  })
  const isRight = matches.some(({ changes }) => changes === 0)
  return {
    part1: 'unexplained',
    part2: isRight ? 'matches' : matches.length > 0 ? 'explained' : 'unexplained',
    causes: smallest(causes)
  }
}

function searchCauses (search: Search, scenarios: readonly Scenario[], readings: readonly Reading[]): Found {
  // Of two readings of one digest the plain one counts.
  const readingBy = new Map(readings.toReversed().flatMap(reading =>
    reading.part1 === undefined ? [] : [[reading.part1, reading]]))
  const matches = search.run({ part: 'part1', scenarios, digests: new Set(readingBy.keys()) })
  if (matches.length === 0) return searchPart2(search, scenarios, readings)

  const found: Cause[] = []
  let fewest = Number.POSITIVE_INFINITY
  for (const match of matches.sort((one, other) => one.changes - other.changes)) {
    found.push(...causesOf(search, scenarios, match, readingBy.get(match.digest)!, fewest - match.changes))
    fewest = Math.min(...found.map(({ changes }) => changes.length))
  }
  const causes = smallest(found)
  const isPart1Right = matches.some(({ changes, digest }) => changes === 0 && digest === readings[0]?.part1)
  const isAllRight = causes[0]?.changes.length === 0
  return {
    part1: isPart1Right ? 'matches' : 'explained',
    part2: isAllRight ? 'matches' : causes.length > 0 ? 'explained' : 'unexplained',
    causes: isAllRight ? [] : causes
  }
}

/**
 * Looks for the smallest changes of the request, the token or the computation under which `signature` comes out, such
 * as an amount of 100 instead of 100.00. The two parts are searched one after the other: part 1 holds no secret, and
 * settles time stamp, session id, amount and reference; what is left for part 2 is order id, token and account number.
 *
 * It returns for whatever a signature or a request looks like, and throws only when it is called wrongly.
 *
 * @param signature - the one that was expected, or rejected, in whatever form it has
 * @param request - the decoded JSON body as this side believes it was; `clientTimeStamp` is in epoch milliseconds
 * @throws UsageError `ERR_SIGNATURE`, `ERR_REQUEST`, `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`, `ERR_LIMIT`
 *
 * @example
 * const { causes, hints } = diagnose(signature, request, { variant: 'A', merchantToken })
 * for (const { finding, fix } of causes[0]?.changes ?? []) console.log(finding, fix)
 */
export function diagnose (signature: string, request: SignatureRequest, options: DiagnoseOptions): Diagnosis {
  assertSignature(signature)
  assertRequest(request)
  const { variant, merchantToken, maxChanges = 3, maxTries = 1_000_000 } = options
  assertVariant(variant)
  assertMerchantToken(merchantToken)
  for (const token of Object.values(options.otherTokens ?? {})) assertMerchantToken(token)
  if (options.otherRequest !== undefined) assertRequest(options.otherRequest)
  assertLimits(maxChanges, maxTries)

  const refusal = refusalOf(request, options)
  const hints = refusal === undefined ? [] : [`The request as it is would be refused: ${refusal.message}.`]
  const unexplained = {
    valid: false, part1: 'unexplained', part2: 'unexplained', causes: [], tries: 0, complete: true
  } as const
  const form = formOf(signature)
  if (typeof form === 'string') return { ...unexplained, hints: [...hints, form] }

  const terms = looseTermsOf(variant, request, merchantToken)
  if (terms === undefined) return { ...unexplained, hints } // the refusal says which value has no text
  const context = { variant, request, terms }
  const ofFields = fieldHypotheses(context, options)
  const hypotheses = [...ofFields.hypotheses, ...ownHypotheses(request, options), ...termHypotheses]
  const scenarios = scenariosOf(context, merchantToken, ofFields.scenarios)
  const search = new Search(form.algorithm, hypotheses, maxChanges, maxTries)
  const found = searchCauses(search, scenarios, readingsOf(form))
  const { part1, part2 } = found
  const complete = !search.isExhausted
  const isRight = part1 === 'matches' && part2 === 'matches'
  return {
    valid: isRight && form.changes.length === 0 && refusal === undefined,
    part1,
    part2,
    causes: isRight
      ? form.changes.length === 0 ? [] : [{ changes: form.changes }]
      : found.causes.map(({ changes }) => ({ changes: [...form.changes, ...changes] })),
    hints: [...hints, ...hintsOf(part1, part2, variant, complete)],
    tries: search.tries,
    complete
  }
}
