import { costOfMore, type Alternative } from './alternatives.js'
import { digestOf } from './bytes.js'
import { namesIn, titles, type Part, type TermName } from './context.js'
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
}

/** A difference of a shape from that of the specification. */
export interface Trait {
  readonly cost: number
  readonly change: Change
  /** Differences of the arrangement concern one part. The others are expected in both. */
  readonly of: 'scheme' | 'join' | 'hash' | 'ends' | 'arrangement'
}

/** The shape of a signed text: which terms, in which order, joined how, hashed and written how. */
export interface Shape {
  readonly scheme: Scheme
  readonly pieces: readonly Piece[]
  readonly form: Form
  readonly traits: readonly Trait[]
  readonly cost: number
  /** Limit of the changes of terms beside the traits. */
  readonly maxChanges: number
  /** Texts that the other part shows. */
  readonly known: ReadonlyMap<TermName, Alternative>
}

const costOf = (traits: readonly Trait[]): number =>
  traits.filter(({ cost }) => cost > 0).reduce((sum, { cost }) => sum + cost + (sum > 0 ? costOfMore : 0), 0)

/** A form with its differences from that of the specification. */
interface Formed { readonly form: Form, readonly traits: readonly Trait[] }

/** Limits of the cost of differences that are combined. */
const maxCostCombined: Readonly<Record<string, number>> = { join: 5, hash: 6, ends: 4 }

const isCombined = ({ of, cost, change: { hypothesis } }: Trait): boolean =>
  cost <= maxCostCombined[of]! && hypothesis !== 'terms-changed'

/** Returns all forms of digests of a length: a way to join, a hash and an end, at most two of them wrong. In a wrong scheme, one. */
function formsOf (digits: number, { context, change: wrong }: Scheme, isAlone: boolean): Formed[] {
  const algorithm = algorithms[digits]?.[0] ?? 'sha256'
  const plain: Formed = {
    form: {
      before: '', between: '', after: '', skipsEmpty: false, tokenInText: true, isKeyed: false,
      hash: text => digestOf(algorithm, text).slice(0, digits)
    },
    traits: digits === 64 ? [] : [{ cost: 0, of: 'hash', change: change(...ofAlgorithm(algorithm, digits)) }]
  }
  const all = [plain]
  if (isAlone) return all
  for (const [of, rows] of [['join', joins], ['hash', hashes], ['ends', ends]] as const) {
    const own = rows.flatMap(([name, fix, list]) => list({ ...context, digits, algorithm }).map(([cost, finding, other]) =>
      ({ trait: { cost, of, change: change(name, finding, fix) }, other })))
    const bases = all.filter(({ traits }, index) => index === 0 || (wrong === undefined && traits.length < 2 && traits.every(isCombined)))
    all.push(...bases.flatMap(({ form, traits }) => own
      .filter(({ trait }) => traits.every(({ cost }) => cost === 0) || isCombined(trait))
      .map(({ trait, other }) => ({
        form: { ...form, ...other },
        // Another algorithm replaces the one that the length suggests.
        traits: [...traits.filter(({ cost }) => cost > 0 || !trait.change.hypothesis.startsWith('digest-')), trait]
      }))))
  }
  return all
}

/** An arrangement of pieces, with its difference from that of the specification. */
type Arranged = readonly [pieces: readonly Piece[], trait?: Trait]

const arranged = (pieces: readonly Piece[], cost: number, name: string, finding: string, fix = order): Arranged =>
  [pieces, { cost, of: 'arrangement', change: change(name, finding, fix) }]

/** Returns all ordered selections of some pieces. */
const selectionsOf = (pieces: readonly Piece[]): Piece[][] =>
  [[], ...pieces.flatMap((piece, index) => selectionsOf(pieces.toSpliced(index, 1)).map(rest => [piece, ...rest]))]

/** Returns the ordered selections of the terms with texts that differ. Empty terms are not named: they have no place. */
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
      : arranged(selection, 10, 'terms-selected', `The text of ${titles[part]} was made of ${names} only${selection.length > 1 ? ', in this order' : ''}.`)
  })
}

/** Returns all other arrangements of the terms of a part. */
function arrangementsOf (part: Part, { context, change }: Scheme, pieces: readonly Piece[]): Arranged[] {
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
  const bodies = bodiesOf(context).map(([what, text]) =>
    arranged([{ is: undefined, text }], 8, 'body-hashed', `The text of ${titles[part]} was ${what}.`))
  return [
    ...added, arranged(namesIn(other, context).map(pieceOf), 9, 'terms-of-other-part', `${title} had the terms of ${titles[other]}.`), ...sums,
    ...change === undefined ? [...bodies, ...selected(part, pieces)] : []
  ]
}

/** Returns the shapes of a part, or the first alone, which is right, or wrong in the algorithm only. */
export function shapesOf (
  part: Part, digits: number, schemes: readonly Scheme[], isAlone: boolean, hypotheses?: ReadonlySet<string>
): Shape[] {
  const isTried = ({ change }: Trait): boolean => hypotheses?.has(change.hypothesis) !== false || change.hypothesis === 'digest-algorithm'
  return schemes.slice(0, isAlone ? 1 : undefined).flatMap(scheme => {
    const { context, cost, change } = scheme
    const pieces = namesIn(part, context).map((is): Piece => ({ is, text: context.terms[is] }))
    const own: Trait[] = change === undefined ? [] : [{ cost, change, of: 'scheme' }]
    const shapeOf = ({ form, traits }: Formed, [pieces, trait]: Arranged): Shape => {
      const all = [...own, ...traits, ...trait === undefined ? [] : [trait]]
      const wrong = traits.filter(({ cost }) => cost > 0)
      const inText = form.tokenInText ? pieces : pieces.filter(({ is }) => is !== 'merchantToken')
      const hasKey = form.isKeyed && !inText.some(({ is }) => is === 'merchantToken')
      const keyed = hasKey ? [...inText, { is: 'merchantToken', text: context.terms.merchantToken, isKey: true } as const] : inText
      const cost = costOf(all)
      const isFixed = wrong.length > 1 || form.wrap !== undefined || pieces.every(({ is }) => is === undefined)
      return { scheme, pieces: keyed, form, traits: all, cost, maxChanges: isFixed ? 0 : cost > 0 ? 1 : 3, known: new Map() }
    }
    const [plain, ...forms] = formsOf(digits, scheme, isAlone)
    if (isAlone) return [shapeOf(plain!, [pieces])]
    const shapes = [
      shapeOf(plain!, [pieces]),
      ...arrangementsOf(part, scheme, pieces).map(arranged => shapeOf(plain!, arranged)),
      ...forms.map(formed => shapeOf(formed, [pieces]))
    ]
    return shapes.filter(({ traits, form, scheme: { context: { terms } } }) => traits.every(isTried) &&
      // A change of one term is found without a change of all terms.
      (traits.at(-1)?.change.hypothesis !== 'terms-changed' || pieces.filter(({ is, text }) => form.wrap!(terms[is!], is!) !== text).length > 1))
  })
}
