import { Alternatives, costOfMore, unchanged } from './alternatives.js'
import type { Alternative } from './alternatives.js'
import type { Computation } from './computation.js'
import type { TermName } from './context.js'
import { layoutsOf, ownLayout, reorderings } from './layouts.js'
import type { Layout } from './layouts.js'
import { namesIn } from './scenarios.js'
import type { Part, Scenario } from './scenarios.js'
import type { Match, Piece, Start } from './search.js'

/** What both parts have. */
export const shared: ReadonlyArray<Piece['is']> = ['clientTimeStamp', 'amount', 'referenceNumber']

/** What one part says about the terms of the other. */
const settledBy = ({ start: { pieces }, chosen }: Match): ReadonlyMap<Piece['is'], Alternative> =>
  new Map(pieces.flatMap(({ is }, index) => shared.includes(is) ? [[is, chosen[index]!]] : []))

const only = (alternative: Alternative): Piece['at'] => cost => cost === 0 ? [{ ...alternative, changes: 0 }] : []

/** What it costs that one of two texts from one field was changed. */
const costOfOneOnly = 3

function pieceOf (is: TermName, { alternatives, context }: Scenario, settled: ReturnType<typeof settledBy>): Piece {
  const known = settled.get(is)
  if (known !== undefined) return { is, at: only(known) }
  const own = alternatives.get(is)!
  const reference = settled.get('referenceNumber')
  if (is !== 'orderIdOrNull' || !reference?.changes || context.terms.referenceNumber !== own.right.text) {
    return { is, at: cost => own.at(cost) }
  }
  // An inquiry's transactionId is both its reference and its order id: what happened to one happened to the other.
  return { is, at: cost => cost === 0 ? only(reference)(0) : cost === costOfOneOnly ? [own.right] : own.at(cost) }
}

/** Under what to begin; of scenarios and computations the first is the likeliest. */
interface Given {
  readonly part: Part
  readonly scenarios: readonly Scenario[]
  readonly computations: readonly Computation[]
  /** How the other part came about, if that is known. */
  readonly first?: Match
  /** Whether what both parts have is the same in both. */
  readonly agrees?: boolean
  /** The most that changes of this part cost. */
  readonly limit: number
}

/** What it costs besides that the parts do not agree. */
const costOfDisagreement = 3

/** All the ways to begin with a part. */
export function startsOf ({ part, scenarios, computations, first, agrees = true, limit }: Given): Start[] {
  const settled = agrees && first !== undefined ? settledBy(first) : new Map<Piece['is'], Alternative>()
  const paid = (first?.cost ?? 0) + (agrees ? 0 : costOfDisagreement)
  const found: Start[] = []
  for (const scenario of scenarios) {
    for (const computation of computations) {
      const names = namesIn(part, scenario.context, computation.tokenInText)
      const add = (layout: Layout, pieces: readonly Piece[]): void => {
        const own = [scenario, computation, layout].reduce((sum, { cost }) =>
          sum + cost + (sum * cost > 0 ? costOfMore : 0), 0)
        if (own > limit) return
        const costs = { cost: paid + own, isChanged: own > 0, maxCost: paid + limit }
        found.push({ scenario, computation, layout, pieces, first, ...costs })
      }
      const isPlain = computation === computations[0]
      for (const layout of isPlain ? layoutsOf(part, scenario.context, names) : [ownLayout(names)]) {
        add(layout, layout.pieces.map(is => typeof is === 'string'
          ? pieceOf(is, scenario, settled)
          : { is: undefined, at: only(unchanged(is.text)) }))
      }
      if (isPlain && scenario === scenarios[0] && (part === 'part1' || first !== undefined)) {
        const texts = names.map(name => settled.get(name)?.text ?? scenario.context.terms[name])
        let whole: Alternatives | undefined
        const at = (cost: number): readonly Alternative[] => {
          whole ??= new Alternatives('text', texts.join(''), reorderings(names, texts))
          return cost === 0 ? [] : whole.at(cost)
        }
        add({ ...ownLayout(names), cost: 1 }, [{ is: 'text', at }])
      }
    }
  }
  return found
}
