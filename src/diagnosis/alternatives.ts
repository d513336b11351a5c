import type { Kind, Transform } from './transform.js'
import { absent } from './transforms/absent.js'
import { encoding } from './transforms/encoding.js'
import { number } from './transforms/number.js'
import { text } from './transforms/text.js'
import { time } from './transforms/time.js'
import { token } from './transforms/token.js'

export const transforms: readonly Transform[] = [...absent, ...number, ...time, ...token, ...text, ...encoding]

/** Why a text may stand in the place of another. */
export type Reason = Pick<Transform, 'name' | 'says' | 'fix'> & {
  /** The name stands by itself, without the field's before it. */
  readonly isWhole?: true
}

/** A text that may have stood for a term. */
export interface Alternative {
  readonly text: string
  readonly cost: number
  /** What it was changed from; undefined for the text that is right. */
  readonly from: Alternative | undefined
  readonly reason: Reason
  /** Other names of what leads to the same text. */
  readonly alsoKnownAs: readonly string[]
  /** How many changes lead to it. */
  readonly changes: number
  /** It holds the token, and is never shown. */
  readonly isSecret: boolean
  readonly isAlone: boolean
}

/** A text that is known from elsewhere, such as another field's. */
export interface Replacement {
  readonly text: string
  readonly cost: number
  readonly reason: Reason
  readonly isSecret?: boolean
}

const none: Reason = { name: '', says: '', fix: '' }

/** What each further change costs besides: two common mistakes are less likely than one that is uncommon. */
export const costOfMore = 2

/** Two changes of one text do not cost more than this, and longer texts get one change only. */
const maxCostOfTwo = 12
const maxLength = 256

/** What has thousands of texts costs this. */
export const manyCost = 13

/** A text as it is. */
export const unchanged = (text: string, isSecret = false): Alternative =>
  ({ text, cost: 0, from: undefined, reason: none, alsoKnownAs: [], changes: 0, isSecret, isAlone: false })

/** The texts that may stand for one term, by what they cost. Most are made when they are asked for. */
export class Alternatives {
  readonly right: Alternative
  readonly #kind: Kind
  readonly #known = new Map<string, Alternative>()
  readonly #byCost: Alternative[][] = []
  #made = 1

  constructor (kind: Kind, text: string, replacements: readonly Replacement[] = []) {
    this.#kind = kind
    this.right = unchanged(text, kind === 'token' || kind === 'whole')
    this.#known.set(text, this.right)
    for (const { text, cost, reason, isSecret = false } of replacements) {
      this.#add({ ...this.right, text, cost, from: this.right, reason, changes: 1, isSecret: this.right.isSecret || isSecret, alsoKnownAs: [] })
    }
    this.#change(this.right, this.#own.filter(({ cost }) => cost < manyCost))
    this.#sort()
  }

  get #own (): Transform[] {
    return transforms.filter(({ kinds }) => kinds === undefined || kinds.includes(this.#kind))
  }

  /** Those of exactly this cost. */
  at (cost: number): readonly Alternative[] {
    if (cost >= 8 && this.#made < 2) this.#combine()
    if (cost >= manyCost && this.#made < 3) this.#makeMany()
    return this.#byCost[cost] ?? []
  }

  /** Those to which the same happened as to a text of another part. */
  like (other: Alternative): readonly Alternative[] {
    const reasonsOf = ({ from, reason }: Alternative): readonly Reason[] => from === undefined ? [] : [reason, ...reasonsOf(from)]
    const reasons = reasonsOf(other)
    return this.at(other.cost).filter(alternative => reasonsOf(alternative).every((reason, index) => reason === reasons[index]))
  }

  #add (alternative: Alternative): void {
    const known = this.#known.get(alternative.text)
    if (known === undefined || alternative.cost < known.cost) {
      this.#known.set(alternative.text, alternative)
    } else if (known.cost > 0 && known.changes === 1 && alternative.changes === 1 && known.reason.name !== alternative.reason.name) {
      (known.alsoKnownAs as string[]).push(alternative.reason.name)
    }
  }

  #change (from: Alternative, some: readonly Transform[]): void {
    for (const transform of some) {
      const { cost, texts, isAlone = false } = transform
      for (const text of texts(from.text)) {
        this.#add({
          text, cost: cost + (from.changes > 0 ? from.cost + costOfMore : 0), from, reason: transform, alsoKnownAs: [], changes: from.changes + 1, isSecret: from.isSecret, isAlone
        })
      }
    }
  }

  #makeMany (): void {
    this.#made = 3
    this.#change(this.right, this.#own.filter(({ cost }) => cost === manyCost))
    this.#sort()
  }

  #combine (): void {
    this.#made = 2
    const own = this.#own.filter(({ isAlone }) => isAlone === undefined)
    for (const from of [...this.#known.values()]) {
      if (from === this.right || from.isAlone || from.text.length > maxLength) continue
      this.#change(from, own.filter(({ cost }) => from.cost + cost + costOfMore <= maxCostOfTwo))
    }
    this.#sort()
  }

  #sort (): void {
    this.#byCost.length = 0
    for (const alternative of this.#known.values()) (this.#byCost[alternative.cost] ??= []).push(alternative)
  }
}
