import { quote } from '../scheme/characters.js'
import type { Alternative } from './alternatives.js'
import { prefixes } from './context.js'
import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'
import type { Part } from './scenarios.js'
import type { Match } from './search.js'
import { shared } from './starts.js'

/** One sentence for each thing that happened to a text, the first first. No token is shown. */
function changesOf (
  { text, from, reason, alsoKnownAs, isSecret }: Alternative, subject: string, prefix: string
): Change[] {
  if (from === undefined) return []
  const named = (name: string): string => `${prefix}-${name}`
  const finding = from.isSecret
    ? `${subject} was different: ${reason.says}.`
    : `${subject} was ${isSecret ? 'another text' : quote(text)}, not ${quote(from.text)}: ${reason.says}.`
  const last = change(reason.isWhole ? reason.name : named(reason.name), finding, reason.fix, alsoKnownAs.map(named))
  return [...changesOf(from, subject, prefix), last]
}

const inPart2 = (other: Change): Change => ({ ...other, finding: `In part 2: ${other.finding}` })

/**
 * What was different in a part.
 *
 * @param isSecond - part 1 has been told already, and part 2 is to be told apart
 */
export function changesIn (part: Part, { start, chosen }: Match, isSecond = false): Change[] {
  const { scenario, computation, layout, pieces } = start
  const told = [...scenario.changes, ...computation.changes]
  const ofPieces = pieces.flatMap(({ is }, index) => {
    const alternative = chosen[index]!
    if (alternative.changes === 0 || typeof is !== 'string') return []
    if (is === 'whole') return changesOf(alternative, `The text of ${part === 'part1' ? 'part 1' : 'part 2'}`, 'text')
    const found = changesOf(alternative, scenario.context.subjects[is], prefixes[is])
    return isSecond && shared.includes(is) ? found.map(inPart2) : found
  })
  return [...(isSecond ? told.map(inPart2) : told), ...layout.changes, ...ofPieces]
}
