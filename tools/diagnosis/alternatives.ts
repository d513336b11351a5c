import type { Kind, Transform } from './transform.js'
import { absent } from './transforms/absent.js'
import { encoding } from './transforms/encoding.js'
import { number } from './transforms/number.js'
import { text } from './transforms/text.js'
import { time } from './transforms/time.js'
import { token } from './transforms/token.js'

/** All transforms, by the kind of what they change. */
export const transforms: readonly Transform[] = [...absent, ...number, ...time, ...token, ...text, ...encoding]

/** Why texts may stand in the place of another. */
export interface Reason {
  /** The name of the hypothesis. */
  readonly name: string
  readonly says: string
  readonly fix: string
  readonly cost: number
  readonly texts: (text: string) => Iterable<string>
  /** The texts hold the token. */
  readonly isSecret: boolean
}

/** A text that may have stood for a term. */
export interface Alternative {
  readonly text: string
  readonly cost: number
  /** What it was changed from, and why; undefined for the text that is right. */
  readonly from?: Alternative
  readonly reason?: Reason
  /** Other names of what leads to the same text. */
  readonly alsoKnownAs: string[]
  /** How many changes lead to it. */
  readonly changes: number
  /** It holds the token, and is never shown. */
  readonly isSecret: boolean
}

/** What each further change costs besides: two common mistakes are less likely than one that is uncommon. */
export const costOfMore = 2

/** Two changes of one text do not cost more than this, and longer texts get one change only. */
const maxCostOfTwo = 12
const maxLength = 256

/** A text as it is. */
export const unchanged = (text: string, isSecret = false): Alternative =>
  ({ text, cost: 0, alsoKnownAs: [], changes: 0, isSecret })

/** What may happen to a text of this kind. */
const reasonsOf = (kind: Kind, text: string): Reason[] => transforms.flatMap(([name, says, fix, texts, kinds]) => {
  if (kinds?.includes(kind) === false) return []
  // A field that was not sent is less likely to have been changed than one that was.
  const more = text === '' && name !== 'absent' ? 1 : 0
  return Object.entries(texts).map(([cost, texts]) =>
    ({ name: `${kind}-${name}`, says, fix, cost: Number(cost) + more, texts, isSecret: false }))
})

/** The texts that may stand for one term, by what they cost. They are made when they are asked for. */
export class Alternatives {
  readonly right: Alternative
  readonly #others: readonly Reason[]
  readonly #reasons: readonly Reason[]
  readonly #known = new Map<string, Alternative>()
  readonly #byCost: Alternative[][] = []

  /** @param others - what this term may have been besides what any text of its kind may have been */
  constructor (kind: Kind, text: string, others: readonly Reason[]) {
    this.right = unchanged(text, kind === 'token' || kind === 'text')
    this.#known.set(text, this.right)
    this.#byCost.push([this.right])
    this.#others = others
    this.#reasons = reasonsOf(kind, text)
  }

  /** Those of exactly this cost. */
  at (cost: number): readonly Alternative[] {
    while (this.#byCost.length <= cost) this.#byCost.push(this.#make(this.#byCost.length))
    return this.#byCost[cost]!
  }

  #make (cost: number): Alternative[] {
    const made: Alternative[] = []
    const change = (from: Alternative, reason: Reason): void => {
      for (const text of reason.texts(from.text)) {
        const known = this.#known.get(text)
        if (known === undefined) {
          const isSecret = from.isSecret || reason.isSecret
          made.push({ text, cost, from, reason, alsoKnownAs: [], changes: from.changes + 1, isSecret })
          this.#known.set(text, made.at(-1)!)
        } else if (from === this.right && known.from === this.right) {
          const names = [known.reason?.name, ...known.alsoKnownAs]
          if (!names.includes(reason.name)) known.alsoKnownAs.push(reason.name)
        }
      }
    }
    for (const reason of [...this.#others, ...this.#reasons]) if (reason.cost === cost) change(this.right, reason)
    // The others are not combined: they say what the text was, whatever became of it before.
    for (const reason of cost > maxCostOfTwo ? [] : this.#reasons) {
      for (const from of this.#byCost[cost - costOfMore - reason.cost] ?? []) {
        if (from.changes === 1 && from.text.length <= maxLength) change(from, reason)
      }
    }
    return made
  }
}
