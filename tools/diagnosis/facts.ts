import { quote } from '../explain/characters.js'
import { isChanged, sentOf, type Alternative } from './alternatives.js'
import { absentOrderId, titles, type TermName } from './context.js'
import type { Change } from './diagnosis.js'
import { said } from './mistakes/mistake.js'
import type { Match } from './shapes.js'

/** A term with the text that was signed and the text of the request. */
interface Term {
  readonly is: TermName
  readonly subject: string
  readonly signed: Alternative
  readonly sent: Alternative
  /** False for a term that is told as a whole: a key of the hash, and another token. */
  readonly isInText: boolean
}

/** Returns the terms of a match that have a text, signed or sent. */
function termsOf ({ shape: { context: { subjects, sources }, pieces }, chosen }: Match): Term[] {
  const reference = chosen[pieces.findIndex(({ is }) => is === 'referenceNumber')]
  return pieces.flatMap(({ is, isKey }, index): Term[] => {
    const signed = chosen[index]!
    if (is === undefined || (signed.text === '' && !isChanged(signed))) return []
    // The transactionId of an inquiry can be both reference and order id.
    const isOrderAlone = is === 'orderIdOrNull' && sources.referenceNumber === subjects[is] && signed.text !== reference?.text
    const isInText = isKey !== true && signed.reason?.name !== 'token-other'
    return [{ is, subject: isOrderAlone ? 'The order id' : subjects[is], signed, sent: sentOf(signed), isInText }]
  })
}

const inText = (subject: string): string => subject.replace(/^The/, 'the')
const isSecret = (terms: readonly Term[]): boolean => terms.some(({ signed, sent }) => signed.isSecret || sent.isSecret)

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

/** Terms that both parts have. */
const shared: ReadonlySet<TermName> = new Set(['clientTimeStamp', 'amount', 'referenceNumber'])

/** True if a term has a text that the digest may not divide from the next one. */
const isJoined = (term?: Term): boolean => term?.isInText === true && isChanged(term.signed)

/** True if the other part proves the text of a term at a side: another neighbour, which is unchanged, stands there. */
function isProven (terms: readonly Term[], at: number, side: 1 | -1, others: readonly Term[]): boolean {
  const there = others.findIndex(({ is, signed }) => is === terms[at]!.is && signed.text === terms[at]!.signed.text)
  const beside = others[there + side]
  return there !== -1 && beside?.is !== terms[at + side]?.is && !isJoined(beside)
}

/**
 * Returns the finding about the difference of a changed term, or of changed neighbours, if the digest does not prove
 * that it belongs to one term: the joined texts, or a place beside the term. Otherwise returns undefined.
 *
 * @param others - the terms of the other part
 * @param isDivided - true if separators stand between the terms
 * @param isApart - true if the other part has another text of the term
 */
function looseFinding (
  terms: readonly Term[], at: number, others: readonly Term[], isDivided: boolean, isApart: boolean
): string | undefined {
  if (!isJoined(terms[at])) return undefined
  const { is, subject, signed: { text: signed }, sent: { text: sent } } = terms[at]!
  // White space at the end of another text may belong to the neighbour, too.
  const isRagged = (end: RegExp, side: 1 | -1): boolean =>
    end.test(signed) && !signed.includes(sent) && !isProven(terms, at, side, others)
  /** True if the boundary between a term and the next one is open. */
  const isOpen = (index: number): boolean => isJoined(terms[index]) && isJoined(terms[index + 1]) &&
    !isProven(terms, index, 1, others) && !isProven(terms, index + 1, -1, others)
  let [first, last] = [at, at]
  while (isOpen(first - 1)) first--
  while (isOpen(last)) last++
  const run = terms.slice(Math.max(first - (isRagged(/^\s/, -1) ? 1 : 0), 0), last + (isRagged(/\s$/, 1) ? 2 : 1))
  if (run.length > 1 && !isDivided) {
    const names = run.map(({ subject }) => inText(subject)).join(', ').replace(/, (?=[^,]*$)/, ' and ')
    const [then, now] = [run.map(({ signed }) => signed.text).join(''), run.map(({ sent }) => sent.text).join('')]
    return factOf(`The joined text of ${names}`, then, now, isSecret(run))
  }
  const isAdded = signed.length > sent.length
  const [short, long] = isAdded ? [sent, signed] : [signed, sent]
  const start = signed === '' ? -1 : long.endsWith(short) ? long.length - short.length : long.indexOf(short)
  if (start === -1 || signed.length === sent.length) return undefined
  const [before, after] = [long.slice(0, start), long.slice(start + short.length)]
  const [left, right] = [terms[at - 1], terms[at + 1]]
  // More digits at the end of the text are of the number there.
  const isOfNumber = right === undefined && before === '' && /^[\d.]+$/.test(after) && /\d$/.test(sent)
  // Another piece of the same length may be missing if the neighbour goes on with the same character.
  const goesOn = before === ''
    ? right?.signed.text.startsWith(after.charAt(0))
    : after === '' && left?.signed.text.endsWith(before.slice(-1))
  if (isAdded ? isOfNumber : goesOn !== true && !isApart) return undefined
  const own = inText(subject)
  // A shared term has other neighbours in the other part, except amount and reference.
  const isNamed = (neighbour: Term): boolean =>
    !isDivided && (!shared.has(is) || shared.has(neighbour.is) || (!isAdded && goesOn === true))
  const beside = terms.slice(...before === '' ? [at + 1, at + 2] : [at - 1, at]).filter(isNamed)
  const texts = [before, after].filter(text => text !== '').map(text =>
    isSecret([terms[at]!, ...beside]) && /[\p{L}\p{N}]/u.test(text) ? characters(text) : quoted(text))
  const [one] = beside.map(({ subject }) => inText(subject))
  const [atEnd, atStart] = isAdded ? ['After', 'Before'] : ['At the end of', 'At the start of']
  const pair = before === '' ? `${own} and ${one}` : `${one} and ${own}`
  const side = one === undefined ? `${before === '' ? atEnd : atStart} ${own}` : `Between ${pair}`
  const place = sent === '' ? `Where ${own} is empty` : texts.length === 2 ? `Around ${own}` : side
  const were = texts.length === 2 || /^(?!1 )\d/.test(texts[0]!) ? 'were' : 'was'
  return `${place}, ${texts.join(' and ')} ${were} ${isAdded ? 'added' : 'missing'} when it was signed.`
}

/** Returns a change for each step from the sent text to the signed one. `loose` is the finding of `looseFinding`. */
function stepsOf ({ subject, signed, sent }: Term, loose: string | undefined): Change[] {
  const steps: Alternative[] = []
  for (let step = signed; step.from !== undefined; step = step.from) steps.unshift(step)
  const isHidden = sent.isSecret || signed.isSecret
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
  const lists = matches.flatMap(({ part, digest, shape: { traits, form } }, index) => {
    const apart = (change: Change): Change => ({ ...change, finding: `In ${titles[part]}: ${change.finding}` })
    const terms = all[index]!
    const ofTerms = terms.map((term, at) => {
      if (term.signed.changes === 0) return [] // the part that was searched second agrees with the first
      const others = all[1 - index] ?? []
      const isOther = others.some(({ is, signed }) => is === term.is && signed.text !== term.signed.text)
      const steps = stepsOf(term, looseFinding(terms, at, others, form.between !== '' || form.wrap !== undefined, isOther))
      return shared.has(term.is) && (index > 0 || isOther) ? steps.map(apart) : steps
    })
    const isAlone = index > 0 || matches.some(other => other.digest.length !== digest.length)
    return [...traits.map(({ of, change }) => [isAlone && of !== 'arrangement' ? apart(change) : change]), ...ofTerms]
  })
  const texts = lists.map(changes => changes.map(({ finding, interpretation }) => finding + interpretation).join(' '))
  return lists.filter((_changes, index) => texts.indexOf(texts[index]!) === index).flat()
}
