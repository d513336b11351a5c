import { costOfMore } from './alternatives.js'
import type { Alternative } from './alternatives.js'
import type { Computation } from './computation.js'
import type { TermName } from './context.js'
import type { Layout } from './layouts.js'
import type { Scenario } from './scenarios.js'

/** A piece of a text: what it is, if it belongs there, and what may stand for it. `text` is all of it. */
export interface Piece {
  readonly is: TermName | 'text' | undefined
  readonly at: (cost: number) => readonly Alternative[]
}

/** Where to begin: what may be hashed, and how. */
export interface Start {
  readonly scenario: Scenario
  readonly computation: Computation
  readonly layout: Layout
  readonly pieces: readonly Piece[]
  /** How the other part came about, if that is known. */
  readonly first: Match | undefined
  /** What it costs, with that. */
  readonly cost: number
  /** Whether it is a change already. */
  readonly isChanged: boolean
  /** The most that all changes together may cost. */
  readonly maxCost: number
}

/** Texts that yield a digest. */
export interface Match {
  readonly start: Start
  readonly chosen: readonly Alternative[]
  /** What was hashed. */
  readonly text: string
  readonly digest: string
  readonly cost: number
}

/** What costs more does not go with changes of other terms: there is too much of it. */
const maxCostBeside = 8

/** How many texts are hashed between two calls of `onProgress`. */
const pace = 50_000

/**
 * Visits every text of a start at exactly this cost, until there is nothing left or `visit` returns false.
 *
 * @param isPossible - whether a text may begin like this
 */
function visitTexts (
  { pieces, computation: { before, between, after, skipsEmpty }, isChanged }: Start, cost: number, maxChanges: number,
  isPossible: (text: string) => boolean, visit: (text: string, chosen: readonly Alternative[]) => boolean
): boolean {
  const chosen: Alternative[] = []
  const last = pieces.length - 1
  const choose = (index: number, text: string, left: number, changes: number, more: number): boolean => {
    const { at } = pieces[index]!
    // The last piece takes all that is left; the others all of it, or as much as leaves enough for another one.
    for (let own = index === last && left > 0 ? left - more : left; own >= 0; own--) {
      const rest = own === 0 ? left : left - more - own
      const next = own === 0 ? more : costOfMore
      if (rest < 0 || (rest > 0 && (index === last || rest <= next)) || (own > 0 && changes === 0)) continue
      if (own > maxCostBeside && rest + more > 0) continue
      for (const alternative of at(own)) {
        if (alternative.changes > changes) continue
        const separator = index === 0 || (skipsEmpty && (text === before || alternative.text === '')) ? '' : between
        const longer = text + separator + alternative.text
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
  return choose(0, before, cost, maxChanges, isChanged ? costOfMore : 0)
}

/** Tries texts until their digests are found, the cheapest changes first. */
export class Search {
  /** How many texts were hashed. */
  tries = 0
  /** Whether the bound was reached; after a match that is nine tenths of it, for the sake of the other part. */
  isExhausted = false
  #work = 0
  readonly #maxChanges: number
  readonly #maxTries: number
  readonly #onProgress: (tries: number) => void

  constructor (maxChanges: number, maxTries: number, onProgress: (tries: number) => void) {
    this.#maxChanges = maxChanges
    this.#maxTries = maxTries
    this.#onProgress = onProgress
  }

  /** The cheapest matches. */
  run (starts: readonly Start[], digests: readonly string[]): Match[] {
    const matches: Match[] = []
    for (let cost = 0; matches.length === 0 && starts.some(({ maxCost }) => maxCost >= cost); cost++) {
      // The plain one comes last: if the bound is reached, then among its many texts, and the others have been tried.
      for (const start of starts.toReversed()) {
        if (start.cost > cost || start.maxCost < cost) continue
        const isDone = visitTexts(start, cost - start.cost, this.#maxChanges, () => true, (text, chosen) => {
          // What is as cheap as a match is searched as well, but enough is left for the other part.
          if (this.tries + this.#work >= this.#maxTries * (matches.length > 0 ? 0.9 : 1)) return false
          if (++this.tries % pace === 0) this.#onProgress(this.tries)
          this.#work += text.length >> 9 // long texts take longer to hash
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

  /** All the ways that lead to the text of a match, the cheapest first. */
  explain (starts: readonly Start[], { text, digest, start: { computation }, cost: known }: Match): Match[] {
    const ways: Match[] = []
    for (const start of starts) {
      if (start.computation.digest !== computation.digest) continue
      for (let cost = start.cost; cost <= known + 1; cost++) {
        visitTexts(start, cost - start.cost, this.#maxChanges, prefix => text.startsWith(prefix), (other, chosen) => {
          if (other === text) ways.push({ start, chosen: [...chosen], text, digest, cost })
          return true
        })
      }
    }
    return ways.sort((one, other) => one.cost - other.cost)
  }
}
