import { anotherValue, isAnotherValue, isValid } from './another-value.js'
import type { Explanation, Kind, Transform } from './transform.js'
import { absent } from './transforms/absent.js'
import { encoding } from './transforms/encoding.js'
import { number } from './transforms/number.js'
import { text } from './transforms/text.js'
import { time } from './transforms/time.js'
import { token } from './transforms/token.js'

/** All transforms, by the kind of what they change. */
export const transforms: readonly Transform[] = [...absent, ...number, ...time, ...token, ...text, ...encoding]

/** A way to make texts that stand in the place of another one. */
export interface Reason extends Explanation {
  readonly cost: number
  readonly texts: (text: string) => Iterable<string>
  /** The texts contain the token. */
  readonly isSecret: boolean
}

/** A text that may have stood for a term. */
export interface Alternative {
  readonly text: string
  readonly cost: number
  /** The text that it was changed from, and the reason; undefined for the text of the request. */
  readonly from?: Alternative
  readonly reason?: Explanation
  /** Other names of changes that lead to the same text. */
  readonly alsoKnownAs: string[]
  /** The number of changes. */
  readonly changes: number
  /** The text contains the token, and is never shown. */
  readonly isSecret: boolean
}

/** The cost of each further change: two common mistakes are less likely than one that is uncommon. */
export const costOfMore = 2

/** Two changes of one text do not cost more than this, and longer texts get one change only. */
const maxCostOfTwo = 12
const maxLength = 256

/** A single change from this cost on is less likely than another value. */
const exotic = 7

/** Returns a text without a change. */
export const unchanged = (text: string, isSecret = false): Alternative =>
  ({ text, cost: 0, alsoKnownAs: [], changes: 0, isSecret })

/** Returns the changes of texts of a kind. */
const reasonsOf = (kind: Kind, text: string): Reason[] => transforms.flatMap(([name, says, fix, texts, kinds]) => {
  if (kinds?.includes(kind) === false) return []
  // A field that was not sent is less likely to have been changed than one that was.
  const more = text === '' && name !== 'absent' ? 1 : 0
  return Object.entries(texts).map(([cost, texts]) =>
    ({ name: `${kind}-${name}`, kind, says, fix, cost: Number(cost) + more, texts, isSecret: false }))
})

/** Changes by which one ordinary value becomes another one, and which are common in spite of that. */
const isUnit = ({ name }: Reason): boolean => /-(?:minor-units|time-zone|other-request)$/.test(name)

/** The texts that may stand for one term, by cost. They are made on demand. */
export class Alternatives {
  readonly right: Alternative
  readonly #kind: Kind
  readonly #others: readonly Reason[]
  readonly #reasons: readonly Reason[]
  readonly #known = new Map<string, Alternative>()
  readonly #byCost: Alternative[][] = []

  /** @param others - reasons that concern this term alone */
  constructor (kind: Kind, text: string, others: readonly Reason[]) {
    this.right = unchanged(text, kind === 'token' || kind === 'text')
    this.#kind = kind
    this.#known.set(text, this.right)
    this.#byCost.push([this.right])
    this.#others = others
    this.#reasons = reasonsOf(kind, text)
  }

  /** Returns the alternatives of exactly this cost. */
  at (cost: number): readonly Alternative[] {
    while (this.#byCost.length <= cost) this.#byCost.push(this.#make(this.#byCost.length))
    return this.#byCost[cost]!
  }

  /** Returns a text as another value of the field, or undefined if changes explain it better. */
  #asAnotherValue (text: string, cost: number, from: Alternative, reason: Reason): Alternative | undefined {
    const isUnlikely = from !== this.right || (reason.cost >= exotic && !isUnit(reason))
    if (!isUnlikely || !isAnotherValue(this.#kind, text, this.right.text)) return undefined
    const changes = from.changes + 1
    return { ...this.right, text, cost, from: this.right, reason: anotherValue(this.#kind), alsoKnownAs: [], changes }
  }

  #make (cost: number): Alternative[] {
    const made: Alternative[] = []
    const change = (from: Alternative, reason: Reason): void => {
      for (const text of reason.texts(from.text)) {
        const known = this.#known.get(text)
        if (known === undefined) {
          const isSecret = from.isSecret || reason.isSecret
          made.push(this.#asAnotherValue(text, cost, from, reason) ??
            { text, cost, from, reason, alsoKnownAs: [], changes: from.changes + 1, isSecret })
          this.#known.set(text, made.at(-1)!)
        } else if (from === this.right && known.from === this.right && !/-another-value$/.test(known.reason!.name)) {
          const names = [known.reason?.name, ...known.alsoKnownAs]
          if (!names.includes(reason.name)) known.alsoKnownAs.push(reason.name)
        }
      }
    }
    for (const reason of [...this.#others, ...this.#reasons]) if (reason.cost === cost) change(this.right, reason)
    // The others are not combined: they name the text, whatever became of it before.
    for (const reason of cost > maxCostOfTwo ? [] : this.#reasons) {
      for (const from of this.#byCost[cost - costOfMore - reason.cost] ?? []) {
        if (from.changes === 1 && from.text.length <= maxLength && isValid(this.#kind, from.text)) change(from, reason)
      }
    }
    return made
  }
}
