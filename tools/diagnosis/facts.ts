import { quote } from '../../src/text/characters.js'
import { isChanged, type Alternative } from './alternatives.js'
import type { Way } from './causes.js'
import { absentOrderId, titles, type TermName } from './context.js'
import type { Change } from './diagnosis.js'
import { addedTo, runsOf, termsOf, type Run, type Term } from './runs.js'
import { said } from './transform.js'

/** Terms of both parts. */
const shared: readonly TermName[] = ['clientTimeStamp', 'amount', 'referenceNumber']

/** Returns the length of a text, or of bytes that are no text. */
const characters = (text: string): string =>
  `${[...text].length} ${text.isWellFormed() ? 'character' : 'byte'}${text.length === 1 ? '' : 's'}`

const withLowerCase = (subject: string): string => subject.replace(/^The/, 'the')

/** Returns the finding about a text that was signed instead of the sent text. The finding contains no token. */
function factOf (subject: string, signed: string, sent: string, isHidden: boolean, isSignedHidden = isHidden): string {
  if (isHidden) {
    const [then, now] = [signed, sent].map(characters)
    return then === now
      ? `${subject} was another text when it was signed; both have ${now}.`
      : `${subject} had ${then} when it was signed; yours has ${now}.`
  }
  const text = isSignedHidden ? 'another text' : quote(signed)
  if (subject === absentOrderId) return `The order id was ${text} when it was signed; for your request it is "null".`
  return `${subject} was ${text} when it was signed; ` + (sent === '' ? 'for your request it is empty.' : `your request has ${quote(sent)}.`)
}

const isSecret = ({ signed, sent }: Term): boolean => signed.isSecret || sent.isSecret

/** Returns the neighbours of a place in which the other part has the same text, or of the place in this part alone. */
function neighboursOf (place: number, terms: readonly Term[], others: readonly Term[]): Array<Term | undefined> {
  const isWhole = ({ sent }: Term): boolean => sent.text !== ''
  const own = [terms.slice(0, place).findLast(isWhole), terms.slice(place).find(isWhole)]
  const changed = terms.find(({ is, signed }) =>
    isChanged(signed) && others.some(other => other.is === is && other.signed.text === signed.text))
  const at = others.findIndex(({ is }) => is === changed?.is)
  if (at === -1) return own
  const isAfter = terms.indexOf(changed!) < place
  const otherPlace = isAfter ? at + 1 : at
  const there = [others.slice(0, otherPlace).findLast(isWhole), others.slice(otherPlace).find(isWhole)]
  return own.map((term, index) => term?.is === there[index]?.is ? term : undefined)
}

/** Returns the finding about a run: the text that was added or is missing at one place, or the joined text. */
function jointFinding (
  { terms: run, isAtStart, isAtEnd }: Run, terms: readonly Term[], others: readonly Term[]
): string | undefined {
  if (run.length === 1 && !isAtStart && !isAtEnd) return undefined
  const [signed, sent] = [run.map(({ signed }) => signed.text).join(''), run.map(({ sent }) => sent.text).join('')]
  const begin = terms.indexOf(run[0]!)
  const changed = run.filter(({ signed }) => isChanged(signed))
  const around = changed.length === 1 ? addedTo(changed[0]!) : undefined
  if (around?.every(text => text !== '') === true && changed[0]!.sent.text !== '') {
    const isCounted = run.some(isSecret) && /[\p{L}\p{N}]/u.test(around.join(''))
    const texts = around.map(text => isCounted ? characters(text) : quote(text)).join(' and ')
    return `Around ${withLowerCase(changed[0]!.subject)}, ${texts} were added when it was signed.`
  }
  let length = 0
  for (let index = 0; index <= run.length; index++) {
    const [before, after] = [sent.slice(0, length), sent.slice(length)]
    const place = begin + index
    length += run[index]?.sent.text.length ?? 0
    const isAdded = signed.length > sent.length
    let same = 0
    while (same < before.length && signed[same] === before[same]) same++
    const isHere = isAdded
      ? signed.startsWith(before) && signed.endsWith(after)
      : signed.length < sent.length && after.endsWith(signed.slice(same)) && signed.length - same <= after.length
    const isInside = index > 0 && index < run.length
    if (!isHere || !(isInside || (index === 0 && (isAtStart || isAdded)) || (index === run.length && isAtEnd))) continue
    const count = Math.abs(signed.length - sent.length)
    const text = isAdded ? signed.slice(before.length, before.length + count) : sent.slice(same, same + count)
    const [left, right] = neighboursOf(place, terms, others)
    const [one, other] = [left, right].map(term => withLowerCase(term?.subject ?? ''))
    const empty = run.filter(({ sent }) => sent.text === '').map(({ subject }) => `, where ${withLowerCase(subject)} is empty`).join('')
    const where = (left === undefined ? `Before ${other}` : right === undefined ? `${isAdded ? 'After' : 'At the end of'} ${one}` : `Between ${one} and ${other}`) + empty
    const isCounted = [...run, left, right].some(term => term !== undefined && isSecret(term)) && /[\p{L}\p{N}]/u.test(text)
    const be = isCounted && [...text].length > 1 ? 'were' : 'was'
    return `${where}, ` +
      `${isCounted ? characters(text) : quote(text)} ${be} ${isAdded ? 'added' : 'missing'} when it was signed.`
  }
  if (run.length === 1) return undefined
  const names = run.map(({ subject }) => withLowerCase(subject)).join(', ').replace(/, (?=[^,]*$)/, ' and ')
  return factOf(`The joined text of ${names}`, signed, sent, run.some(isSecret))
}

/** Returns a change for each step from the sent text to the signed one. `joint` is the finding about a run. */
function changesOfTerm ({ subject, signed, sent }: Term, joint: string | undefined): Change[] {
  const steps: Alternative[] = []
  for (let step = signed; step.from !== undefined; step = step.from) steps.unshift(step)
  const isHidden = sent.isSecret || signed.isSecret
  const isJoint = joint !== undefined
  const read = `${withLowerCase(subject)} was ${isHidden ? 'different' : quote(signed.text)}`
  return steps.map(({ text, from, reason, alsoKnownAs }) => ({
    hypothesis: reason!.name,
    alsoKnownAs,
    finding: joint ?? factOf(subject, signed.text, sent.text, sent.isSecret, isHidden),
    isJoint,
    interpretation: `Perhaps ${isJoint ? `${read}: ` : ''}${said(reason!.says, text, from!.text, reason!.kind)}.`,
    fix: said(reason!.fix, text, from!.text, reason!.kind),
    texts: isHidden || isJoint ? undefined : { signed: signed.text, sent: sent.text }
  }))
}

/**
 * Returns the changes that a way of reading both parts, or one, consists of. A change of both parts is told once.
 *
 * @param near - all ways that are about as likely
 */
export function changesOf ({ parts, matches }: Way, near: readonly Way[]): Change[] {
  const all = matches.map((match, index) => termsOf(match, near.map(({ matches }) => matches[index]!)))
  const lists = matches.flatMap(({ shape: { traits, form } }, index) => {
    const [terms, others] = [all[index]!, all[1 - index] ?? []]
    const apart = (change: Change): Change => ({ ...change, finding: `In ${titles[parts[index]!]}: ${change.finding}` })
    const isDivided = form.between !== '' || form.wrap !== undefined
    const runs = isDivided
      ? terms.map((term): Run => ({ terms: [term], isAtStart: false, isAtEnd: false }))
      : runsOf(terms, others)
    const ofTerms = runs.flatMap(run => {
      // The part that was searched second has no changes where both parts agree.
      const changed = run.terms.filter(({ signed }) => signed.changes > 0)
      const joint = changed.length > 0 ? jointFinding(run, terms, others) : undefined
      const isApart = changed.some(({ is, signed }) => shared.includes(is) &&
        (index > 0 || others.some(other => other.is === is && other.signed.text !== signed.text)))
      return changed.map(term => changesOfTerm(term, joint).map(change => isApart ? apart(change) : change))
    })
    const isAlone = index > 0 || matches.some(({ shape }) => shape.form.digits !== form.digits)
    const ofTraits = traits.map(({ of, change }) => [isAlone && of !== 'arrangement' ? apart(change) : change])
    return [...ofTraits, ...ofTerms]
  })
  const texts = lists.map(changes => changes.map(({ finding, interpretation }) => finding + interpretation).join(' '))
  return lists.filter((_changes, index) => texts.indexOf(texts[index]!) === index).flat()
}
