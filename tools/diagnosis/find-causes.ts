import type { Alternative } from './alternatives.js'
import { movedIn, runsOf } from './boundaries.js'
import { changesOf, distinct, jointFinding, type Term } from './changes.js'
import { computationsAfter, type Computation } from './computation.js'
import type { TermName } from './context.js'
import type { Cause, Change, Diagnosis, PartFinding } from './diagnosis.js'
import { titles } from './layouts.js'
import type { Assignment } from './parse-signature.js'
import { recover } from './recover.js'
import { after, recut } from './recut.js'
import { namesIn, type Part, type Scenario } from './scenarios.js'
import { maxDistance, type Match, type Search, type Start, type Starts } from './search.js'
import { shared, startsOf } from './starts.js'

/*
 * The idea: each mistake has a cost, low for common ones, and texts are hashed in the order of their cost. A part is
 * searched alone, the cheaper one first, because the terms that both parts share are then known for the other part.
 * Four passes, each only if the passes before it found nothing: cheap changes of part 1, of part 2, other values of one
 * term, and expensive changes of part 1. At last, the matching texts are cut anew (recut.ts): the digest proves a text,
 * not where a term ends.
 */

/** Result of the search: the causes, and the finding for each part. */
export type Found = Pick<Diagnosis, 'part1' | 'part2' | 'causes'>

/** Limit of the number of causes. */
const maxCauses = 5

/** Limits of the cost of a part's changes: before the other part was searched, and at last. */
const quick = 8
const thorough = 14

/** Share of the texts for the first part. The rest is for the other part. */
const shareOfFirst = 0.9

/** The matches of one or two parts, in the order of the search. */
type Way = readonly Match[]

/** True if terms, order and computation of a match, and of the match before it, are those of the scheme. */
const isPlain = ({ start: { cost, first } }: Match): boolean => cost === 0 && (first === undefined || isPlain(first))

const costOf = (way: Way): number => way.at(-1)!.cost

/** Returns the number of changes. A shared term with another text in the second part is one more. */
function mistakesIn (way: Way): number {
  const mistakes = way.map(({ start: { scenario, computation, layout, pieces, first }, chosen }) => {
    const before = new Map(first?.start.pieces.map(({ is }, index) => [is, first.chosen[index]!.text]))
    const disagree = ({ text }: Alternative, index: number): boolean =>
      shared.includes(pieces[index]!.is) && (before.get(pieces[index]!.is) ?? text) !== text
    const ofStart = scenario.changes.length + Math.sign(computation.cost) + layout.changes.length
    return ofStart + chosen.reduce((sum, { changes }) => sum + changes, 0) + chosen.filter(disagree).length
  })
  return mistakes.reduce((sum, count) => sum + count, 0)
}

const isCutElsewhere = (way: Way, other: Way): boolean =>
  way.some((match, index) => movedIn(match, other[index]!).length > 0)

/**
 * Returns the most likely ways. A text can be cut at several places: the cut with the fewest mistakes in both parts is
 * best, and other cuts with as few mistakes remain, whatever they cost.
 */
function likeliestOf (ways: readonly Way[]): Way[] {
  const sorted = ways.toSorted((one, other) => costOf(one) - costOf(other) || mistakesIn(one) - mistakesIn(other))
  const cuts = sorted.filter(way => way === sorted[0] || isCutElsewhere(way, sorted[0]!))
  const fewest = Math.min(...cuts.map(mistakesIn))
  const best = cuts.find(way => mistakesIn(way) === fewest)!
  return sorted.filter(way => isCutElsewhere(way, best)
    ? mistakesIn(way) <= fewest
    : costOf(way) <= costOf(best) + maxDistance)
}

/** Returns the most likely causes without duplicates. Returns none if nothing was changed. */
function causesOf (ways: readonly Way[], changesOf: (way: Way, others: readonly Way[]) => Change[]): Cause[] {
  const near = likeliestOf(ways)
  const told = near.map(way => changesOf(way, near))
  const causes = distinct(told)
  const likeliest = distinct(told.filter((_changes, index) => costOf(near[index]!) === costOf(near[0]!))).length
  const shown = causes[0]!.length === 0 ? [] : causes.slice(0, maxCauses)
  return shown.map((changes, index) => ({ changes, equallyLikely: index < likeliest ? likeliest : causes.length }))
}

/**
 * Returns the changes of a part. Changes of the part that was searched first are not repeated.
 *
 * @param others - other explanations of the part
 * @param otherPart - match of the other part, if it was found
 */
function changesIn (part: Part, match: Match, others: readonly Match[], otherPart: Match | undefined): Change[] {
  const { start: { scenario, computation, layout, pieces, first }, chosen } = match
  const { subjects, fields } = scenario.context
  const apart = (change: Change): Change =>
    first === undefined ? change : { ...change, finding: `In ${titles[part]}: ${change.finding}` }
  const reference = chosen[pieces.findIndex(({ is }) => is === 'referenceNumber')]
  const termAt = (index: number): Term => {
    const [is, signed] = [pieces[index]!.is as TermName, chosen[index]!]
    // The transactionId of an inquiry can be both reference and order id.
    const isOrderAlone = is === 'orderIdOrNull' && fields.referenceNumber === subjects[is] && signed.text !== reference?.text
    return { subject: isOrderAlone ? 'The order id' : subjects[is], signed }
  }
  const ofTerms = runsOf(match, others, otherPart).flatMap(run => {
    const changed = run.filter(index => chosen[index]!.changes > 0)
    const finding = run.length > 1 && changed.length > 0 ? jointFinding(run.map(termAt)) : undefined
    const isShared = changed.some(index => shared.includes(pieces[index]!.is))
    return changed.map(index => {
      const changes = changesOf(termAt(index), finding)
      return isShared ? changes.map(apart) : changes
    })
  })
  // A change of both is reported once.
  return [...[...scenario.changes, ...computation.changes].map(apart), ...layout.changes, ...distinct(ofTerms).flat()]
}

/** Returns the starts of a part after each match of the other one. */
function startsAfter (
  part: Part, firsts: readonly Match[], scenarios: readonly Scenario[], computations: readonly Computation[],
  hypotheses?: ReadonlySet<string>
): Starts {
  const all = firsts.map(first => {
    const { scenario, computation } = first.start
    const others = scenario === scenarios[0] ? scenarios.filter(({ hasOtherToken }) => hasOtherToken) : []
    const own = { ...scenario, cost: 0, changes: [], hasOtherToken: false }
    return startsOf(part, [own, ...others], computationsAfter(computation, computations), hypotheses, first)
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
  assignments: readonly Assignment[], isDeep: boolean, hypotheses?: ReadonlySet<string>
): Found {
  const { context } = scenarios[0]!
  const hasToken = context.terms.merchantToken !== ''
  const plainOf = (starts: Starts): readonly Start[] => starts(0).filter(({ cost }) => cost === 0)
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
    const starts = startsOf(one, scenarios, computations, hypotheses)
    const firsts = limit === undefined
      ? recover(search, plainOf(starts), [...assignmentOf.keys()], isDeep, shareOfFirst)
      : find(starts, [...assignmentOf.keys()], limit, shareOfFirst)
    if (firsts.length === 0) continue
    const digests = hasToken ? firsts.flatMap(({ digest }) => assignmentOf.get(digest)![other] ?? []) : []
    const isSearched = digests.length > 0
    const next = startsAfter(other, firsts, scenarios, computations, hypotheses)
    const found = isSearched ? find(next, digests, thorough, 1) : []
    const seconds = found.length === 0 && isSearched ? recover(search, plainOf(next), digests, isDeep, 1) : found
    const allFirsts = [...firsts, ...firsts.flatMap(recut)]
    const ways: Way[] = seconds.length === 0
      ? allFirsts.map(first => [first])
      : seconds.flatMap((second): Way[] => [
        [second.start.first!, second],
        ...[second, ...recut(second)].filter(isPlain).flatMap(second =>
          allFirsts.filter(isPlain).map(first => [first, after(first, second)]))
      ])
    const causes = causesOf(ways, (way, others) => [
      ...assignmentOf.get(way[0]!.digest)!.changes,
      ...way.flatMap((match, index) =>
        changesIn(index === 0 ? one : other, match, others.map(other => other[index]!), way[1 - index]))
    ])
    const ofOther = isSearched ? findingOf(other, seconds) : hasToken ? 'explained' : 'unsearched'
    const findings = { [one]: findingOf(one, firsts), [other]: ofOther } as Record<Part, PartFinding>
    return { ...findings, causes }
  }
  return { part1: 'unexplained', part2: hasToken ? 'unexplained' : 'unsearched', causes: [] }
}
