import { costOfMore, type Alternative } from './alternatives.js'
import type { Computation } from './computation.js'
import type { TermName } from './context.js'
import type { DiagnoseOptions } from './diagnosis.js'
import type { Layout } from './layouts.js'
import type { Scenario } from './scenarios.js'

/** A piece of a hashed text, with its alternatives by cost. `is` is undefined for a text that belongs to no term. */
export interface Piece {
  readonly is: TermName | undefined
  readonly at: (cost: number) => readonly Alternative[]
}

/** A start of the search: the pieces to hash, and the computation. */
export interface Start {
  readonly scenario: Scenario
  readonly computation: Computation
  readonly layout: Layout
  readonly pieces: readonly Piece[]
  /** The match of the other part, if it was found. */
  readonly first: Match | undefined
  /** Cost without the cost of `first`. */
  readonly cost: number
}

/** Returns the ways to begin that can cost so much. */
export type Starts = (cost: number) => readonly Start[]

/** Chosen texts that yield a digest. */
export interface Match {
  readonly start: Start
  readonly chosen: readonly Alternative[]
  /** The hashed text. */
  readonly text: string
  readonly digest: string
  readonly cost: number
}

/** Another explanation of a text may cost this much more than the cheapest one. */
export const maxDistance = 1

/** Highest cost of a change that is combined with changes of other terms. Costlier changes are too many to combine. */
const maxCostBeside = 8

/** Number of texts that are hashed between two calls of `onProgress`. */
const pace = 50_000

/** Visits each text of exactly this cost with possible beginnings, until `visit` returns false. */
function visitTexts (
  { pieces, computation, first, cost: own }: Start, cost: number, maxChanges: number,
  isPossible: (text: string) => boolean, visit: (text: string, chosen: readonly Alternative[]) => boolean
): boolean {
  const { before, between, after, skipsEmpty, wrap } = computation
  const chosen: Alternative[] = []
  const last = pieces.length - 1
  const choose = (index: number, text: string, left: number, changes: number, more: number): boolean => {
    const { at, is } = pieces[index]!
    // The last piece uses the whole remaining cost. The others use all of it, or leave enough for a later change.
    for (let own = index === last && left > 0 ? left - more : left; own >= 0; own--) {
      const rest = own === 0 ? left : left - more - own
      const next = own === 0 ? more : costOfMore
      if (rest < 0 || (rest > 0 && (index === last || rest <= next)) || (own > 0 && changes === 0)) continue
      if (own > maxCostBeside && rest + more > 0) continue
      for (const alternative of at(own)) {
        if (alternative.changes > changes) continue
        const isSkipped = skipsEmpty && alternative.text === ''
        const separator = index === 0 || isSkipped || (skipsEmpty && text === before) ? '' : between
        const longer = text + separator +
          (wrap === undefined || isSkipped || is === undefined ? alternative.text : wrap(alternative.text, is))
        if (!isPossible(longer)) continue
        chosen[index] = alternative
        const goesOn = index === last
          ? visit(longer + after, chosen)
          : choose(index + 1, longer, rest, changes - alternative.changes, next)
        if (!goesOn) return false
      }
    }
    return true
  }
  const left = cost - own - (first?.cost ?? 0)
  return left < 0 || choose(0, before, left, maxChanges, own > 0 ? costOfMore : 0)
}

type Bounds = { readonly [name in 'maxChanges' | 'maxTries' | 'onProgress']-?: NonNullable<DiagnoseOptions[name]> }

/** Hashes texts until their digests are found, the cheapest changes first. */
export class Search {
  /** Number of texts that were hashed. */
  tries = 0
  /** True if the limit of texts was reached. After a match, it is nine tenths: the rest is for the other part. */
  isExhausted = false
  #work = 0
  readonly #bounds: Bounds

  constructor (bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Counts a text. Returns false if a share of the limit is reached. */
  count (share: number, text: string): boolean {
    if (this.tries + this.#work >= this.#bounds.maxTries * share) return false
    this.#work += text.length >> 9 // long texts take longer to hash
    if (++this.tries % pace === 0) this.#bounds.onProgress(this.tries)
    return true
  }

  /** Returns the cheapest matches, with changes of this part that cost no more than the limit. */
  run (starts: Starts, digests: readonly string[], limit: number, share: number): Match[] {
    const matches: Match[] = []
    const isWithin = ({ first }: Start, cost: number): boolean => cost <= (first?.cost ?? 0) + limit
    for (let cost = 0; matches.length === 0; cost++) {
      const within = starts(cost).filter(start => isWithin(start, cost))
      if (within.length === 0) return matches
      // The plain scheme is searched last. It has the most candidates, and only its search may reach the limit.
      for (const start of within.toReversed()) {
        // Two wrong computations at once, and wrapped terms, are searched without another change.
        const { components, wrap } = start.computation
        const most = components.length > 1 || wrap !== undefined ? 0 : start.cost > 0 ? 1 : Infinity
        const maxChanges = Math.min(most, this.#bounds.maxChanges)
        const isDone = visitTexts(start, cost, maxChanges, () => true, (text, chosen) => {
          // After a match, the search goes on with texts of the same cost, and keeps a tenth for the other part.
          if (!this.count(share * (matches.length > 0 ? 0.9 : 1), text)) return false
          const digest = start.computation.digest(text)
          if (digests.includes(digest)) matches.push({ start, chosen: [...chosen], text, digest, cost })
          return true
        })
        if (!isDone) {
          this.isExhausted = true
          return matches
        }
      }
    }
    return matches
  }

  /** Returns all combinations of changes that lead to the text of a match, the cheapest first. */
  explain (starts: Starts, { text, digest, start: { computation }, cost: known }: Match): Match[] {
    const ways: Match[] = []
    for (let cost = 0; cost <= known + maxDistance; cost++) {
      for (const start of starts(cost)) {
        if (start.computation.digest !== computation.digest) continue
        visitTexts(start, cost, this.#bounds.maxChanges, prefix => text.startsWith(prefix), (other, chosen) => {
          if (other === text) ways.push({ start, chosen: [...chosen], text, digest, cost })
          return true
        })
      }
    }
    return ways
  }
}
