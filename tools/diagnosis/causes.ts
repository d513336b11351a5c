import { costOfValues, isChanged } from './alternatives.js'
import type { Part } from './context.js'
import type { Cause, Change, Diagnosis, PartFinding } from './diagnosis.js'
import { changesOf } from './facts.js'
import type { ParsedSignature } from './parse-signature.js'
import { maxDistance, readings, shapesAfter } from './readings.js'
import type { Match, Search } from './search.js'
import type { Shape } from './shapes.js'

/*
 * The idea: each mistake has a cost, low for common ones, and texts are hashed in the order of their cost. A part is
 * searched alone, the cheaper one first, because the terms that both parts share are then known for the other part.
 * The digest proves a text, not where a term ends: at last the proved texts are read in all likely ways (`readings`),
 * and a text that two readings give to different terms is told as a text between these terms (`changesOf`).
 */

/** Result of the search: the causes, and the finding for each part. */
export type Found = Pick<Diagnosis, 'part1' | 'part2' | 'causes'>

/** Readings of one or two parts, in the order of the search. */
export interface Way {
  readonly parts: readonly Part[]
  readonly matches: readonly Match[]
  readonly cost: number
}

/** Limit of the number of causes. */
const maxCauses = 5

/** Limit of the cost of a part's changes before the other part was searched. */
const quick = 8

/** Limits of the cost of shapes that are made together: the first alone, some hundreds, and thousands. */
const tiers = [1, 7, Infinity]
const tierOf = (cost: number): number => tiers.find(tier => cost <= tier)!

/** Share of the texts for the first part. The rest is for the other part. */
const shareOfFirst = 0.9

/** A way with fewer mistakes may cost this much more, and a way that ends a term elsewhere. */
const costOfDetour = 1
const costOfOtherCut = 3

/** Returns the number of differences. A change of a term in both parts is one. */
function mistakesIn ({ matches }: Way): number {
  const mistakes = matches.flatMap(({ shape: { traits, pieces }, chosen }) => [
    ...traits.filter(({ cost }) => cost > 0).map(({ change }) => change.finding),
    ...chosen.flatMap((signed, index) => isChanged(signed) ? [`${pieces[index]!.is} ${signed.text}`] : [])
  ])
  return new Set(mistakes).size
}

/** Returns the likeliest ways: the ones with the fewest mistakes, of those that cost little more than the cheapest. */
function likeliestOf (ways: readonly Way[]): Way[] {
  const sorted = ways.toSorted((one, other) => one.cost - other.cost)
  const within = sorted.filter(({ cost }) => cost <= sorted[0]!.cost + maxDistance + costOfDetour)
  const fewest = Math.min(...within.map(mistakesIn))
  const best = within.filter(way => mistakesIn(way) === fewest)
  return best.filter(({ cost }) => cost <= best[0]!.cost + maxDistance)
}

/** Returns the causes of the likeliest ways without duplicates. Returns none if nothing was changed. */
function causesOf (ways: readonly Way[], told: (way: Way, near: readonly Way[]) => Change[]): Cause[] {
  const near = likeliestOf(ways)
  const byText = new Map<string, { changes: Change[], cost: number }>()
  for (const way of near) {
    const changes = told(way, ways.filter(({ cost }) => cost <= way.cost + costOfOtherCut))
    const text = changes.map(({ finding, interpretation }) => finding + interpretation).join(' ')
    if (!byText.has(text)) byText.set(text, { changes, cost: way.cost })
  }
  const causes = [...byText.values()]
  const likeliest = causes.filter(({ cost }) => cost === causes[0]!.cost).length
  const shown = causes[0]!.changes.length === 0 ? [] : causes.slice(0, maxCauses)
  return shown.map(({ changes }, index) => ({ changes, equallyLikely: index < likeliest ? likeliest : causes.length }))
}

/**
 * Searches part 1 first, which contains no token and has terms in common with part 2. If no simple change explains part
 * 1, part 2 is searched first. Without a token, part 2 is not searched.
 *
 * @param shapesOf - returns the shapes of a part up to a cost; the first is right, or wrong in the algorithm only
 */
export function findCauses (
  search: Search, shapesOf: (part: Part, maxCost: number) => readonly Shape[], { assignments }: ParsedSignature,
  isDeep: boolean
): Found {
  const made = new Map<string, readonly Shape[]>()
  /** Returns the shapes that can cost so much. */
  const shapesIn = (part: Part, cost = 0): readonly Shape[] => {
    const key = `${part} ${tierOf(cost)}`
    return made.get(key) ?? made.set(key, shapesOf(part, tierOf(cost))).get(key)!
  }
  const limit = isDeep ? costOfValues + 1 : costOfValues
  const right = (part: Part): string => {
    const { pieces, form } = shapesIn(part)[0]!
    return form.hash(pieces.map(({ text }) => text).join(''), '')
  }
  const hasToken = shapesIn('part2')[0]!.scheme.context.terms.merchantToken !== ''
  /** Returns the finding for a part, regardless of the changes in the other part. */
  const findingOf = (part: Part, isFound: boolean): PartFinding => {
    const isRight = shapesIn(part)[0]!.traits.length === 0 && assignments[0]![part] === right(part)
    return !isFound ? 'unexplained' : isRight ? 'matches' : 'explained'
  }
  // A part that matches is searched first, so that the other part cannot contradict it.
  const passes = [
    ...findingOf('part2', true) === 'matches' ? [] : [['part1', 'part2', quick] as const],
    ['part2', 'part1', quick] as const, ['part1', 'part2', limit] as const
  ]
  for (const [one, other, most] of passes) {
    if (one === 'part2' && !hasToken) continue
    // If two assignments have the same digest, the first one is used.
    const assignmentOf = new Map(assignments.toReversed().map(assignment => [assignment[one] ?? '', assignment]))
    const first = search.find(cost => shapesIn(one, cost), [...assignmentOf.keys()], most, shareOfFirst)
    if (first === undefined) continue
    const assignment = assignmentOf.get(first.digest)!
    const digest = hasToken ? assignment[other] : undefined
    const firsts = readings(first, shapesIn(one, first.cost + maxDistance))
    const near = firsts.filter(({ cost }) => cost <= first.cost + maxDistance)
    const after = (first: Match, cost: number): Shape[] =>
      shapesAfter(first, shapesIn(other, first.shape.cost === 0 ? cost : Infinity))
    const starts = new Map<number, readonly Shape[]>()
    const startsAt = (cost: number): readonly Shape[] =>
      starts.get(tierOf(cost)) ?? starts.set(tierOf(cost), near.flatMap(first => after(first, cost))).get(tierOf(cost))!
    const second = digest === undefined ? undefined : search.find(startsAt, [digest], limit, 1)
    const ways = second === undefined
      ? near.map((match): Way => ({ parts: [one], matches: [match], cost: match.cost }))
      : firsts.flatMap(first => readings(second, after(first, second.cost + maxDistance)).map((second): Way =>
        ({ parts: [one, other], matches: [first, second], cost: first.cost + second.cost })))
    const causes = causesOf(ways, (way, near) => [...assignment.changes, ...changesOf(way, near)])
    const ofOther = digest !== undefined ? findingOf(other, second !== undefined) : hasToken ? 'explained' : 'unsearched'
    return { ...{ [one]: findingOf(one, true), [other]: ofOther } as Record<Part, PartFinding>, causes }
  }
  return { part1: 'unexplained', part2: hasToken ? 'unexplained' : 'unsearched', causes: [] }
}
