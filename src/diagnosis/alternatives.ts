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

const none = { name: '', says: '', fix: '' }
const noOthers: readonly string[] = []

/** What each further change costs besides: two common mistakes are less likely than one that is uncommon. */
export const costOfMore = 2

/** Two changes of one text do not cost more than this, and longer texts get one change only. */
const maxCostOfTwo = 12
const maxLength = 256

/** What has thousands of texts costs this, and is made when it is asked for. */
const manyCost = 9

/** A text as it is. */
export const unchanged = (text: string, isSecret = false): Alternative =>
  ({ text, cost: 0, from: undefined, reason: none, alsoKnownAs: noOthers, changes: 0, isSecret, isAlone: false })

/** The texts that may stand for one term, by what they cost. Those of two changes are made when they are asked for. */
export class Alternatives {
  readonly right: Alternative
  readonly #transforms: readonly Transform[]
  readonly #known = new Map<string, Alternative>()
  readonly #byCost: Alternative[][] = []
  #isComplete = false

  constructor (kind: Kind, text: string, replacements: readonly Replacement[] = []) {
    this.right = unchanged(text, kind === 'token' || kind === 'whole')
    this.#transforms = transforms.filter(({ kinds }) => kinds === undefined || kinds.includes(kind))
    this.#known.set(text, this.right)
    for (const { text, cost, reason, isSecret = false } of replacements) {
      this.#add(text, cost, this.right, reason, this.right.isSecret || isSecret, false)
    }
    this.#change(this.right, this.#transforms.filter(({ cost }) => cost < manyCost))
    this.#sort()
  }

  /** Those of exactly this cost. */
  at (cost: number): readonly Alternative[] {
    if (cost >= 8 && !this.#isComplete) this.#complete()
    return this.#byCost[cost] ?? []
  }

  /** Those to which the same happened as to a text of another part. */
  like (other: Alternative): readonly Alternative[] {
    const reasonsOf = ({ from, reason }: Alternative): Reason[] =>
      from === undefined ? [] : [reason, ...reasonsOf(from)]
    const reasons = reasonsOf(other)
    return this.at(other.cost).filter(alternative =>
      reasonsOf(alternative).every((reason, index) => reason === reasons[index]))
  }

  /** The cheapest way to a text is kept; other names of it, if it is as short. */
  #add (text: string, cost: number, from: Alternative, reason: Reason, isSecret: boolean, isAlone: boolean): void {
    const known = this.#known.get(text)
    const changes = from.changes + 1
    if (known === undefined || cost < known.cost) {
      this.#known.set(text, { text, cost, from, reason, alsoKnownAs: noOthers, changes, isSecret, isAlone })
    } else if (changes + known.changes === 2 && ![known.reason.name, ...known.alsoKnownAs].includes(reason.name)) {
      this.#known.set(text, { ...known, alsoKnownAs: [...known.alsoKnownAs, reason.name] })
    }
  }

  #change (from: Alternative, some: readonly Transform[]): void {
    for (const transform of some) {
      // A field that was not sent is less likely to have been changed than one that was.
      const isUnlikely = from.text === '' && transform.name !== 'absent'
      const cost = transform.cost + (isUnlikely ? 1 : 0) + (from.changes > 0 ? from.cost + costOfMore : 0)
      for (const text of transform.texts(from.text)) {
        this.#add(text, cost, from, transform, from.isSecret, transform.isAlone ?? false)
      }
    }
  }

  #complete (): void {
    this.#isComplete = true
    const combined = this.#transforms.filter(({ isAlone }) => isAlone === undefined)
    for (const from of [...this.#known.values()]) {
      if (from === this.right || from.isAlone || from.text.length > maxLength) continue
      this.#change(from, combined.filter(({ cost }) => from.cost + cost + costOfMore <= maxCostOfTwo))
    }
    this.#sort()
    for (const transform of this.#transforms) {
      if (transform.cost < manyCost) continue
      const change = { ...this.right, cost: manyCost, from: this.right, reason: transform, changes: 1 }
      for (const text of transform.texts(this.right.text)) (this.#byCost[manyCost] ??= []).push({ ...change, text })
    }
  }

  #sort (): void {
    this.#byCost.length = 0
    for (const alternative of this.#known.values()) (this.#byCost[alternative.cost] ??= []).push(alternative)
  }
}
