import { costOfMore, unchanged, type Alternative } from './alternatives.js'
import { digestOf } from './bytes.js'
import { namesIn, termNames, titles, type Context, type Part, type TermName } from './context.js'
import { change, type Change } from './diagnosis.js'
import { bodiesOf, foreignTexts, order } from './elsewhere.js'
import { algorithms, ends, hashes, joins, ofAlgorithm, type Form } from './forms.js'
import type { Scheme } from './schemes.js'

/** A piece of a text: a term, or a text that belongs to no term. */
export interface Piece {
  readonly is: TermName | undefined
  /** The right text. */
  readonly text: string
  /** True for a token that is the key of the hash only. */
  readonly isKey?: true
  /** True if the other part shows the text. */
  readonly isKnown?: true
  /** True in another order of the terms: the other part cannot contradict it. */
  readonly isMoved?: true
  /** Returns the texts that may stand for the piece at exactly this cost. At 0 it is one. */
  readonly at: (cost: number) => Iterable<Alternative>
}

/** A difference of a shape from that of the specification. */
interface Trait {
  readonly cost: number
  readonly change: Change
  /** Differences of the arrangement concern one part. The others are expected in both. */
  readonly of: 'scheme' | 'join' | 'hash' | 'ends' | 'arrangement'
}

/** The shape of a signed text: which terms, in which order, joined how, hashed how. */
export interface Shape {
  readonly context: Context
  readonly pieces: readonly Piece[]
  readonly form: Form
  readonly traits: readonly Trait[]
  readonly cost: number
  /** Limit of the changes of terms beside the traits. */
  readonly maxChanges: number
  /** The match of the other part whose texts the pieces have. */
  readonly after?: Match
}

/** Texts of the pieces of a shape that yield a digest. */
export interface Match {
  readonly part: Part
  readonly shape: Shape
  readonly chosen: readonly Alternative[]
  readonly text: string
  readonly digest: string
  readonly cost: number
}

/** Returns the text of chosen pieces that is hashed. */
export function textOf ({ pieces, form }: Shape, chosen: readonly Alternative[]): string {
  const { before, between, after, skipsEmpty, wrap } = form
  let text = before
  let isFirst = true
  for (let index = 0; index < chosen.length; index++) {
    const { is, isKey } = pieces[index]!
    const own = chosen[index]!.text
    if (isKey === true || (skipsEmpty && own === '')) continue
    if (!isFirst) text += between
    text += wrap === undefined || is === undefined ? own : wrap(own, is)
    isFirst = false
  }
  return text + after
}

/** Returns the key of the hash; empty for a hash without a key. */
export const keyOf = ({ pieces, form }: Shape, chosen: readonly Alternative[]): string =>
  form.isKeyed ? chosen[pieces.findIndex(({ is }) => is === 'merchantToken')]!.text : ''

/** Returns the cost of differences together. */
export const costOf = (traits: readonly Trait[]): number =>
  traits.filter(({ cost }) => cost > 0).reduce((sum, { cost }) => sum + cost + (sum > 0 ? costOfMore : 0), 0)

/** A form with its differences from that of the specification. */
type Formed = readonly [form: Form, traits: readonly Trait[]]

/** Returns the form of the specification, under the algorithm that the number of digits suggests. */
function plainForm (digits: number): Formed {
  const algorithm = algorithms[digits]?.[0] ?? 'sha256'
  const hash: Form['hash'] = text => digestOf(algorithm, text).slice(0, digits)
  const form = { before: '', between: '', after: '', skipsEmpty: false, tokenInText: true, isKeyed: false, hash }
  return [form, digits === 64 ? [] : [{ cost: 0, of: 'hash', change: change(...ofAlgorithm(algorithm, digits)) }]]
}

/** Limits of the cost of differences that are combined. */
const maxCostCombined: Readonly<Record<string, number>> = { join: 5, hash: 6, ends: 4 }
/** Limit of the cost of a form in another scheme. */
const maxCostInScheme = 8
const isCombined = ({ of, cost }: Trait): boolean => cost <= maxCostCombined[of]!

/** Returns all wrong forms of digests of a length: a way to join, a hash and an end, one or two of them wrong. */
function formsOf (digits: number, { context, change: wrong }: Scheme, maxCost: number): Formed[] {
  const algorithm = algorithms[digits]?.[0] ?? 'sha256'
  const all = [plainForm(digits)]
  for (const [of, rows] of [['join', joins], ['hash', hashes], ['ends', ends]] as const) {
    const made = rows.filter(([, , , least = 0]) => least <= maxCost)
    const own = made.flatMap(([name, fix, list]) => list({ ...context, digits, algorithm })
      .filter(([cost]) => cost <= (wrong === undefined ? maxCost : Math.min(maxCost, maxCostInScheme)))
      .map(([cost, finding, other]) => ({ trait: { cost, of, change: change(name, finding, fix) }, other })))
    const isCheap = maxCost < Infinity || wrong !== undefined
    const bases = all.filter(([, traits], index) =>
      index === 0 || (!isCheap && traits.length < 2 && traits.every(isCombined)))
    for (const [index, [form, traits]] of bases.entries()) {
      for (const { trait, other } of own.filter(({ trait }) => index === 0 || isCombined(trait))) {
        // Another algorithm replaces the one that the length suggests.
        const isOther = trait.change.hypothesis.startsWith('digest-')
        all.push([{ ...form, ...other }, [...traits.filter(({ cost }) => cost > 0 || !isOther), trait]])
      }
    }
  }
  return all.slice(1)
}

/** Pieces in another order, or others, with the difference from the specification. */
type Arranged = readonly [pieces: readonly Piece[], trait?: Trait]

const arranged = (pieces: readonly Piece[], cost: number, name: string, finding: string, fix = order): Arranged =>
  [pieces, { cost, of: 'arrangement', change: change(name, finding, fix) }]

/** Returns a piece that is no term. */
const fixed = (text: string): Piece => ({ is: undefined, text, at: cost => cost === 0 ? [unchanged(text)] : [] })

/** Returns all ordered selections of some pieces. */
const selectionsOf = (pieces: readonly Piece[]): Piece[][] =>
  [[], ...pieces.flatMap((piece, index) => selectionsOf(pieces.toSpliced(index, 1)).map(rest => [piece, ...rest]))]

const joined = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

/** Returns a piece of another order of the terms. The value of another field is a common mistake there. */
function moved (piece: Piece): Piece {
  const ofFields = [4, 6].flatMap(cost => [...piece.at(cost)])
    .filter(({ text, reason }) => text === 'null' || /^term-replaced$|-field$/.test(reason!.name))
  const common = [...piece.at(3), ...ofFields]
  return { ...piece, isMoved: true, at: cost => cost === 3 ? common : piece.at(cost) }
}

/** Returns the ordered selections of the terms with texts that differ. Empty terms have no place and are not named. */
function selected (part: Part, pieces: readonly Piece[]): Arranged[] {
  const all = pieces.map(moved)
  const [full, empty] = [all.filter(({ text }) => text !== ''), all.filter(({ text }) => text === '')]
  const byText = new Map(selectionsOf(full).map(selection => [joined(selection), selection]))
  byText.delete(joined(pieces))
  byText.delete('')
  return [...byText.values()].map(selection => {
    const names = selection.map(({ is }) => is).join(', ')
    return selection.length === full.length
      ? arranged([...selection, ...empty], 9, 'term-order', `The terms of ${titles[part]} were joined in the order ${names}.`)
      : arranged(selection, 10, 'terms-selected', `The text of ${titles[part]} was made of ${names} only` +
        `${selection.length > 1 ? ', in this order' : ''}.`)
  })
}

/** Returns all other arrangements of the terms of a part. */
function arrangementsOf (
  part: Part, { context }: Scheme, pieces: readonly Piece[], pieceOf: (is: TermName) => Piece, hasAll: boolean
): Arranged[] {
  const title = titles[part].replace('p', 'P')
  const other = part === 'part1' ? 'part2' : 'part1'
  // One character, such as the variant, may belong to a term beside it.
  const added = foreignTexts(context).filter(([, text]) => text.length > 1).flatMap(([name, text]) =>
    [...pieces.keys(), pieces.length].flatMap((index): Arranged[] => {
      const [before, next] = [pieces.slice(0, index).findLast(({ text }) => text !== ''), pieces[index]]
      if (next?.text === '') return [] // the text is also at the next place
      const place = next === undefined ? 'at its end' : index === 0 ? 'at its start' : `before ${next.is}`
      const where = next?.text === text || before?.text === text ? 'twice' : `${place} too`
      const is = termNames.find(name => context.terms[name] === text)
      const piece = is === undefined ? fixed(text) : pieceOf(is)
      return [arranged(pieces.toSpliced(index, 0, piece), 6, 'term-added', `${title} had ${name} ${where}.`)]
    }).reverse())
  // + adds numbers in some languages.
  const sums = pieces.slice(1).flatMap((piece, index): Arranged[] => {
    const both = [pieces[index]!, piece]
    if (!both.every(({ text }) => /^\d{1,15}(?:\.\d+)?$/.test(text))) return []
    const sum = fixed(String(Number(both[0]!.text) + Number(piece.text)))
    return [arranged(pieces.toSpliced(index, 2, sum), 6, 'terms-added-up',
      `${both.map(({ is }) => is).join(' and ')} were added up as numbers.`,
      'Convert each term to text before joining them.')]
  })
  const nothing = ['', 'undefined', 'null', '[object Object]'].map((text): Arranged => [[fixed(text)], {
    cost: 5,
    of: 'join',
    change: change('nothing-hashed', `The digest is that of ${text === '' ? 'an empty text' : `the text ${text}`}.`,
      'Look at what reaches the hash: a variable that is not set, a stream that was read, an object in place of a text.')
  }])
  const bodies = (): Arranged[] => bodiesOf(context).map(([what, text]) =>
    arranged([fixed(text)], 8, 'body-hashed', `The text of ${titles[part]} was ${what}.`))
  return [
    ...added, arranged([...namesIn(other, context).map(pieceOf), ...pieces], 7, 'hash-reused',
      `${title} is the digest of the texts of both parts together.`, 'Make a new hash object for each part, or reset it.'),
    arranged(namesIn(other, context).map(pieceOf), 9, 'terms-of-other-part', `${title} had the terms of ${titles[other]}.`),
    ...sums, ...nothing,
    ...hasAll ? [...bodies(), ...selected(part, pieces)] : []
  ]
}

/** Limits of the cost of shapes that are made together: the first alone, some hundreds, and thousands. */
export const tiers = [1, 7, Infinity] as const

/**
 * Returns the shapes of a part up to a cost. The first is right, or wrong in the algorithm only.
 *
 * @param hypotheses - names of the only differences. Default: all
 */
export function shapesOf (
  part: Part, digits: number, schemes: readonly Scheme[], maxCost: number, hypotheses?: ReadonlySet<string>
): Shape[] {
  const isTried = ({ change }: Trait): boolean => hypotheses?.has(change.hypothesis) !== false
  return schemes.filter(({ cost }) => cost <= maxCost).flatMap(scheme => {
    const { context, cost, change, alternatives } = scheme
    const pieceOf = (is: TermName): Piece =>
      ({ is, text: context.terms[is], at: cost => alternatives.get(is)!.at(cost) })
    const pieces = namesIn(part, context).map(pieceOf)
    const own: Trait[] = change === undefined ? [] : [{ cost, change, of: 'scheme' }]
    const shapeOf = ([form, traits]: Formed, [pieces, trait]: Arranged): Shape => {
      const all = [...own, ...traits, ...trait === undefined ? [] : [trait]]
      const inText = form.tokenInText ? pieces : pieces.filter(({ is }) => is !== 'merchantToken')
      const hasKey = form.isKeyed && !inText.some(({ is }) => is === 'merchantToken')
      const cost = costOf(all)
      const isFixed = form.wrap !== undefined || traits.filter(({ cost }) => cost > 0).length > 1
      return {
        context,
        pieces: hasKey ? [...inText, { ...pieceOf('merchantToken'), isKey: true }] : inText,
        form,
        traits: all,
        cost,
        maxChanges: isFixed ? 0 : cost > 0 ? 1 : 3
      }
    }
    const plain = plainForm(digits)
    if (maxCost === tiers[0] || hypotheses?.size === 0) return [shapeOf(plain, [pieces])]
    const hasAll = maxCost === Infinity && change === undefined
    return [
      shapeOf(plain, [pieces]),
      ...arrangementsOf(part, scheme, pieces, pieceOf, hasAll).map(arranged => shapeOf(plain, arranged)),
      ...formsOf(digits, scheme, maxCost).map(formed => shapeOf(formed, [pieces]))
    ].filter(({ traits, cost }) => cost <= maxCost && traits.every(trait => trait.cost === 0 || isTried(trait)))
  })
}
