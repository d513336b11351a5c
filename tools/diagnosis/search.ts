import { costOfMore, unchanged, type Alternative, type Alternatives } from './alternatives.js'
import type { DiagnoseOptions } from './diagnosis.js'
import { keyOf, textOf, type Piece, type Shape } from './shapes.js'

/** Texts of the pieces of a shape that yield a digest. */
export interface Match {
  readonly shape: Shape
  readonly chosen: readonly Alternative[]
  /** The hashed text, and the key of the hash. */
  readonly text: string
  readonly key: string
  readonly digest: string
  readonly cost: number
}

/** Cost of different texts for one term in the two parts, and its limit with the cost of the change. */
const disagreement = 2
const maxDisagreement = 11

/** Highest cost of one of two changes, and of both: costlier ones are too many. One more if the other part is known. */
const maxCostBeside = 7
const maxCostOfBoth = 12

/** Highest cost of a change in a shape that differs, and of both: there are thousands of such shapes. */
const maxCostInShape = 6
const maxCostWithShape = 14

/** Number of texts that are hashed between two calls of `onProgress`. */
const pace = 50_000

/** Returns the text that the other part shows for a piece. */
function knownOf ({ known, scheme: { context: { terms } } }: Shape, { is, text }: Piece): Alternative | undefined {
  if (is === undefined) return undefined
  // The transactionId of an inquiry is both reference and order ID: a change applies to both.
  const isReference = is === 'orderIdOrNull' && terms.referenceNumber === text
  const own = known.get(isReference ? 'referenceNumber' : is)
  return isReference && own?.changes === 0 ? undefined : own
}

/** Returns the texts that may stand for a piece at a cost. */
export function at (shape: Shape, piece: Piece, cost: number): Iterable<Alternative> {
  if (piece.is === undefined) return cost === 0 ? [unchanged(piece.text)] : []
  const own = shape.scheme.alternatives.get(piece.is) as Alternatives
  const known = knownOf(shape, piece)
  if (known === undefined) return own.at(cost)
  if (cost === 0) return [{ ...known, changes: 0 }]
  // The unchanged text is a disagreement only if the other part has a changed text.
  const least = disagreement + (known.changes === 0 ? 1 : 0)
  return cost < least || cost > maxDisagreement ? [] : own.at(cost - disagreement)
}

/**
 * Visits the texts of exactly this cost, with at most two changed terms, until `visit` returns false. All visits get
 * the same array.
 */
function visitTexts (
  shape: Shape, cost: number, limit: number, visit: (chosen: readonly Alternative[]) => boolean
): boolean {
  const left = cost - shape.cost - (shape.cost > 0 ? costOfMore : 0)
  const most = Math.min(limit, shape.maxChanges)
  const isTooCostly = left <= 0 || most === 0 || (shape.cost > 0 && (left > maxCostInShape || cost > maxCostWithShape))
  if (cost > shape.cost && isTooCostly) return true
  const more = Number(shape.known.size > 0)
  const chosen = shape.pieces.flatMap(piece => [...at(shape, piece, 0)])
  if (cost === shape.cost) return visit(chosen)
  for (const [index, piece] of shape.pieces.entries()) {
    const right = chosen[index]!
    for (const one of at(shape, piece, left)) {
      chosen[index] = one
      if (one.changes <= most && !visit(chosen)) return false
    }
    for (const [later, other] of most > 1 ? shape.pieces.entries() : []) {
      // Terms that the other part shows have few other texts.
      const areKnown = [piece, other].every(piece => knownOf(shape, piece) !== undefined)
      if (later <= index || (left > maxCostOfBoth + more && !areKnown)) continue
      const rightOfOther = chosen[later]!
      for (let own = left - costOfMore - 1; own > 0; own--) {
        const rest = left - costOfMore - own
        if (Math.max(own, rest) > maxCostBeside + (areKnown ? disagreement + 1 : more)) continue
        for (const one of at(shape, piece, own)) {
          chosen[index] = one
          for (const two of at(shape, other, rest)) {
            chosen[later] = two
            if (one.changes + two.changes <= most && !visit(chosen)) return false
          }
        }
      }
      chosen[later] = rightOfOther
    }
    chosen[index] = right
  }
  return true
}

type Bounds = { readonly [name in 'maxChanges' | 'maxTries' | 'onProgress']-?: NonNullable<DiagnoseOptions[name]> }

/** Hashes texts until a digest is found, the cheapest changes first. */
export class Search {
  /** Number of texts that were hashed. */
  tries = 0
  /** True if the limit of texts was reached. */
  isExhausted = false
  #work = 0
  readonly #bounds: Bounds

  constructor (bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Returns the cheapest match of shapes in the order of their likelihood. `share` is that of the limit of texts. */
  find (
    shapesAt: (cost: number) => readonly Shape[], digests: readonly string[], limit: number, share: number
  ): Match | undefined {
    let match: Match | undefined
    const most = this.#bounds.maxTries * share
    for (let cost = 0; cost <= limit; cost++) {
      // The shape of the scheme is last. It has the most texts, and only its search may reach the limit.
      const within = shapesAt(cost).filter(shape => shape.cost <= cost)
      for (const shape of within.toSorted((one, other) => Number(other.cost > 0) - Number(one.cost > 0))) {
        const goesOn = visitTexts(shape, cost, this.#bounds.maxChanges, chosen => {
          if (this.tries + this.#work >= most) {
            this.isExhausted = true
            return false
          }
          const text = textOf(shape, chosen)
          this.#work += text.length >> 9 // long texts take longer to hash
          if (++this.tries % pace === 0) this.#bounds.onProgress(this.tries)
          const key = keyOf(shape, chosen)
          const digest = shape.form.hash(text, key)
          if (digests.includes(digest)) match = { shape, chosen: [...chosen], text, key, digest, cost }
          return match === undefined
        })
        if (!goesOn) return match
      }
    }
    return undefined
  }
}
