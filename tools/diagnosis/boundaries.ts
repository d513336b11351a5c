import { isChanged, sentOf, type Alternative } from './alternatives.js'
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

/** True if a part has the term beside an unchanged one, which proves where the term begins or ends. */
function proves (part: Match, is: Piece['is'], text: string, step: 1 | -1): boolean {
  const present = [...part.chosen.keys()].filter(index => hasText(part.chosen[index]!))
  const at = present.findIndex(index => part.start.pieces[index]!.is === is && part.chosen[index]!.text === text)
  const neighbour = at === -1 ? undefined : present[at + step]
  return neighbour !== undefined && !isChanged(part.chosen[neighbour]!)
}

/**
 * Returns the indices of the terms. Neighbours are together if no digest proves where one ends and the next begins: if
 * both were changed, or if another explanation gives the difference of one to the other.
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
    if (!isChanged(chosen[left]!) || !isChanged(chosen[right]!)) return false
    if (isOtherToken(chosen[left]!)) return chosen[right]!.text.endsWith(sentOf(chosen[right]!).text)
    if (isOtherToken(chosen[right]!)) return chosen[left]!.text.startsWith(sentOf(chosen[left]!).text)
    return otherPart === undefined || !(proves(otherPart, pieces[left]!.is, chosen[left]!.text, 1) ||
      proves(otherPart, pieces[right]!.is, chosen[right]!.text, -1))
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
