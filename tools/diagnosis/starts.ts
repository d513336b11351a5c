import { Alternatives, costOfMore, unchanged, type Alternative } from './alternatives.js'
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

  function startOf (scenario: Scenario, computation: Computation, layout: Layout): Start {
    const pieces = layout.pieces.map(is => typeof is === 'string'
      ? pieceOf(is, scenario, settled)
      : { is: undefined, at: only(unchanged(is.text)) })
    const costs = [scenario.cost, computation.cost, layout.cost].filter(cost => cost > 0)
    const cost = costs.reduce((sum, cost) => sum + costOfMore + cost, costs.length > 0 ? -costOfMore : 0)
    return { scenario, computation, layout, pieces, first, cost }
  }
  function plainOf (scenario: Scenario, computation: Computation): Start[] {
    const names = namesIn(part, scenario.context, computation.tokenInText)
    const own = startOf(scenario, computation, ownLayout(names))
    // A change of a whole text is found in part 1, whose search is faster.
    if (part === 'part2' && first === undefined) return [own]
    const text = names.map(name => settled.get(name)?.text ?? scenario.context.terms[name]).join('')
    const whole = new Alternatives('text', text, [], hypotheses)
    const pieces: Piece[] = [{ is: 'text', at: cost => cost === 0 ? [] : whole.at(cost) }]
    return [own, { ...own, pieces, cost: 1 }]
  }
  const plain = plainOf(scenarios[0]!, computations[0]!)
  let all: readonly Start[] | undefined
  /** Returns the starts in which the token is a key. */
  function startsWithKey (scenario: Scenario): Start[] {
    const keyed = computations.filter(({ digestWith, components }) =>
      digestWith !== undefined && components.length === 1)
    const digest = keyed[0]?.digestWith!(scenario.context.terms.merchantToken)
    return keyed.map(computation => startOf(
      scenario, { ...computation, digest: digest! }, ownLayout(namesIn(part, scenario.context, computation.tokenInText))
    ))
  }
  function startsWith (scenario: Scenario, computation: Computation): Start[] {
    const names = namesIn(part, scenario.context, computation.tokenInText)
    // A change of one term is found without a change of all terms.
    const { wrap, cost, changes } = computation
    const isAlone = cost > 0 && changes.at(-1)!.hypothesis === 'terms-changed' &&
      names.filter(name => wrap!(scenario.context.terms[name], name) !== scenario.context.terms[name]).length < 2
    if (isAlone || (scenario.cost > 0 && computation.components.length > 1)) return []
    const layouts = computation === computations[0] ? layoutsOf(part, scenario, names) : [ownLayout(names)]
    const [own, ...all] = layouts
    const others = all.filter(({ changes }) => changes.every(({ hypothesis }) => hypotheses?.has(hypothesis) !== false))
    return scenario === scenarios[0] && computation === computations[0]
      ? [plain[0]!, ...others.map(layout => startOf(scenario, computation, layout)), ...plain.slice(1)]
      : [own!, ...others].map(layout => startOf(scenario, computation, layout))
  }
  const makeAll = (): readonly Start[] => scenarios.flatMap(scenario => scenario.hasOtherToken
    ? startsWithKey(scenario)
    : computations.flatMap(computation => startsWith(scenario, computation)))
  return cost => {
    if (cost - (first?.cost ?? 0) < leastCost) return plain
    all ??= makeAll()
    return all
  }
}
