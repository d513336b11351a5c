import type { Alternative } from './alternatives.js'
import type { TermName } from './context.js'
import type { Match } from './search.js'
import { shared } from './starts.js'

/** Returns the text of the request for a piece. */
const rightOf = ({ start: { scenario, pieces } }: Match, index: number): string =>
  scenario.alternatives.get(pieces[index]!.is as TermName)!.right.text

/**
 * Returns other explanations of a text in which a term ends elsewhere: the digest proves the text, not where a term
 * ends. Each gives the whole difference of a term to one of its neighbours, if a mistake is known that makes it.
 */
export function recut (match: Match): Match[] {
  const { start: { cost, computation: { between, wrap }, scenario, pieces }, chosen } = match
  if (cost > 0 || between !== '' || wrap !== undefined || pieces.length < 2) return []
  const found: Match[] = []
  for (const [index, { text }] of chosen.entries()) {
    const right = rightOf(match, index)
    for (const step of text === right ? [] : [1, -1]) {
      const at = index + step
      const neighbour = chosen[at]
      if (neighbour === undefined || neighbour.text !== rightOf(match, at)) continue
      const joined = step > 0 ? text + neighbour.text : neighbour.text + text
      if (!(step > 0 ? joined.startsWith(right) : joined.endsWith(right))) continue
      const rest = step > 0 ? joined.slice(right.length) : joined.slice(0, joined.length - right.length)
      const reading = scenario.alternatives.get(pieces[at]!.is as TermName)!.reading(rest)
      if (reading === undefined) continue
      const own = scenario.alternatives.get(pieces[index]!.is as TermName)!.right
      const cost = match.cost - chosen[index]!.cost + reading.cost
      found.push({ ...match, chosen: chosen.with(index, own).with(at, reading), cost })
    }
  }
  return found
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
