import { costOfMore, unchanged, type Alternative } from './alternatives.js'
import type { Computation } from './computation.js'
import type { TermName } from './context.js'
import { layoutsOf, ownLayout, type Layout } from './layouts.js'
import { namesIn, type Part, type Scenario } from './scenarios.js'
import type { Match, Piece, Start, Starts } from './search.js'

/** Terms of both parts. */
export const shared: ReadonlyArray<Piece['is']> = ['clientTimeStamp', 'amount', 'referenceNumber']

/** The texts of terms that the match of one part shows for the other part. */
type Settled = ReadonlyMap<Piece['is'], Alternative>

/** Cost of different texts for one term in the two parts, and its limit with the cost of the change. */
const disagreement = 3
const maxDisagreement = 11

const only = (alternative: Alternative): Piece['at'] => cost => cost === 0 ? [alternative] : []

/** Returns the piece of a term. The match of the other part may show its text. */
function pieceOf (is: TermName, { alternatives, context }: Scenario, settled: Settled): Piece {
  const own = alternatives.get(is)!
  // The transactionId of an inquiry is both reference and order ID: a change applies to both.
  const isReference = is === 'orderIdOrNull' && context.terms.referenceNumber === own.right.text
  const known = settled.get(isReference ? 'referenceNumber' : is)
  if (known === undefined || (isReference && known.changes === 0)) return { is, at: cost => own.at(cost) }
  const agreeing = only({ ...known, changes: 0 })
  // The unchanged text is a disagreement only if the other part has a changed text.
  const least = disagreement + (known.changes === 0 ? 1 : 0)
  return { is, at: cost => cost < least || cost > maxDisagreement ? agreeing(cost) : own.at(cost - disagreement) }
}

/** A layout with its pieces. */
type Placed = Pick<Start, 'layout' | 'pieces'>

/** Least cost of all other layouts, computations and scenarios. */
const leastCost = 2

/**
 * Returns the starts of a part, after a match of the other part. The first scenario and computation are right. There
 * are thousands of starts, and most searches need two: the others are made when the search reaches their cost.
 */
export function startsOf (
  part: Part, scenarios: readonly Scenario[], computations: readonly Computation[], hypotheses?: ReadonlySet<string>,
  first?: Match
): Starts {
  const known = first?.start.pieces.map(({ is }, index) => [is, first.chosen[index]!] as const) ?? []
  const settled: Settled = new Map(known.filter(([is]) => is === 'merchantToken' || is === 'accountNumber' || shared.includes(is)))

  /** Returns a layout with its pieces. All computations share them: most starts are never searched. */
  const placed = (scenario: Scenario, layout: Layout): Placed => ({
    layout,
    pieces: layout.pieces.map(is => typeof is === 'string'
      ? pieceOf(is, scenario, settled)
      : { is: undefined, at: only(unchanged(is.text)) })
  })
  const ownOf = (scenario: Scenario, tokenInText: boolean): Placed =>
    placed(scenario, ownLayout(namesIn(part, scenario.context, tokenInText)))

  function startOf (scenario: Scenario, computation: Computation, { layout, pieces }: Placed): Start {
    const costs = [scenario.cost, computation.cost, layout.cost].filter(cost => cost > 0)
    const cost = costs.reduce((sum, cost) => sum + costOfMore + cost, costs.length > 0 ? -costOfMore : 0)
    return { scenario, computation, layout, pieces, first, cost }
  }
  const right = scenarios[0]!
  const plain = [startOf(right, computations[0]!, ownOf(right, computations[0]!.tokenInText))]
  let all: readonly Start[] | undefined
  function startsWith (scenario: Scenario): Start[] {
    const { context: { terms }, cost: ownCost, hasOtherToken } = scenario
    const keyed = computations.filter(({ digestWith }) => digestWith !== undefined)
    // One function for all: the search explains a match by each start that has the same.
    const digest = keyed[0]?.digestWith!(terms.merchantToken)
    const own = hasOtherToken ? keyed.map(computation => ({ ...computation, digest: digest! })) : computations
    const [withToken, withoutToken] = [ownOf(scenario, true), ownOf(scenario, false)]
    return own.flatMap(computation => {
      const { wrap, cost, changes, components, tokenInText } = computation
      const names = namesIn(part, scenario.context, tokenInText)
      const own = startOf(scenario, computation, tokenInText ? withToken : withoutToken)
      // A change of one term is found without a change of all terms.
      const isAlone = cost > 0 && changes.at(-1)!.hypothesis === 'terms-changed' &&
        names.filter(name => wrap!(terms[name], name) !== terms[name]).length < 2
      if (isAlone || (ownCost > 0 && components.length > 1)) return []
      if (computation !== computations[0]) return [own]
      const others = layoutsOf(part, scenario, names).slice(1)
        .filter(({ changes }) => changes.every(({ hypothesis }) => hypotheses?.has(hypothesis) !== false))
        .map(layout => startOf(scenario, computation, placed(scenario, layout)))
      return [scenario === right ? plain[0]! : own, ...others]
    })
  }
  return cost => {
    if (cost - (first?.cost ?? 0) < leastCost) return plain
    all ??= scenarios.flatMap(startsWith)
    return all
  }
}
