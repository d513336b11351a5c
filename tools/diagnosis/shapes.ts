import { costOfMore, type Alternative } from './alternatives.js'
import { arrangementsOf, type Arranged } from './arrangements.js'
import { digestOf } from './bytes.js'
import { namesIn, type Part, type TermName } from './context.js'
import { change, type Change } from './diagnosis.js'
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
interface Formed { readonly form: Form, readonly traits: readonly Trait[] }

/** Least cost of a wrong form. */
const leastCost = 2

/** Limits of the cost of differences that are combined. */
const maxCostCombined: Readonly<Record<string, number>> = { join: 5, hash: 6, ends: 4 }

const isCombined = ({ of, cost, change: { hypothesis } }: Trait): boolean =>
  cost <= maxCostCombined[of]! && hypothesis !== 'terms-changed'

/** Returns all forms of digests of a length: a way to join, a hash and an end, one or two of them wrong. */
function formsOf (digits: number, { context, change: wrong }: Scheme, maxCost: number): Formed[] {
  const algorithm = algorithms[digits]?.[0] ?? 'sha256'
  const plain: Formed = {
    form: {
      digits,
      before: '',
      between: '',
      after: '',
      skipsEmpty: false,
      tokenInText: true,
      isKeyed: false,
      hash: text => digestOf(algorithm, text).slice(0, digits)
    },
    traits: digits === 64 ? [] : [{ cost: 0, of: 'hash', change: change(...ofAlgorithm(algorithm, digits)) }]
  }
  const all = [plain]
  if (maxCost < leastCost) return all
  for (const [of, rows] of [['join', joins], ['hash', hashes], ['ends', ends]] as const) {
    const own = rows.flatMap(([name, fix, list]) => list({ ...context, digits, algorithm })
      .filter(([cost]) => cost <= maxCost)
      .map(([cost, finding, other]) => ({ trait: { cost, of, change: change(name, finding, fix) }, other })))
    const bases = all.filter(({ traits }, index) =>
      index === 0 || (maxCost === Infinity && wrong === undefined && traits.length < 2 && traits.every(isCombined)))
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

/** Returns the shapes of a part up to a cost. The first is right, or wrong in the algorithm only. */
export function shapesOf (
  part: Part, digits: number, schemes: readonly Scheme[], maxCost: number, hypotheses?: ReadonlySet<string>
): Shape[] {
  const isTried = ({ change }: Trait): boolean => hypotheses?.has(change.hypothesis) !== false || change.hypothesis === 'digest-algorithm'
  return schemes.filter(({ cost }) => cost <= maxCost).flatMap(scheme => {
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
      const maxChanges = isFixed ? 0 : cost > 0 ? 1 : 3
      return { scheme, pieces: keyed, form, traits: all, cost, maxChanges, known: new Map() }
    }
    const [plain, ...forms] = formsOf(digits, scheme, maxCost)
    const shapes = [
      shapeOf(plain!, [pieces]),
      ...arrangementsOf(part, scheme, pieces, maxCost).map(arranged => shapeOf(plain!, arranged)),
      ...forms.map(formed => shapeOf(formed, [pieces]))
    ]
    // A change of one term is found without a change of all terms.
    const isOfMany = ({ traits, form }: Shape): boolean => traits.at(-1)?.change.hypothesis !== 'terms-changed' ||
      pieces.filter(({ is, text }) => form.wrap!(text, is!) !== text).length > 1
    return shapes.filter(shape => shape.cost <= maxCost && shape.traits.every(isTried) && isOfMany(shape))
  })
}
