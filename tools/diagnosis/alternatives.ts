import type { Kind } from './context.js'
import type { Explanation } from './mistakes/mistake.js'
import { anotherValue, isAnotherValue, isValid, mistakes } from './mistakes/mistakes.js'

/** A reason why other texts may stand for a text. */
export interface Reason extends Explanation {
  readonly cost: number
  readonly texts: (text: string) => Iterable<string>
  /** True if the texts contain the token. */
  readonly isSecret: boolean
}

/** A text that may have stood for a term. */
export interface Alternative {
  readonly text: string
  readonly cost: number
  /** The text before the last change, and the reason for the change. Undefined for the text of the request. */
  readonly from?: Alternative
  readonly reason?: Explanation
  /** Other names of changes that lead to the same text. */
  readonly alsoKnownAs: string[]
  /** The number of changes. */
  readonly changes: number
  /** True if the text contains the token. Such a text is never shown. */
  readonly isSecret: boolean
}

/** Additional cost of each further change: two common mistakes are less likely than one uncommon mistake. */
export const costOfMore = 2

/** Cost of other values: thousands of texts, which are made again each time. */
export const costOfValues = 15

/** Limits of two changes of one text: their cost, the cost of each, and the length of the text in UTF-16 code units. */
const maxCostOfTwo = 12
const maxCostOfEach = 6
const maxLength = 256

/** Least cost of a change that is less likely than another value, unless it turns ordinary values into one another. */
const exotic = 7
const ordinary = /-(?:integer|typing-error|minor-units|time-zone|other-request|another-value)$/

/** Returns the unchanged text as an alternative. */
export const unchanged = (text: string, isSecret = false): Alternative =>
  ({ text, cost: 0, alsoKnownAs: [], changes: 0, isSecret })

/** Returns the text of the request that an alternative stands for. */
export const sentOf = ({ from, ...own }: Alternative): Alternative => from === undefined ? own : sentOf(from)

/** True if the signed text differs from the sent one. Two changes may lead back to it. */
export const isChanged = (signed: Alternative): boolean => signed.text !== sentOf(signed).text

/** Returns the reasons that apply to a text of a kind. An absent field has no text to format or to decorate. */
const reasonsOf = (kind: Kind, text: string): Reason[] => mistakes
  .filter(([name, , , , kinds]) => kinds?.includes(kind) !== false && (text !== '' || name === 'absent'))
  .flatMap(([name, says, fix, byCost]) => Object.entries(byCost).map(([cost, texts]) =>
    ({ name: `${kind}-${name}`, kind, says, fix, cost: Number(cost), texts, isSecret: false })))

/** Texts that may stand for one term, by cost. The texts are made on demand. */
export class Alternatives {
  readonly #right: Alternative
  readonly #kind: Kind
  readonly #others: readonly Reason[]
  readonly #isTried: (reason: Reason) => boolean
  #ofKind: readonly Reason[] | undefined
  readonly #known = new Map<string, Alternative>()
  readonly #byCost: Alternative[][]

  /**
   * @param others - reasons that concern this term alone
   * @param hypotheses - names of the only reasons to try. Default: all
   */
  constructor (kind: Kind, text: string, others: readonly Reason[], hypotheses?: ReadonlySet<string>) {
    this.#right = unchanged(text, kind === 'token')
    this.#kind = kind
    this.#known.set(text, this.#right)
    this.#byCost = [[this.#right]]
    this.#isTried = ({ name }) => hypotheses?.has(name) !== false || hypotheses.has(`${kind}-another-value`)
    this.#others = others.filter(this.#isTried)
  }

  /** Reasons of the kind. They are made on demand, because most texts are never changed. */
  get #reasons (): readonly Reason[] {
    this.#ofKind ??= reasonsOf(this.#kind, this.#right.text).filter(this.#isTried)
    return this.#ofKind
  }

  /** Returns the alternatives of exactly this cost. */
  at (cost: number): Iterable<Alternative> {
    if (cost >= costOfValues) return this.#values(cost)
    while (this.#byCost.length <= cost) this.#byCost.push(this.#make(this.#byCost.length))
    return this.#byCost[cost]!
  }

  * #values (cost: number): Generator<Alternative> {
    const from = this.#right
    for (const reason of this.#reasons) {
      for (const text of reason.cost === cost ? reason.texts(from.text) : []) {
        if (text !== from.text) yield { text, cost, from, reason, alsoKnownAs: [], changes: 1, isSecret: from.isSecret }
      }
    }
  }

  /** Returns what explains a text: the reason, or that it is another value of the field. */
  #explained (text: string, from: Alternative, reason: Reason): Pick<Alternative, 'from' | 'reason'> {
    const isUnlikely = from !== this.#right || (reason.cost >= exotic && !ordinary.test(reason.name))
    if (!isUnlikely || !isAnotherValue(this.#kind, text, this.#right.text)) return { from, reason }
    return { from: this.#right, reason: { ...anotherValue, name: `${this.#kind}-another-value`, kind: this.#kind } }
  }

  #make (cost: number): Alternative[] {
    const made: Alternative[] = []
    const change = (from: Alternative, reason: Reason): void => {
      for (const text of reason.texts(from.text)) {
        const known = this.#known.get(text)
        if (known === undefined) {
          const isSecret = from.isSecret || reason.isSecret
          const explained = this.#explained(text, from, reason)
          made.push({ text, cost, ...explained, alsoKnownAs: [], changes: from.changes + 1, isSecret })
          this.#known.set(text, made.at(-1)!)
        } else if (from === this.#right && known.from === from && !/-another-value$/.test(known.reason!.name)) {
          const names = [known.reason!.name, ...known.alsoKnownAs]
          if (!names.includes(reason.name)) known.alsoKnownAs.push(reason.name)
        }
      }
    }
    for (const reason of [...this.#others, ...this.#reasons]) if (reason.cost === cost) change(this.#right, reason)
    // Reasons that concern this term alone are not combined: they replace the whole text. Decoration is removed first.
    const second = cost > maxCostOfTwo ? [] : this.#reasons.filter(({ cost }) => cost > 2 && cost <= maxCostOfEach)
    for (const reason of second) {
      const costOfFirst = cost - costOfMore - reason.cost
      for (const from of costOfFirst > maxCostOfEach ? [] : this.#byCost[costOfFirst] ?? []) {
        if (from.changes === 1 && from.text.length <= maxLength && isValid(this.#kind, from.text)) change(from, reason)
      }
    }
    return made
  }
}
