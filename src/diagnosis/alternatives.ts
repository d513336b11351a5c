import type { Context, NamedText, TermHypothesis, TermName } from './hypothesis.js'

/** A text that may have stood for a term, and the changes that lead to it. */
export interface Alternative {
  readonly text: string
  readonly steps: readonly Step[]
}

interface Step {
  readonly hypothesis: TermHypothesis
  readonly alsoKnownAs: string[]
  readonly says: string
  readonly from: string
  readonly to: string
}

const named = (one: string | NamedText, { says }: TermHypothesis): NamedText =>
  typeof one === 'string' ? { text: one, says } : one

/** Each text that one hypothesis more leads to from `start`, unless it is in one of the sets already. */
function extend (
  start: Alternative, hypotheses: readonly TermHypothesis[], context: Context,
  known: ReadonlyArray<Map<string, Alternative>>, found: Map<string, Alternative>
): void {
  for (const hypothesis of hypotheses) {
    if (start.steps.some(step => step.hypothesis === hypothesis)) continue
    for (const one of hypothesis.texts(start.text, context)) {
      const { text, says } = named(one, hypothesis)
      if (known.some(texts => texts.has(text))) continue
      const same = found.get(text)
      if (same === undefined) {
        const step = { hypothesis, alsoKnownAs: [], says, from: start.text, to: text }
        found.set(text, { text, steps: [...start.steps, step] })
      } else {
        const { hypothesis: { name }, alsoKnownAs } = same.steps.at(-1) as Step
        if (name !== hypothesis.name && !alsoKnownAs.includes(hypothesis.name)) alsoKnownAs.push(hypothesis.name)
      }
    }
  }
}

/** Longer texts get one change only, or making the alternatives would take longer than the search. */
const maxLength = 256

/** The texts that may have stood for a term, by the number of changes, 0 to 2. */
export function alternativesOf (
  term: TermName, context: Context, hypotheses: readonly TermHypothesis[]
): Alternative[][] {
  const own = hypotheses.filter(({ terms, alone }) => terms.includes(term) && alone !== 'part')
  const text = context.terms[term]
  const none = new Map([[text, { text, steps: [] }]])
  const one = new Map<string, Alternative>()
  for (const start of none.values()) extend(start, own, context, [none], one)

  const combined = own.filter(({ alone }) => alone === undefined)
  const two = new Map<string, Alternative>()
  for (const start of one.values()) {
    if (start.text.length > maxLength) continue
    if (start.steps.some(({ hypothesis }) => hypothesis.alone !== undefined)) continue
    extend(start, combined, context, [none, one], two)
  }
  return [none, one, two].map(texts => [...texts.values()])
}

/** The texts of the hypotheses that are tried by themselves, since there are many. */
export function * manyAlternativesOf (
  term: TermName, context: Context, hypotheses: readonly TermHypothesis[]
): Generator<Alternative> {
  const from = context.terms[term]
  for (const hypothesis of hypotheses) {
    if (hypothesis.alone !== 'part' || !hypothesis.terms.includes(term)) continue
    for (const one of hypothesis.texts(from, context)) {
      const { text, says } = named(one, hypothesis)
      yield { text, steps: [{ hypothesis, alsoKnownAs: [], says, from, to: text }] }
    }
  }
}
