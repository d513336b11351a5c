import { costOfMore, isChanged, sentOf, type Alternative } from './alternatives.js'
import type { TermName } from './context.js'
import { maxCostOfReading } from './recut.js'
import type { Match, Piece } from './search.js'

/** Returns the indices of terms that another match of the same text cuts elsewhere. */
export const movedIn = (match: Match, other: Match): number[] =>
  match.text === other.text && match.start.cost + other.start.cost === 0 && match.chosen.length === other.chosen.length
    ? [...match.chosen.keys()].filter(index => match.chosen[index]!.text !== other.chosen[index]!.text)
    : []

/** True if a term has a text, signed or sent. */
const hasText = (signed: Alternative): boolean => signed.text !== '' || isChanged(signed)

/** True for another token as a whole: another cut begins or ends inside it, or its neighbour gained text beside it. */
const isOtherToken = ({ reason }: Alternative): boolean => reason?.name === 'token-other'

/** True if a text was added before or after the sent one. */
const isLonger = (signed: Alternative, isAfter: boolean): boolean => {
  const { text } = sentOf(signed)
  return text !== '' && isChanged(signed) && (isAfter ? signed.text.startsWith(text) : signed.text.endsWith(text))
}

/**
 * True if the other part has the whole term, and a text beside the neighbour was added to it, or is missing from it and
 * stands in the neighbour too: the change may be one of the neighbour.
 */
function mayBeOf (neighbour: Alternative, signed: Alternative, isAfter: boolean, is: Piece['is'], other: Match): boolean {
  const { text } = sentOf(signed)
  const isWhole = other.chosen.some((term, index) => other.start.pieces[index]!.is === is && term.text === text)
  if (!isWhole || isChanged(neighbour)) return false
  const { length } = signed.text
  if (length > text.length) return isLonger(signed, isAfter)
  return length < text.length && (isAfter
    ? text.startsWith(signed.text) && neighbour.text.startsWith(text.slice(length))
    : text.endsWith(signed.text) && neighbour.text.endsWith(text.slice(0, text.length - length)))
}

/** True if two neighbours can be cut elsewhere by known mistakes that are about as likely. */
function hasOtherCut ({ start: { cost, scenario, pieces }, chosen }: Match, left: number, right: number): boolean {
  if (cost > 0) return false // as in recut
  const [before, after] = [chosen[left]!, chosen[right]!]
  const limit = Math.min(before.cost + after.cost + costOfMore, maxCostOfReading)
  const textsOf = (index: number): Alternative[] =>
    scenario.alternatives.get(pieces[index]!.is as TermName)!.upTo(limit).filter(({ changes }) => changes <= 1)
  const joined = before.text + after.text
  const rests = new Map(textsOf(right).map(rest => [rest.text, rest.cost]))
  return textsOf(left).some(({ text, cost }) => text !== before.text && joined.startsWith(text) &&
    cost + (rests.get(joined.slice(text.length)) ?? Infinity) <= limit)
}

/** True if a part has a term beside another neighbour, unchanged there: that proves where the term begins or ends. */
function proves (part: Match, is: Piece['is'], text: string, neighbour: Piece['is'], step: 1 | -1): boolean {
  const present = [...part.chosen.keys()].filter(index => hasText(part.chosen[index]!))
  const at = present.findIndex(index => part.start.pieces[index]!.is === is && part.chosen[index]!.text === text)
  const next = at === -1 ? undefined : present[at + step]
  if (next === undefined || part.start.pieces[next]!.is === neighbour) return false
  return !isChanged(part.chosen[next]!) || isLonger(part.chosen[next]!, step > 0)
}

/**
 * Returns the indices of the terms. Neighbours are together if no digest proves where one ends and the next begins: if
 * both were changed, if a text was added beside the token, which may end with any text, if the other part shows
 * that a change may be one of either, or if another explanation, or other known mistakes of both, make the same text.
 *
 * @param others - other explanations of the part
 * @param otherPart - match of the other part, if it was found
 */
export function runsOf (match: Match, others: readonly Match[], otherPart: Match | undefined): number[][] {
  const { start: { computation: { between, wrap }, pieces }, chosen } = match
  if (between !== '' || wrap !== undefined) return [...chosen.keys()].map(index => [index])
  const moved = new Set(others.flatMap(other => movedIn(match, other)))
  const isTogether = (left: number, right: number): boolean => {
    if (moved.has(left) && moved.has(right)) return true
    const [before, after] = [chosen[left]!, chosen[right]!]
    if (!isChanged(before) && !isChanged(after)) return false
    if (isOtherToken(before)) return isLonger(after, false)
    if (isOtherToken(after)) return isLonger(before, true)
    const [first, second] = [pieces[left]!.is, pieces[right]!.is]
    const isBesideToken = first === 'merchantToken' || second === 'merchantToken'
    const isBetween = isBesideToken && (isLonger(before, true) || isLonger(after, false))
    const isOfEither = otherPart !== undefined &&
      (mayBeOf(after, before, true, first, otherPart) || mayBeOf(before, after, false, second, otherPart))
    if (isOfEither) return true
    const areBothChanged = isChanged(before) && isChanged(after)
    if (!areBothChanged && !isBetween && !hasOtherCut(match, left, right)) return false
    if (otherPart === undefined) return true
    return !proves(otherPart, first, before.text, second, 1) && !proves(otherPart, second, after.text, first, -1)
  }
  const runs: number[][] = []
  for (const index of chosen.keys()) {
    if (!hasText(chosen[index]!) && !moved.has(index)) continue
    const run = runs.at(-1)
    if (run !== undefined && isTogether(run.at(-1)!, index)) run.push(index)
    else runs.push([index])
  }
  return runs
}
