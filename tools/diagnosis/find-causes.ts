import { changesOf, distinct } from './changes.js'
import type { Computation } from './computation.js'
import type { Cause, Change, Diagnosis, PartFinding } from './diagnosis.js'
import { titles } from './layouts.js'
import type { Assignment } from './parse-signature.js'
import { namesIn, type Part, type Scenario } from './scenarios.js'
import type { Match, Search, Starts } from './search.js'
import { recover } from './recover.js'
import { shared, startsOf } from './starts.js'

/** Result of the search: the causes, and the finding for each part. */
export type Found = Pick<Diagnosis, 'part1' | 'part2' | 'causes'>

/** Limits of the number of causes, and of their cost above the cost of the first. */
const maxCauses = 5
const maxDistance = 1

/** Limits of the cost of a part's changes: before the other part was searched, and at last. */
const quick = 8
const thorough = 14

/** Share of the texts for the first part. The rest is for the other part. */
const shareOfFirst = 0.9

/** Returns the most likely causes without duplicates. Returns none if nothing was changed. */
function causesOf (ways: ReadonlyArray<Pick<Cause, 'changes'> & { readonly cost: number }>): Cause[] {
  const sorted = ways.toSorted((one, other) => one.cost - other.cost || one.changes.length - other.changes.length)
  const near = sorted.filter(({ cost }) => cost <= sorted[0]!.cost + maxDistance)
  const causes = distinct(near.map(({ changes }) => changes))
  const likeliest = distinct(near.filter(({ cost }) => cost === sorted[0]!.cost).map(({ changes }) => changes)).length
  const shown = causes[0]!.length === 0 ? [] : causes.slice(0, maxCauses)
  return shown.map((changes, index) => ({ changes, equallyLikely: index < likeliest ? likeliest : causes.length }))
}

/** Returns the changes of a part. Changes of the part that was searched first are not repeated. */
function changesIn (part: Part, { start, chosen }: Match): Change[] {
  const { scenario, computation, layout, pieces, first } = start
  const apart = (change: Change): Change =>
    first === undefined ? change : { ...change, finding: `In ${titles[part]}: ${change.finding}` }
  const ofPieces = pieces.map(({ is }, index) => {
    const alternative = chosen[index]!
    if (alternative.changes === 0 || is === undefined) return []
    const subject = is === 'text' ? `The text of ${titles[part]}` : scenario.context.subjects[is]
    const changes = changesOf(alternative, subject)
    return shared.includes(is) ? changes.map(apart) : changes
  })
  // The transactionId of an inquiry can be both reference and order ID. Its change is reported once.
  return [...[...scenario.changes, ...computation.changes].map(apart), ...layout.changes, ...distinct(ofPieces).flat()]
}

/** Returns the starts of a part after each match of the other one. */
function startsAfter (part: Part, firsts: readonly Match[], computations: readonly Computation[]): Starts {
  const all = firsts.map(first => {
    const { scenario, computation } = first.start
    const own = { ...computation, cost: 0, changes: [] }
    const others = computation.cost === 0 ? computations.slice(1) : []
    return startsOf(part, [{ ...scenario, cost: 0, changes: [], hasOtherToken: false }], [own, ...others], first)
  })
  return cost => all.flatMap(starts => starts(cost))
}

/**
 * Searches part 1 first, which contains no token and has terms in common with part 2. If no simple change explains part
 * 1, part 2 is searched first. Without a token, part 2 is not searched. Scenarios, computations and assignments are in
 * the order of their likelihood.
 */
export function findCauses (
  search: Search, scenarios: readonly Scenario[], computations: readonly Computation[],
  assignments: readonly Assignment[], isDeep: boolean
): Found {
  const { context } = scenarios[0]!
  const hasToken = context.terms.merchantToken !== ''
  const find = (starts: Starts, digests: readonly string[], limit: number, share: number): Match[] => {
    const matches = search.run(starts, [...new Set(digests)], limit, share)
    const byText = new Map(matches.map(match => [match.text, match]))
    return [...byText.values()].flatMap(match => search.explain(starts, match))
  }
  /** Returns the finding for a part, regardless of the changes in the other part. */
  const findingOf = (part: Part, matches: readonly unknown[]): PartFinding => {
    const right = computations[0]!.digest(namesIn(part, context, true).map(name => context.terms[name]).join(''))
    const isRight = computations[0]!.changes.length === 0 && assignments[0]![part] === right
    return matches.length === 0 ? 'unexplained' : isRight ? 'matches' : 'explained'
  }

  // A part that matches is searched first, so that the other part cannot contradict it.
  const isRight = (part: Part): boolean => findingOf(part, [undefined]) === 'matches'
  const passes = [
    ...isRight('part2') ? [] : [['part1', 'part2', quick] as const],
    ['part2', 'part1', quick] as const, ['part1', 'part2', undefined] as const, ['part1', 'part2', thorough] as const
  ]
  for (const [one, other, limit] of passes) {
    if (one === 'part2' && !hasToken) continue
    // If two assignments have the same digest, the first one is used.
    const assignmentOf = new Map(assignments.toReversed().map(assignment => [assignment[one] ?? '', assignment]))
    const starts = startsOf(one, scenarios, computations)
    const firsts = limit === undefined
      ? recover(search, starts(0)[0]!, [...assignmentOf.keys()], isDeep, shareOfFirst)
      : find(starts, [...assignmentOf.keys()], limit, shareOfFirst)
    if (firsts.length === 0) continue
    const digests = hasToken ? firsts.flatMap(({ digest }) => assignmentOf.get(digest)![other] ?? []) : []
    const isSearched = digests.length > 0
    const after = isSearched ? startsAfter(other, firsts, computations) : () => []
    const found = find(after, digests, thorough, 1)
    const seconds = found.length === 0 && isSearched ? recover(search, after(0)[0]!, digests, isDeep, 1) : found
    const ways = (seconds.length === 0 ? firsts : seconds).map(last => {
      const matches = last.start.first === undefined ? [last] : [last.start.first, last]
      const told = assignmentOf.get(matches[0]!.digest)!.changes
      const changes = [...told, ...matches.flatMap((match, index) => changesIn(index === 0 ? one : other, match))]
      return { cost: last.cost, changes }
    })
    const ofOther = isSearched ? findingOf(other, seconds) : hasToken ? 'explained' : 'unsearched'
    const findings = { [one]: findingOf(one, firsts), [other]: ofOther } as Record<Part, PartFinding>
    return { ...findings, causes: causesOf(ways) }
  }
  return { part1: 'unexplained', part2: hasToken ? 'unexplained' : 'unsearched', causes: [] }
}
