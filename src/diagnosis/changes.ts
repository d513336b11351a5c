import { quote } from '../scheme/characters.js'
import type { Alternative } from './alternatives.js'
import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'
import type { TermName } from './hypothesis.js'
import type { Match, Part } from './search.js'

const subjects: Readonly<Record<TermName, string>> = {
  clientTimeStamp: 'The time stamp',
  sid: 'The session id',
  amount: 'The amount',
  referenceNumber: 'The reference',
  orderIdOrNull: 'The order term',
  merchantToken: 'The token',
  accountNumber: 'The account number'
}

/** The token is never shown. */
const alternativeChanges = (term: TermName, { steps }: Alternative): Change[] =>
  steps.map(({ hypothesis: { name, fix }, alsoKnownAs, says, from, to }) => {
    const finding = term === 'merchantToken' ? says : `was ${quote(to)}, not ${quote(from)}: ${says}`
    return change(name, `${subjects[term]} ${finding}.`, fix, alsoKnownAs)
  })

const orderChange = (part: Part, order: readonly TermName[]): Change => change('term-order',
  `The terms of ${part === 'part1' ? 'part 1' : 'part 2'} were joined in the order ${order.join(', ')}.`,
  'Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order term (variant A), token, account number, amount, reference.')

/** What a match changed in its part, besides the scenario and what the other part has settled. */
export function matchChanges (
  part: Part, { chosen, order }: Match, settled?: ReadonlyMap<TermName, Alternative>
): Change[] {
  const changes = [...chosen].flatMap(([term, alternative]) =>
    settled?.get(term) === alternative ? [] : alternativeChanges(term, alternative))
  return order === undefined ? changes : [...changes, orderChange(part, order)]
}

export const inPart2Only = (other: Change): Change => ({ ...other, finding: `In part 2 only: ${other.finding}` })

export const anotherSid = change('sid-another',
  'The session id was different, or part 1 was computed or copied wrongly: part 2 confirms the time stamp, amount and ' +
  'reference.',
  'Generate the session id once, and use it for both the signature and the payment request.')
