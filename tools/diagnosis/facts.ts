import { quote } from '../explain/characters.js'
import { isChanged, sentOf, type Alternative } from './alternatives.js'
import { absentOrderId, titles, type TermName } from './context.js'
import type { Change } from './diagnosis.js'
import { said } from './mistakes/mistake.js'
import type { Match } from './search.js'

/** A term with the text that was signed and the text of the request. */
interface Term {
  readonly is: TermName
  readonly subject: string
  readonly signed: Alternative
  readonly sent: Alternative
  /** True for a token that is only the key of the hash. */
  readonly isKey: boolean
}

/** Returns the terms of a match that have a text, signed or sent. */
function termsOf ({ shape: { context: { subjects, fields }, pieces }, chosen }: Match): Term[] {
  const reference = chosen[pieces.findIndex(({ is }) => is === 'referenceNumber')]
  return pieces.flatMap(({ is, isKey = false }, index): Term[] => {
    const signed = chosen[index]!
    if (is === undefined || (signed.text === '' && !isChanged(signed))) return []
    // The transactionId of an inquiry can be both reference and order id.
    const isOrderAlone = is === 'orderIdOrNull' && fields.referenceNumber === subjects[is] && signed.text !== reference?.text
    return [{ is, subject: isOrderAlone ? 'The order id' : subjects[is], signed, sent: sentOf(signed), isKey }]
  })
}

const inText = (subject = ''): string => subject.replace(/^The/, 'the')
const isSecret = (term?: Term): boolean => term?.signed.isSecret === true || term?.sent.isSecret === true
const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Returns the length of a text, or of bytes that are no text. */
const characters = (text: string): string =>
  `${[...text].length} ${text.isWellFormed() ? 'character' : 'byte'}${text.length === 1 ? '' : 's'}`

/** Returns a text in quotes, with the bytes that are no text in hexadecimal digits. */
const quoted = (text: string): string => quote(text).replace(/\\udc([0-9a-f]{2})/g, '\\x$1')

/** Returns the finding about a text that was signed instead of the sent text. The finding contains no token. */
function factOf (subject: string, signed: string, sent: string, isHidden: boolean, isSignedHidden = isHidden): string {
  const [then, now] = [signed, sent].map(characters)
  if (isHidden && then === now) return `${subject} was another text when it was signed; both have ${now}.`
  if (isHidden) return `${subject} had ${then} when it was signed; yours has ${now}.`
  const text = isSignedHidden ? 'another text' : quoted(signed)
  if (subject === absentOrderId) return `The order id was ${text} when it was signed; for your request it is "null".`
  const yours = sent === '' ? 'for your request it is empty' : `your request has ${quoted(sent)}`
  return `${subject} was ${text} when it was signed; ${yours}.`
}

/** A text that was added to a term, or is missing, at one side. */
interface Edge { readonly side: 1 | -1, readonly text: string, readonly isAdded: boolean }

/** Returns the text by which a term became longer or shorter at one side; undefined if it differs in another way. */
function edgeOf ({ signed: { text }, sent }: Term): Edge | undefined {
  const isAdded = text.length > sent.text.length
  const [short, long] = isAdded ? [sent.text, text] : [text, sent.text]
  if (short.length === long.length || text === '') return undefined
  if (long.startsWith(short)) return { side: 1, text: long.slice(short.length), isAdded }
  return long.endsWith(short) ? { side: -1, text: long.slice(0, long.length - short.length), isAdded } : undefined
}

/** True if the other part has the same text of a term beside another neighbour, which is whole. */
function isProven (term: Term, neighbour: Term | undefined, side: 1 | -1, others: readonly Term[]): boolean {
  const at = others.findIndex(({ is, signed }) => is === term.is && signed.text === term.signed.text)
  const beside = others[at + side]
  return at !== -1 && beside?.is !== neighbour?.is && (beside === undefined || !isChanged(beside.signed))
}

/** True if the digest does not prove that a text at the edge of a term belongs to the term. */
function isLoose ({ side, text, isAdded }: Edge, term: Term, terms: readonly Term[], others: readonly Term[]): boolean {
  const neighbour = terms[terms.indexOf(term) + side]
  const proven = isProven(term, neighbour, side, others)
  if (!isAdded) {
    // At the end of the text, a term that the other part has whole was cut with the text.
    const isWhole = others.some(({ is, signed }) => is === term.is && signed.text === term.sent.text)
    if (neighbour === undefined) return side > 0 && isWhole
    // Another piece of the same length may be missing if the neighbour goes on with the same character.
    const beside = neighbour.signed.text
    return !proven && (side > 0 ? beside.startsWith(text.charAt(0)) : beside.endsWith(text.slice(-1)))
  }
  // At an end of the text, more digits are of the number there. A separator may stand beside a value everywhere.
  const isOfNumber = neighbour === undefined && side > 0 && /^[\d.]+$/.test(text) && /\d$/.test(term.sent.text)
  return !isOfNumber && !(proven && hasLetters(text))
}

/** Returns the finding about a place beside a term, where a text was added or is missing. */
function besideTerm (edge: Edge, term: Term, terms: readonly Term[], others: readonly Term[]): string {
  const { side, text, isAdded } = edge
  const isEmpty = term.sent.text === ''
  const neighbourAt = (step: 1 | -1, all: readonly Term[]): Term | undefined =>
    all[all.findIndex(({ is }) => is === term.is) + step]
  const isShared = others.some(({ is, signed }) => is === term.is && signed.text === term.signed.text)
  /** Returns the term at a side of the place. If both parts show the change, both must have the same neighbour. */
  const at = (step: 1 | -1): Term | undefined => {
    if (step !== side && !isEmpty) return term
    const own = neighbourAt(step, terms)
    return isShared && neighbourAt(step, others)?.is !== own?.is ? undefined : own
  }
  const [left, right] = [at(-1), at(1)]
  const isCounted = [term, left, right].some(isSecret) && hasLetters(text)
  const [one, other] = [left, right].map(term => inText(term?.subject))
  const atEnd = `${isAdded ? 'After' : 'At the end of'} ${one}`
  const place = left === undefined ? `Before ${other}` : right === undefined ? atEnd : `Between ${one} and ${other}`
  return `${place}${isEmpty ? `, where ${inText(term.subject)} is empty` : ''}, ` +
    `${isCounted ? characters(text) : quoted(text)} ${isCounted && [...text].length > 1 ? 'were' : 'was'} ` +
    `${isAdded ? 'added' : 'missing'} when it was signed.`
}

/** True for two changed neighbours whose boundary the digest does not prove. Another token is known as a whole. */
const areJoined = (before: Term | undefined, after: Term | undefined, others: readonly Term[]): boolean =>
  before !== undefined && after !== undefined && !before.isKey && !after.isKey &&
  [before, after].every(({ signed }) => isChanged(signed) && signed.reason?.name !== 'token-other') &&
  !isProven(before, after, 1, others) && !isProven(after, before, -1, others)

/**
 * Returns the finding about a changed term, or about a place or neighbours that the change may belong to; undefined for
 * the term alone.
 *
 * @param isDivided - true if separators stand between the terms
 */
function looseFinding (
  term: Term, terms: readonly Term[], others: readonly Term[], isDivided: boolean
): string | undefined {
  const { signed, sent, isKey, subject } = term
  if (!isChanged(signed) || isKey || signed.reason?.name === 'token-other') return undefined
  const place = terms.indexOf(term)
  let [first, last] = [place, place]
  while (areJoined(terms[first - 1], terms[first], others)) first--
  while (areJoined(terms[last], terms[last + 1], others)) last++
  if (first < last && !isDivided) {
    const run = terms.slice(first, last + 1)
    const names = run.map(({ subject }) => inText(subject)).join(', ').replace(/, (?=[^,]*$)/, ' and ')
    const [then, now] = [run.map(({ signed }) => signed.text).join(''), run.map(({ sent }) => sent.text).join('')]
    return factOf(`The joined text of ${names}`, then, now, run.some(isSecret))
  }
  const at = sent.text === '' ? -1 : signed.text.indexOf(sent.text)
  const around = [signed.text.slice(0, Math.max(at, 0)), signed.text.slice(at + sent.text.length)]
  if (at > 0 && around.every(text => text !== '') && (!isDivided || !hasLetters(around.join('')))) {
    const texts = around.map(text => isSecret(term) && hasLetters(text) ? characters(text) : quoted(text))
    return `Around ${inText(subject)}, ${texts.join(' and ')} were added when it was signed.`
  }
  const edge = edgeOf(term)
  if (edge === undefined) return undefined
  if (isDivided) return edge.isAdded && /^[\s|,;:/_-]+$/.test(edge.text) ? besideTerm(edge, term, [term], []) : undefined
  return isLoose(edge, term, terms, others) ? besideTerm(edge, term, terms, others) : undefined
}

/** Returns a change for each step from the sent text to the signed one. `loose` is the finding of `looseFinding`. */
function stepsOf (term: Term, loose: string | undefined): Change[] {
  const { subject, signed, sent } = term
  const steps: Alternative[] = []
  for (let step = signed; step.from !== undefined; step = step.from) steps.unshift(step)
  const isHidden = isSecret(term)
  const read = loose === undefined ? '' : `${inText(subject)} was ${isHidden ? 'different' : quoted(signed.text)}: `
  return steps.map(({ text, from, reason, alsoKnownAs }) => ({
    hypothesis: reason!.name,
    alsoKnownAs,
    finding: loose ?? factOf(subject, signed.text, sent.text, sent.isSecret, isHidden),
    interpretation: `Perhaps ${read}${said(reason!.says, text, from!.text, reason!.kind)}.`,
    fix: said(reason!.fix, text, from!.text, reason!.kind)
  }))
}

/** Returns the changes of both parts, or of one. A change of both parts is told once. */
export function changesOf (matches: readonly Match[]): Change[] {
  const all = matches.map(termsOf)
  const lists = matches.flatMap(({ part, shape: { traits, form } }, index) => {
    const [terms, others] = [all[index]!, all[1 - index] ?? []]
    const apart = (change: Change): Change => ({ ...change, finding: `In ${titles[part]}: ${change.finding}` })
    // The part that was searched second has no changes where both parts agree.
    const ofTerms = terms.filter(({ signed }) => signed.changes > 0).map(term => {
      const steps = stepsOf(term, looseFinding(term, terms, others, form.between !== '' || form.wrap !== undefined))
      const isInBoth = term.is === 'clientTimeStamp' || term.is === 'amount' || term.is === 'referenceNumber'
      const isOther = others.some(({ is, signed }) => is === term.is && signed.text !== term.signed.text)
      return isInBoth && (index > 0 || isOther) ? steps.map(apart) : steps
    })
    const isAlone = index > 0 || matches.some(({ digest }) => digest.length !== matches[index]!.digest.length)
    return [...traits.map(({ of, change }) => [isAlone && of !== 'arrangement' ? apart(change) : change]), ...ofTerms]
  })
  const texts = lists.map(changes => changes.map(({ finding, interpretation }) => finding + interpretation).join(' '))
  return lists.filter((_changes, index) => texts.indexOf(texts[index]!) === index).flat()
}
