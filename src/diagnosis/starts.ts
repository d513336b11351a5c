import { Alternatives, unchanged } from './alternatives.js'
import type { Alternative } from './alternatives.js'
import type { Computation } from './computation.js'
import type { TermName } from './context.js'
import { layoutsOf, reorderings } from './layouts.js'
import type { Layout } from './layouts.js'
import { namesIn } from './scenarios.js'
import type { Part, Scenario } from './scenarios.js'
import type { Match, Piece, Start } from './search.js'

/** What one part says about the terms of the other. */
export type Settled = ReadonlyMap<TermName, Alternative>

/** What both parts have. */
export const shared: readonly TermName[] = ['clientTimeStamp', 'amount', 'referenceNumber']

export function settledBy ({ start: { pieces }, chosen }: Match): Settled {
  const found = new Map<TermName, Alternative>()
  for (const [index, { is }] of pieces.entries()) {
    const term = is as TermName
    if (shared.includes(term) && !found.has(term)) found.set(term, chosen[index]!)
  }
  return found
}

const only = (alternative: Alternative): Piece['at'] => cost => cost === 0 ? [{ ...alternative, changes: 0 }] : []

function pieceOf (is: Piece['is'], scenario: Scenario, settled: Settled): Piece {
  if (typeof is !== 'string') return { is, at: only(unchanged(is.text)) }
  const term = is as TermName
  const known = settled.get(term)
  if (known !== undefined) return { is, at: only(known) }
  const alternatives = scenario.alternatives(term)
  const reference = settled.get('referenceNumber')
  if (term !== 'orderIdOrNull' || !reference?.changes || scenario.context.terms.referenceNumber !== alternatives.right.text) {
    return { is, at: cost => alternatives.at(cost) }
  }
  // An inquiry's transactionId is both its reference and its order id: what happened to one happened to the other.
  return { is, at: cost => cost === 0 ? only(reference)(0) : cost === 3 ? [alternatives.right] : alternatives.at(cost) }
}

/** Under what to begin; of scenarios and computations the first is the likeliest. */
interface Given {
  readonly part: Part
  readonly scenarios: readonly Scenario[]
  readonly computations: readonly Computation[]
  readonly settled?: Settled
  /** How the other part came about. */
  readonly first?: Match
  /** The most that changes cost. */
  readonly limit: number
  /** What the changes of the other part cost. */
  readonly paid?: number
}

/** What another order of all the terms costs: where one was moved, that has been tried before. */
const costOfOrder = 7

/** All the ways to begin with a part. Those that differ much from the specification's may be changed less besides. */
export function startsOf (given: Given): Start[] {
  const { part, scenarios, computations, settled = new Map(), first, limit, paid = 0 } = given
  const found: Start[] = []
  const same = first?.start.layout.pieces.find(piece => typeof piece !== 'string')?.name
  const sameWhole = first?.start.pieces[0]?.is === 'whole' ? first.chosen[0] : undefined
  const add = (
    scenario: Scenario, computation: Computation, layout: Layout, pieces: readonly Piece[], more: number
  ): void => {
    const own = scenario.cost + computation.cost + layout.cost
    const cost = paid + own
    const maxCost = Math.max(cost, Math.min(cost + more, paid + limit))
    found.push({ scenario, computation, layout, pieces, cost, isChanged: own > 0, maxCost })
  }
  for (const scenario of scenarios) {
    for (const computation of computations) {
      const isPlain = computation === computations[0]
      const isBase = scenario === scenarios[0]
      const names = namesIn(part, scenario.context, computation.tokenInText)
      for (const layout of layoutsOf(part, scenario.context, names, same)) {
        const pieces = layout.pieces.map(is => pieceOf(is, scenario, settled))
        if (layout.cost === 0 && layout.changes.length === 0) {
          add(scenario, computation, layout, pieces, isPlain ? limit : isBase ? 9 : 0)
          if (!isPlain || !isBase) break
          const texts = names.map(name => settled.get(name)?.text ?? scenario.context.terms[name])
          let made: Alternatives | undefined
          const at: Piece['at'] = cost => {
            if (cost === 0 && sameWhole === undefined) return []
            made ??= new Alternatives('whole', texts.join(''))
            if (cost === 0) return made.like(sameWhole!)
            return cost === costOfOrder ? [...made.at(cost), ...reorderings(made.right, names, texts)] : made.at(cost)
          }
          add(scenario, computation, { ...layout, cost: 1 }, [{ is: 'whole', at }], 9)
        } else {
          add(scenario, computation, layout, pieces, layout.cost > 3 ? 7 : 10)
        }
      }
    }
  }
  return found
}
