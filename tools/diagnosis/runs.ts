import { isChanged, sentOf, type Alternative } from './alternatives.js'
import type { TermName } from './context.js'
import type { Match } from './search.js'

/** A term with the text that was signed and the text of the request. */
export interface Term {
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
export interface Run {
  readonly terms: Term[]
  isAtStart: boolean
  isAtEnd: boolean
}

/** Returns the places in a text where its pieces end. */
const endsOf = ({ chosen }: Match): number[] => {
  let end = 0
  return chosen.map(({ text }) => {
    end += text.length
    return end
  })
}

/** Returns the terms of a match that have a text, signed or sent. `readings` are the likely readings of its text. */
export function termsOf (match: Match, readings: readonly Match[]): Term[] {
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
export function addedTo ({ signed: { text }, sent }: Term): readonly [before: string, after: string] | undefined {
  const at = text.indexOf(sent.text)
  return at === -1 ? undefined : [text.slice(0, at), text.slice(at + sent.text.length)]
}

/** True if the other part has the same text beside another neighbour that is whole: that proves where the term ends. */
function isProven (
  { is, signed: { text } }: Term, neighbour: Term | undefined, step: 1 | -1, others: readonly Term[]
): boolean {
  const at = others.findIndex(other => other.is === is && other.signed.text === text)
  const beside = others[at + step]
  return at !== -1 && beside?.is !== neighbour?.is && (beside === undefined || !isChanged(beside.signed))
}

/** True if the change of a term may be one of its neighbour: the term is whole if the neighbour has the rest. */
function mayBeBeside (term: Term, neighbour: Term | undefined, step: 1 | -1, others: readonly Term[]): boolean {
  const { signed: { text }, sent } = term
  if (!isChanged(term.signed)) return false
  const added = addedTo(term)?.[step > 0 ? 1 : 0]
  if (added === undefined) {
    const beside = neighbour?.signed.text ?? ''
    const isWhole = step > 0 ? (text + beside).startsWith(sent.text) : (beside + text).endsWith(sent.text)
    // A separator at the edge of another text may stand between the terms.
    const [edge, own] = [text, sent.text].map(text => [...text].at(step > 0 ? -1 : 0) ?? '') as [string, string]
    return isWhole || (edge !== own && /[\s|,;:/_-]/.test(edge))
  }
  // At the end of the text, more digits are of the number before them.
  if (neighbour === undefined && /^[\d.]+$/.test(added) && /\d$/.test(sent.text)) return false
  // A separator may stand beside a value everywhere.
  return (added !== '' || sent.text === '') && !(isProven(term, neighbour, step, others) && /[\p{L}\p{N}]/u.test(added))
}

/** True for another token as a whole. */
const isOtherToken = ({ signed: { reason } }: Term): boolean => reason?.name === 'token-other'

/** True if the digest does not prove a boundary between two terms. */
function areTogether (before: Term, after: Term, others: readonly Term[]): boolean {
  if (before.isKey || after.isKey) return false
  if (isOtherToken(before)) return (addedTo(after)?.[0] ?? '') !== ''
  if (isOtherToken(after)) return (addedTo(before)?.[1] ?? '') !== ''
  const isMoved = before.isEndOpen || (isChanged(before.signed) && isChanged(after.signed))
  return (isMoved && !isProven(before, after, 1, others) && !isProven(after, before, -1, others)) ||
    mayBeBeside(before, after, 1, others) || mayBeBeside(after, before, -1, others)
}

/** Splits terms where the digest proves a boundary. Terms that are whole stand alone. */
export function runsOf (terms: readonly Term[], others: readonly Term[]): Run[] {
  const runs: Run[] = []
  for (const [index, term] of terms.entries()) {
    const before = terms[index - 1]
    const isAtStart = before === undefined && mayBeBeside(term, undefined, -1, others)
    if (before !== undefined && areTogether(before, term, others)) runs.at(-1)!.terms.push(term)
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
