import { costOfMore, isChanged, type Alternative, type Alternatives } from './alternatives.js'
import type { TermName } from './context.js'
import type { Match } from './search.js'
import { shared } from './starts.js'

/** Limit of the cost of a change by which a neighbour explains a difference. */
export const maxCostOfReading = 9

/**
 * Returns other explanations of a text in which a term ends elsewhere: the digest proves the text, not where a term
 * ends. Each gives a part of the difference of a term, or all of it, to one of its neighbours, if a mistake is known
 * that makes that part.
 */
export function recut (match: Match): Match[] {
  const { start: { cost, computation: { between, wrap }, scenario, pieces }, chosen } = match
  if (cost > 0 || between !== '' || wrap !== undefined || pieces.length < 2) return []
  const alternativesAt = (index: number): Alternatives => scenario.alternatives.get(pieces[index]!.is as TermName)!
  return [...chosen.entries()].flatMap(([index, signed]) => {
    if (!isChanged(signed)) return []
    const { text, changes, cost } = signed
    const own = alternativesAt(index)
    const withFewerChanges = own.upTo(cost).filter(part => part === own.right || part.changes < changes)
    return [1, -1].flatMap(step => {
      const at = index + step
      // A field that the request does not have is no better explanation.
      if (chosen[at] === undefined || isChanged(chosen[at]) || chosen[at].text === '') return []
      const joined = step > 0 ? text + chosen[at].text : chosen[at].text + text
      return withFewerChanges.flatMap(part => {
        if (!(step > 0 ? joined.startsWith(part.text) : joined.endsWith(part.text))) return []
        const rest = step > 0 ? joined.slice(part.text.length) : joined.slice(0, joined.length - part.text.length)
        const ofNeighbour = alternativesAt(at).upTo(maxCostOfReading)
        const reading = ofNeighbour.find(({ text, changes }) => text === rest && changes === 1)
        if (reading === undefined) return []
        const more = part.cost + reading.cost + (part.cost > 0 ? costOfMore : 0)
        return [{ ...match, chosen: chosen.with(index, part).with(at, reading), cost: match.cost - cost + more }]
      })
    })
  })
}

/** Returns the match of the second part after another match of the first. Texts in which both agree are no change. */
export function after (first: Match, second: Match): Match {
  const before = new Map(first.start.pieces.map(({ is }, index) => [is, first.chosen[index]!.text]))
  const agreed = (alternative: Alternative, index: number): Alternative => {
    const { is } = second.start.pieces[index]!
    return shared.includes(is) && before.get(is) === alternative.text ? { ...alternative, changes: 0 } : alternative
  }
  const cost = second.cost - second.start.first!.cost + first.cost
  return { ...second, start: { ...second.start, first }, chosen: second.chosen.map(agreed), cost }
}
