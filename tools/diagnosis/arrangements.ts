import { namesIn, titles, type Part, type TermName } from './context.js'
import { change } from './diagnosis.js'
import { bodiesOf, foreignTexts, order } from './elsewhere.js'
import type { Scheme } from './schemes.js'
import type { Piece, Trait } from './shapes.js'

/** An arrangement of pieces, with its difference from that of the specification. */
export type Arranged = readonly [pieces: readonly Piece[], trait?: Trait]

const arranged = (pieces: readonly Piece[], cost: number, name: string, finding: string, fix = order): Arranged =>
  [pieces, { cost, of: 'arrangement', change: change(name, finding, fix) }]

/** Returns all ordered selections of some pieces. */
const selectionsOf = (pieces: readonly Piece[]): Piece[][] =>
  [[], ...pieces.flatMap((piece, index) => selectionsOf(pieces.toSpliced(index, 1)).map(rest => [piece, ...rest]))]

/** Returns the ordered selections of the terms with texts that differ. Empty terms have no place and are not named. */
function selected (part: Part, pieces: readonly Piece[]): Arranged[] {
  const full = pieces.filter(({ text }) => text !== '')
  const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')
  const byText = new Map(selectionsOf(full).map(selection => [textOf(selection), selection]))
  byText.delete(textOf(pieces))
  byText.delete('')
  return [...byText.values()].map(selection => {
    const names = selection.map(({ is }) => is).join(', ')
    return selection.length === full.length
      ? arranged(selection, 9, 'term-order', `The terms of ${titles[part]} were joined in the order ${names}.`)
      : arranged(selection, 10, 'terms-selected', `The text of ${titles[part]} was made of ${names} only${selection.length > 1 ? ', in this order' : ''}.`,
        names === 'accountNumber, orderIdOrNull, amount, merchantToken' ? `This is the formula of FawryPay, another product. ${order}` : order)
  })
}

/** Least cost of another arrangement. */
const leastCost = 6

/** Returns all other arrangements of the terms of a part that may cost so much. */
export function arrangementsOf (
  part: Part, { context, change }: Scheme, pieces: readonly Piece[], maxCost: number
): Arranged[] {
  if (maxCost < leastCost) return []
  const title = titles[part].replace('p', 'P')
  const other = part === 'part1' ? 'part2' : 'part1'
  const pieceOf = (is: TermName): Piece => ({ is, text: context.terms[is] })
  const terms = Object.keys(context.terms) as TermName[]
  // One character, such as the variant, may belong to a term beside it.
  const added = foreignTexts(context).filter(([, text]) => text.length > 1).flatMap(([name, text]) =>
    [...pieces.keys(), pieces.length].flatMap((index): Arranged[] => {
      const [before, next] = [pieces.slice(0, index).findLast(({ text }) => text !== ''), pieces[index]]
      if (next?.text === '') return [] // the text is also at the next place
      const place = next === undefined ? 'at its end' : index === 0 ? 'at its start' : `before ${next.is}`
      const where = next?.text === text || before?.text === text ? 'twice' : `${place} too`
      const is = terms.find(name => context.terms[name] === text)
      return [arranged(pieces.toSpliced(index, 0, { is, text }), 6, 'term-added', `${title} had ${name} ${where}.`)]
    }).reverse())
  // + adds numbers in some languages.
  const sums = pieces.slice(1).flatMap((piece, index): Arranged[] => {
    const both = [pieces[index]!, piece]
    if (!both.every(({ text }) => /^\d{1,15}(?:\.\d+)?$/.test(text))) return []
    const sum = { is: undefined, text: String(Number(both[0]!.text) + Number(piece.text)) }
    return [arranged(pieces.toSpliced(index, 2, sum), 6, 'terms-added-up', `${both.map(({ is }) => is).join(' and ')} were added up as numbers.`,
      'Convert each term to text before joining them.')]
  })
  const bodies = (): Arranged[] => bodiesOf(context).map(([what, text]) =>
    arranged([{ is: undefined, text }], 8, 'body-hashed', `The text of ${titles[part]} was ${what}.`))
  return [
    ...added, arranged(namesIn(other, context).map(pieceOf), 9, 'terms-of-other-part', `${title} had the terms of ${titles[other]}.`), ...sums,
    ...change === undefined && maxCost === Infinity ? [...bodies(), ...selected(part, pieces)] : []
  ]
}
