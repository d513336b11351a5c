import { costOfMore } from './alternatives.js'
import type { Alternative } from './alternatives.js'
import type { Computation } from './computation.js'
import type { TermName } from './context.js'
import type { Extra, Layout } from './layouts.js'
import type { Scenario } from './scenarios.js'

/** A piece of a text: what it is, and what may stand for it. */
export interface Piece {
  readonly is: TermName | Extra | 'whole'
  readonly at: (cost: number) => readonly Alternative[]
}

/** Where to begin: what may be hashed, and how. */
export interface Start {
  readonly scenario: Scenario
  readonly computation: Computation
  readonly layout: Layout
  readonly pieces: readonly Piece[]
  /** What it costs. */
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

/** Tries texts until their digests are found, the cheapest changes first. */
export class Search {
  /** How many texts were hashed. */
  tries = 0
  /** Whether the bound was reached. */
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

  /** Visits every text of a start at exactly this cost. */
  #visit (
    { pieces, computation: { before, between, after, skipsEmpty }, isChanged }: Start, cost: number,
    isPossible: ((text: string) => boolean) | undefined, visit: (text: string, chosen: readonly Alternative[]) => void
  ): void {
    const chosen: Alternative[] = []
    const last = pieces.length - 1
    const choose = (index: number, text: string, left: number, changes: number, more: number): void => {
      const { at } = pieces[index]!
      // The last piece takes all that is left; the others all of it, or as much as leaves enough for another one.
      for (let own = index === last && left > 0 ? left - more : left; own >= 0; own--) {
        const rest = own === 0 ? left : left - more - own
        const next = own === 0 ? more : costOfMore
        if (rest < 0 || (rest > 0 && (index === last || rest <= next)) || (own > 0 && changes === 0)) continue
        if (own > maxCostBeside && rest + more > 0) continue
        for (const alternative of at(own)) {
          if (this.isExhausted) return
          if (alternative.changes > changes) continue
          const isFirst = text === before
          const separator = index === 0 || (skipsEmpty && (isFirst || alternative.text === '')) ? '' : between
          const longer = text + separator + alternative.text
          if (isPossible !== undefined && !isPossible(longer)) continue
          chosen[index] = alternative
          if (index === last) visit(longer + after, chosen)
          else choose(index + 1, longer, rest, changes - alternative.changes, next)
        }
      }
    }
    choose(0, before, cost, this.#maxChanges, isChanged ? costOfMore : 0)
  }

  /** The cheapest matches. */
  run (starts: readonly Start[], digests: ReadonlySet<string>): Match[] {
    const matches: Match[] = []
    const max = Math.max(...starts.map(({ maxCost }) => maxCost))
    for (let cost = 0; cost <= max && matches.length === 0; cost++) {
      for (const start of starts) {
        if (start.cost > cost || start.maxCost < cost) continue
        this.#visit(start, cost - start.cost, undefined, (text, chosen) => {
          if (this.tries + this.#work >= this.#maxTries) {
            this.isExhausted = true
            return
          }
          if (++this.tries % pace === 0) this.#onProgress(this.tries)
          this.#work += text.length >> 9 // long texts take longer to hash
          const digest = start.computation.digest(text)
          if (digests.has(digest)) matches.push({ start, chosen: [...chosen], text, digest, cost })
        })
      }
    }
    return matches
  }

  /** All the ways that lead to the text of a match, the cheapest first. */
  explain (starts: readonly Start[], match: Match): Match[] {
    const { text, digest, start: { computation }, cost: known } = match
    const ways = match.start.pieces[0]?.is === 'whole' ? [match] : []
    for (const start of starts) {
      if (start.computation.digest !== computation.digest || start.pieces[0]?.is === 'whole') continue
      for (let cost = start.cost; cost <= Math.min(known + 2, start.maxCost); cost++) {
        this.#visit(start, cost - start.cost, prefix => text.startsWith(prefix), (other, chosen) => {
          if (other === text) ways.push({ start, chosen: [...chosen], text, digest, cost })
        })
      }
    }
    return ways.sort((one, other) => one.cost - other.cost)
  }
}
