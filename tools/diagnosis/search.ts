import { costOfMore, costOfValues, isChanged, type Alternative } from './alternatives.js'
import type { Part, TermName } from './context.js'
import type { PartFinding } from './diagnosis.js'
import { costOf, keyOf, textOf, type Match, type Piece, type Shape } from './shapes.js'
import type { Assignment } from './signature.js'

/*
 * The idea: each mistake has a cost, low for common ones, and texts are hashed in the order of their cost. A part is
 * searched alone, the cheaper one first, because the terms that both parts share are then known for the other part.
 * The digest proves a text, not where a term ends: texts that cost as much, or one more, are other readings, and those
 * that fit both parts with the fewest mistakes are told.
 */

/** Cost of different texts for one term in the two parts, and its limit with the cost of the change. */
const disagreement = 2
const maxDisagreement = 11

/** Highest cost of one of two changes, and of both: costlier ones are too many. One more if the other part is known. */
const maxCostBeside = 7
const maxCostOfBoth = 12

/** Highest cost of a change in a shape that differs, and of both: there are thousands of such shapes. */
const maxCostInShape = 6
const maxCostWithShape = 14

/** Limit of the cost of a part's changes before the other part was searched. */
const quick = 8

/** Share of the texts for the first part. The rest is for the other part. */
const shareOfFirst = 0.9

/** Limit of the number of causes. */
const maxCauses = 5

/** Returns the cost that is left for changed terms. */
const leftOf = (shape: Shape, cost: number): number => cost - shape.cost - (shape.cost > 0 ? costOfMore : 0)

/** True if texts of a shape can cost exactly so much. */
function canCost (shape: Shape, cost: number): boolean {
  if (cost <= shape.cost) return cost === shape.cost
  const left = leftOf(shape, cost)
  return left > 0 && shape.maxChanges > 0 && (shape.cost === 0 || (left <= maxCostInShape && cost <= maxCostWithShape))
}

/** Yields the texts of the pieces of a shape that cost exactly so much, with at most two changed terms. */
function * textsAt (shape: Shape, cost: number): Generator<readonly Alternative[]> {
  const { pieces, maxChanges: most } = shape
  const left = leftOf(shape, cost)
  const chosen = pieces.flatMap(piece => [...piece.at(0)]) // all steps yield the same array
  if (cost === shape.cost) return yield chosen
  const more = pieces.some(({ isKnown }) => isKnown) ? 1 : 0
  for (const [index, piece] of pieces.entries()) {
    const right = chosen[index]!
    for (const one of piece.at(left)) {
      chosen[index] = one
      if (one.changes <= most) yield chosen
    }
    for (const [later, other] of most > 1 ? pieces.entries() : []) {
      // Terms that the other part shows have few other texts.
      const areKnown = piece.isKnown === true && other.isKnown === true
      if (later <= index || (left > maxCostOfBoth + more && !areKnown)) continue
      const rightOfOther = chosen[later]!
      const maxOfEach = maxCostBeside + (areKnown ? disagreement + 1 : more)
      for (let own = Math.min(left - costOfMore - 1, maxOfEach); own > 0; own--) {
        const rest = left - costOfMore - own
        if (rest > maxOfEach) break
        for (const one of piece.at(own)) {
          chosen[index] = one
          for (const two of other.at(rest)) {
            chosen[later] = two
            if (one.changes + two.changes <= most) yield chosen
          }
        }
      }
      chosen[later] = rightOfOther
    }
    chosen[index] = right
  }
}

/** Hashes texts until a digest is found, the cheapest changes first. */
export class Search {
  /** Number of texts that were hashed. */
  tries = 0
  /** True if the limit of texts was reached. */
  isExhausted = false
  #work = 0
  readonly #maxTries: number

  constructor (maxTries: number) {
    this.#maxTries = maxTries
  }

  /**
   * Returns the cheapest matches of shapes: the first one, and other readings of its text that cost at most one more.
   *
   * @param share - share of the limit of texts
   */
  find (
    part: Part, shapesAt: (cost: number) => readonly Shape[], digests: readonly string[], limit: number, share = 1
  ): Match[] {
    const found: Match[] = []
    const most = this.#maxTries * share
    for (let cost = 0, last = limit; cost <= last; cost++) {
      // The shape of the scheme is last. It has the most texts, and only its search may reach the limit.
      const within = shapesAt(cost).filter(shape => canCost(shape, cost))
      for (const shape of within.toSorted((one, other) => Number(other.cost > 0) - Number(one.cost > 0))) {
        for (const chosen of textsAt(shape, cost)) {
          const text = textOf(shape, chosen)
          if (found.length > 0 && text !== found[0]!.text) continue
          if (this.tries + this.#work >= most) {
            this.isExhausted = found.length === 0
            return found
          }
          this.#work += text.length >> 9 // long texts take longer to hash
          this.tries++
          const digest = shape.form.hash(text, keyOf(shape, chosen))
          if (!digests.includes(digest)) continue
          found.push({ part, shape, chosen: [...chosen], text, digest, cost })
          if (cost >= costOfValues) return found
          last = Math.min(found[0]!.cost + 1, costOfValues - 1)
        }
      }
    }
    return found
  }
}

/** Returns a piece with the text that the other part shows. The unchanged text disagrees only with a changed one. */
function withKnown (piece: Piece, known: Alternative): Piece {
  const more = piece.isMoved === true ? 0 : disagreement
  const least = more + (known.changes === 0 ? 1 : 0)
  const right = [{ ...known, changes: 0 }]
  const at = (cost: number): Iterable<Alternative> => cost === 0
    ? right
    : cost < least || cost > maxDisagreement ? [] : piece.at(cost - more)
  return { ...piece, isKnown: true, at }
}

/** Returns the shapes of the other part after a match: with each difference of that shape, and with its texts. */
function shapesAfter (first: Match, shapes: readonly Shape[]): Shape[] {
  const { shape, chosen } = first
  const expected = new Map(shape.traits.filter(({ of }) => of !== 'arrangement')
    .map(({ change, cost }) => [change.finding, cost]))
  // The length of the other digest has shown its algorithm.
  const required = [...expected].filter(([, cost]) => cost > 0).map(([finding]) => finding)
  const known = new Map<TermName | undefined, Alternative>(shape.pieces.map(({ is }, index) => [is, chosen[index]!]))
  for (const name of [undefined, 'sid', 'orderIdOrNull'] as const) known.delete(name)
  return shapes.flatMap(own => {
    const traits = own.traits.filter(({ change }) => !expected.has(change.finding))
    const hasAll = required.every(finding => own.traits.some(({ change }) => change.finding === finding))
    if (!hasAll || traits.some(({ of }) => of === 'scheme')) return []
    const pieces = own.pieces.map(piece => {
      // The transactionId of an inquiry is both reference and order ID: a change applies to both.
      const isReference = piece.is === 'orderIdOrNull' && own.context.terms.referenceNumber === piece.text
      const other = known.get(isReference ? 'referenceNumber' : piece.is)
      return other === undefined || (isReference && other.changes === 0) ? piece : withKnown(piece, other)
    })
    const cost = costOf(traits)
    return [{ ...own, pieces, traits, cost, maxChanges: cost === 0 ? 3 : own.maxChanges, after: first }]
  })
}

/** Readings of one or two parts, in the order of the search. */
type Way = readonly Match[]

const costIn = (way: Way): number => way.reduce((sum, { cost }) => sum + cost, 0)

/** Returns the number of differences. A change of a term in both parts is one. */
function mistakesIn (way: Way): number {
  const mistakes = way.flatMap(({ shape: { traits, pieces }, chosen }) => [
    ...traits.filter(({ cost }) => cost > 0).map(({ change }) => change.finding),
    ...chosen.flatMap((signed, index) => Array.from({ length: isChanged(signed) ? Math.max(1, signed.changes) : 0 },
      (_, step) => `${pieces[index]!.is} ${signed.text} ${step}`))
  ])
  return new Set(mistakes).size
}

/** Returns the ways with the fewest mistakes, the cheapest first. */
function likeliestOf (ways: readonly Way[]): Way[] {
  const fewest = Math.min(...ways.map(mistakesIn))
  const best = ways.filter(way => mistakesIn(way) === fewest)
  return best.toSorted((one, other) => costIn(one) - costIn(other)).slice(0, maxCauses)
}

/** Result of the search: the finding for each part, and the likeliest ways. */
export interface Found {
  readonly part1: PartFinding
  readonly part2: PartFinding
  readonly assignment?: Assignment
  readonly ways: readonly Way[]
}

/**
 * Searches part 1 first, which contains no token and has terms in common with part 2. If no simple change explains part
 * 1, part 2 is searched first. Without a token, part 2 is not searched.
 *
 * @param shapesIn - returns the shapes of a part that can have a cost; the first is right, or has another algorithm
 */
export function findMistakes (
  search: Search, shapesIn: (part: Part, cost: number) => readonly Shape[], assignments: readonly Assignment[]
): Found {
  const hasToken = shapesIn('part2', 0)[0]!.context.terms.merchantToken !== ''
  /** Returns the finding for a part, regardless of the changes in the other part. */
  const findingOf = (part: Part, isFound: boolean): PartFinding => {
    const [{ pieces, form, traits }] = shapesIn(part, 0) as [Shape]
    const right = form.hash(pieces.map(({ text }) => text).join(''), '')
    const isRight = traits.length === 0 && assignments[0]![part] === right
    return !isFound ? 'unexplained' : isRight ? 'matches' : 'explained'
  }
  // A part that matches is searched first, so that the other part cannot contradict it.
  const passes = [
    ...findingOf('part2', true) === 'matches' ? [] : [['part1', 'part2', quick] as const],
    ['part2', 'part1', quick] as const, ['part1', 'part2', costOfValues] as const
  ]
  for (const [one, other, most] of passes) {
    if (one === 'part2' && !hasToken) continue
    const digests = assignments.map(assignment => assignment[one] ?? '')
    const firsts = search.find(one, cost => shapesIn(one, cost), digests, most, shareOfFirst)
    const [first] = firsts
    if (first === undefined) continue
    const assignment = assignments.find(assignment => assignment[one] === first.digest)!
    const digest = hasToken ? assignment[other] : undefined
    const isPlain = firsts.every(({ shape }) => shape.cost === 0)
    const made = new Map<readonly Shape[], Shape[]>()
    const shapesAt = (cost: number): readonly Shape[] => {
      const shapes = shapesIn(other, isPlain ? cost : Infinity)
      return made.get(shapes) ?? made.set(shapes, firsts.flatMap(first => shapesAfter(first, shapes))).get(shapes)!
    }
    const seconds = digest === undefined ? [] : search.find(other, shapesAt, [digest], costOfValues)
    const both = seconds.map(second => [second.shape.after!, second])
    const ways = both.length === 0 ? firsts.map(match => [match]) : both
    const ofOther = digest !== undefined ? findingOf(other, seconds.length > 0) : hasToken ? 'explained' : 'unsearched'
    const findings = { [one]: findingOf(one, true), [other]: ofOther } as Record<Part, PartFinding>
    return { ...findings, assignment, ways: likeliestOf(ways) }
  }
  return { part1: 'unexplained', part2: hasToken ? 'unexplained' : 'unsearched', ways: [] }
}
