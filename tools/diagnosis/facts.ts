import { quote } from '../../src/text/characters.js'
import { isChanged, sentOf, type Alternative } from './alternatives.js'
import type { Way } from './causes.js'
import { absentOrderId, titles, type TermName } from './context.js'
import type { Change } from './diagnosis.js'
import type { Match } from './search.js'
import { said } from './transform.js'

/** A term with the text that was signed and the text of the request. */
interface Term {
  readonly is: TermName
  readonly subject: string
  readonly signed: Alternative
  readonly sent: Alternative
  /** True for a token that is only the key of the hash. */
  readonly isKey: boolean
  /** True if a likely reading of the text ends the term elsewhere. */
  readonly isEndOpen: boolean
}

/** Neighbouring terms that the digest does not separate. True if the start or the end of the text belongs to them. */
interface Run {
  readonly terms: Term[]
  isAtStart: boolean
  isAtEnd: boolean
}

/** Terms of both parts. */
const shared: readonly TermName[] = ['clientTimeStamp', 'amount', 'referenceNumber']

const characters = (text: string): string => `${[...text].length} character${text.length === 1 ? '' : 's'}`

const withLowerCase = (subject: string): string => subject.replace(/^The/, 'the')

/** Returns the places in a text where its pieces end. */
const endsOf = ({ chosen }: Match): number[] => {
  let end = 0
  return chosen.map(({ text }) => end += text.length)
}

/** Returns the terms of a match that have a text, signed or sent. `readings` are the likely readings of its text. */
function termsOf (match: Match, readings: readonly Match[]): Term[] {
  const { shape: { scheme: { context: { subjects, fields } }, pieces }, chosen } = match
  const [own, ...ends] = [match, ...readings.filter(({ shape }) => shape.pieces === pieces)].map(endsOf)
  const reference = chosen[pieces.findIndex(({ is }) => is === 'referenceNumber')]
  return pieces.flatMap(({ is, isKey = false }, index): Term[] => {
    const signed = chosen[index]!
    if (is === undefined || (signed.text === '' && !isChanged(signed))) return []
    // The transactionId of an inquiry can be both reference and order id.
    const isOrderAlone = is === 'orderIdOrNull' && fields.referenceNumber === subjects[is] && signed.text !== reference?.text
    return [{ is, subject: isOrderAlone ? 'The order id' : subjects[is], signed, sent: sentOf(signed), isKey, isEndOpen: ends.some(ends => ends[index] !== own![index]) }]
  })
}

/** Returns the texts before and after the sent text within the signed one, or undefined if it is not whole. */
function addedTo ({ signed: { text }, sent }: Term): readonly [before: string, after: string] | undefined {
  const at = text.indexOf(sent.text)
  return at === -1 ? undefined : [text.slice(0, at), text.slice(at + sent.text.length)]
}

/** True if the change of a term may be one of its neighbour on one side: its text is whole if the neighbour has the rest. */
function mayBeBeside (term: Term, neighbour: Term | undefined, step: 1 | -1, others: readonly Term[]): boolean {
  if (!isChanged(term.signed)) return false
  const { is, signed: { text }, sent } = term
  const added = addedTo(term)?.[step > 0 ? 1 : 0]
  const beside = neighbour?.signed.text ?? ''
  const isWhole = added === undefined
    ? step > 0 ? (text + beside).startsWith(sent.text) : (beside + text).endsWith(sent.text)
    : added !== '' || sent.text === ''
  // The other part proves a boundary by the same text beside another neighbour. A separator may stand there everywhere.
  const at = others.findIndex(other => other.is === is && other.signed.text === text)
  const isProven = at !== -1 && others[at + step]?.is !== neighbour?.is && /[\p{L}\p{N}]/u.test(added ?? 'x')
  return isWhole && !isProven
}

/** Splits terms where the digest proves a boundary. Terms that are whole stand alone. */
function runsOf (terms: readonly Term[], others: readonly Term[]): Run[] {
  const runs: Run[] = []
  for (const [index, term] of terms.entries()) {
    const before = terms[index - 1]
    const isAtStart = before === undefined && mayBeBeside(term, undefined, -1, others)
    const isTogether = before !== undefined && !term.isKey && !before.isKey && (
      before.isEndOpen || (isChanged(before.signed) && isChanged(term.signed)) ||
      mayBeBeside(before, term, 1, others) || mayBeBeside(term, before, -1, others))
    if (isTogether) runs.at(-1)!.terms.push(term)
    else runs.push({ terms: [term], isAtStart, isAtEnd: false })
  }
  const last = terms.findLast(({ isKey }) => !isKey)
  const end = runs.find(({ terms }) => last !== undefined && terms.includes(last))
  if (last !== undefined && end !== undefined && isChanged(last.signed)) {
    const [text, sent] = [last.signed.text, last.sent.text]
    const isCut = text !== '' && sent.startsWith(text) && others.some(({ is, signed }) => is === last.is && signed.text === sent)
    end.isAtEnd = isCut || mayBeBeside(last, undefined, 1, others)
  }
  return runs
}

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
  const changed = terms.find(({ is, signed }) => isChanged(signed) && others.some(other => other.is === is && other.signed.text === signed.text))
  const at = others.findIndex(({ is }) => is === changed?.is)
  if (at === -1) return own
  const isAfter = terms.indexOf(changed!) < place
  const there = [others.slice(0, isAfter ? at + 1 : at).findLast(isWhole), others.slice(isAfter ? at + 1 : at).find(isWhole)]
  return own.map((term, index) => term?.is === there[index]?.is ? term : undefined)
}

/** Returns the finding about a run: the text that was added or is missing at one place, or the joined text. */
function jointFinding ({ terms: run, isAtStart, isAtEnd }: Run, terms: readonly Term[], others: readonly Term[]): string | undefined {
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

/** Returns a change for each step from the sent text of a term to the signed one. `joint` is the finding about its run. */
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
  const changes = matches.flatMap(({ shape: { traits, form } }, index) => {
    const [terms, others] = [all[index]!, all[1 - index] ?? []]
    const apart = (change: Change): Change => ({ ...change, finding: `In ${titles[parts[index]!]}: ${change.finding}` })
    const isDivided = form.between !== '' || form.wrap !== undefined
    const runs = isDivided ? terms.map((term): Run => ({ terms: [term], isAtStart: false, isAtEnd: false })) : runsOf(terms, others)
    const ofTerms = runs.flatMap(run => {
      // The part that was searched second has no changes where both parts agree.
      const changed = run.terms.filter(({ signed }) => signed.changes > 0)
      const joint = changed.length > 0 ? jointFinding(run, terms, others) : undefined
      const isApart = changed.some(({ is, signed }) => shared.includes(is) &&
        (index > 0 || others.some(other => other.is === is && other.signed.text !== signed.text)))
      return changed.flatMap(term => changesOfTerm(term, joint)).map(change => isApart ? apart(change) : change)
    })
    const ofTraits = traits.map(({ of, change }) => index > 0 && of !== 'arrangement' ? apart(change) : change)
    return [...ofTraits, ...ofTerms]
  })
  const texts = changes.map(({ finding, interpretation }) => finding + interpretation)
  return changes.filter((_change, index) => texts.indexOf(texts[index]!) === index)
}
