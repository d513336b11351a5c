import { quote } from '../../src/scheme/text.js'
import type { Alternative } from './alternatives.js'
import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'
import { titles } from './layouts.js'
import type { Part } from './scenarios.js'
import type { Match } from './search.js'
import { shared } from './starts.js'

/** One sentence for each thing that happened to a text, the first first. No token is shown. */
function changesOf ({ text, from, reason, alsoKnownAs, isSecret }: Alternative, subject: string): Change[] {
  if (from === undefined || reason === undefined) return []
  const finding = from.isSecret
    ? `${subject} was different: ${reason.says}.`
    : `${subject} was ${isSecret ? 'another text' : quote(text)}, not ${quote(from.text)}: ${reason.says}.`
  return [...changesOf(from, subject), change(reason.name, finding, reason.fix, alsoKnownAs)]
}

/** The first of those that say the same. */
export function distinct (lists: ReadonlyArray<readonly Change[]>): ReadonlyArray<readonly Change[]> {
  const texts = lists.map(changes => changes.map(({ finding }) => finding).join(' '))
  return lists.filter((_changes, index) => texts.indexOf(texts[index]!) === index)
}

/** What was different in a part. What is changed in the part that was searched before it is told there. */
export function changesIn (part: Part, { start, chosen }: Match): Change[] {
  const { scenario, computation, layout, pieces, first } = start
  const apart = (change: Change): Change =>
    first === undefined ? change : { ...change, finding: `In ${titles[part]}: ${change.finding}` }
  const ofPieces = pieces.map(({ is }, index) => {
    const alternative = chosen[index]!
    if (alternative.changes === 0 || is === undefined) return []
    const subject = is === 'text' ? `The text of ${titles[part]}` : scenario.context.subjects[is]
    const changes = changesOf(alternative, subject)
    return shared.includes(is) ? changes.map(apart) : changes
  })
  // What is both the reference and the order id of an inquiry is told once.
  return [...[...scenario.changes, ...computation.changes].map(apart), ...layout.changes, ...distinct(ofPieces).flat()]
}
