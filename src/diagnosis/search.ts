import { termsIn } from '../scheme/pre-images.js'
import type { Alternative } from './alternatives.js'
import { alternativesOf, manyAlternativesOf } from './alternatives.js'
import { digestOf } from './computation.js'
import type { Scenario } from './enumerate.js'
import type { TermHypothesis, TermName } from './hypothesis.js'

export type Part = keyof typeof termsIn

/** Texts that yield a digest. */
export interface Match {
  readonly scenario: Scenario
  readonly digest: string
  readonly chosen: ReadonlyMap<TermName, Alternative>
  /** The order in which the terms were joined, if it was not the specification's. */
  readonly order: readonly TermName[] | undefined
  /** The number of changes, the scenario's included. */
  readonly changes: number
}

export interface SearchOptions {
  readonly part: Part
  readonly scenarios: readonly Scenario[]
  /** Digests that are looked for, as lowercase hexadecimal digits. */
  readonly digests: ReadonlySet<string>
  /** Terms that are settled, with their texts. */
  readonly settled?: ReadonlyMap<TermName, Alternative>
  /** Fewer changes than usual, where more terms are open. */
  readonly maxChanges?: number
}

/** Whether an alternative may stand beside so many other changes of its part. */
function goesWith ({ steps }: Alternative, others: number): boolean {
  return others === 0 || (steps.length < 2 && (others === 1 || steps.every(({ hypothesis }) => hypothesis.alone !== 'pair')))
}

/** The terms that a part joins under a scenario, in order. */
const namesIn = (part: Part, { context, computation }: Scenario): readonly TermName[] => termsIn[part].filter(name =>
  (name !== 'orderIdOrNull' || context.variant === 'A') && (name !== 'merchantToken' || computation.tokenInText))

function * permutationsOf<Item> (items: readonly Item[]): Generator<Item[]> {
  if (items.length <= 1) return yield [...items]
  for (const [index, item] of items.entries()) {
    for (const rest of permutationsOf(items.toSpliced(index, 1))) yield [item, ...rest]
  }
}

/** Tries texts until their digests are found, the ones with fewer changes first. */
export class Search {
  /** How many texts were hashed. */
  tries = 0
  /** Whether the bound was reached. */
  isExhausted = false
  #work = 0
  readonly #algorithm: string
  readonly #hypotheses: readonly TermHypothesis[]
  readonly #maxChanges: number
  readonly #maxTries: number
  readonly #alternatives = new WeakMap<object, Map<TermName, Alternative[][]>>()

  constructor (algorithm: string, hypotheses: readonly TermHypothesis[], maxChanges: number, maxTries: number) {
    this.#algorithm = algorithm
    this.#hypotheses = hypotheses
    this.#maxChanges = maxChanges
    this.#maxTries = maxTries
  }

  #alternativesOf (term: TermName, { context }: Scenario): Alternative[][] {
    const known = this.#alternatives.get(context) ?? new Map<TermName, Alternative[][]>()
    this.#alternatives.set(context, known)
    const alternatives = known.get(term) ?? alternativesOf(term, context, this.#hypotheses)
    known.set(term, alternatives)
    return alternatives
  }

  /** The matches with the fewest changes, and those of other scenarios without further ones. */
  run ({ part, scenarios, digests, settled = new Map(), maxChanges = 3 }: SearchOptions): Match[] {
    if (digests.size === 0) return []
    const matches: Match[] = []

    const attempt = (
      scenario: Scenario, names: readonly TermName[], chosen: readonly Alternative[], isReordered = false
    ) => {
      if (this.tries + this.#work >= this.#maxTries) {
        this.isExhausted = true
        return
      }
      this.tries++
      this.#work += chosen.reduce((sum, { text }) => sum + text.length, 0) >> 9 // long texts take longer to hash
      const digest = digestOf(chosen.map(({ text }) => text), scenario.computation, this.#algorithm)
      if (!digests.has(digest)) return
      const steps = chosen.reduce((sum, { steps }, index) => settled.has(names[index]!) ? sum : sum + steps.length, 0)
      matches.push({
        scenario,
        digest,
        chosen: new Map(names.map((name, index) => [name, chosen[index]!])),
        order: isReordered ? names : undefined,
        changes: scenario.changes.length + steps + Number(isReordered)
      })
    }

    /** Every choice of texts with exactly so many changes. */
    const combine = (
      scenario: Scenario, names: readonly TermName[], total: number, changes = total, chosen: Alternative[] = []
    ) => {
      if (this.isExhausted) return
      const name = names[chosen.length]
      if (name === undefined) {
        attempt(scenario, names, chosen)
        return
      }
      const isLast = chosen.length === names.length - 1
      const fixed = settled.get(name)
      const levels = fixed === undefined ? this.#alternativesOf(name, scenario) : [[fixed]]
      // More changes first: of two explanations the one that changes an earlier term is the likelier, as with a space
      // between two terms.
      for (let count = Math.min(changes, levels.length - 1); count >= (isLast ? changes : 0); count--) {
        for (const alternative of levels[count]!) {
          if (count > 0 && !goesWith(alternative, total - count)) continue
          chosen.push(alternative)
          combine(scenario, names, total, changes - count, chosen)
          chosen.pop()
        }
      }
    }

    const unchanged = (scenario: Scenario, names: readonly TermName[]) =>
      names.map(name => settled.get(name) ?? this.#alternativesOf(name, scenario)[0]![0]!)

    /** What has too many texts to be combined: other time stamps, and other orders of the terms. */
    const tryMany = (scenario: Scenario) => {
      const names = namesIn(part, scenario)
      const texts = unchanged(scenario, names)
      for (const [index, name] of names.entries()) {
        if (settled.has(name)) continue
        for (const alternative of manyAlternativesOf(name, scenario.context, this.#hypotheses)) {
          if (this.isExhausted || matches.length > 0) return
          attempt(scenario, names, texts.with(index, alternative))
        }
      }
      for (const order of permutationsOf(names)) {
        if (this.isExhausted || matches.length > 0) return
        attempt(scenario, order, order.map(name => texts[names.indexOf(name)]!), true)
      }
    }

    const own = scenarios[0]!.changes.length
    // Another operation is likelier than a field that looks like it.
    const likeliestFirst = scenarios.toSorted((one, other) => other.changes.length - one.changes.length)
    const max = Math.min(maxChanges, this.#maxChanges)
    for (let changes = own; changes <= own + max && matches.length === 0; changes++) {
      for (const scenario of likeliestFirst) {
        const left = changes - scenario.changes.length
        if (left >= 0 && left <= scenario.maxChanges) combine(scenario, namesIn(part, scenario), left)
      }
      if (changes === own + 1 && matches.length === 0) tryMany(scenarios[0]!)
    }
    // The same text may come about in another way, under which the other part is right as well.
    const fewest = Math.min(...matches.map(({ changes }) => changes))
    for (const scenario of scenarios) {
      if (scenario.changes.length > fewest) combine(scenario, namesIn(part, scenario), 0)
    }
    return matches
  }
}
