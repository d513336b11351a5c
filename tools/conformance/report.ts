import { readerOf } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
import { remark } from './vector-outcome.js'
import type { VectorOutcome } from './vector-outcome.js'
import { hintFor } from './traps.js'
import type { Vector } from './vectors.js'

const signatureForm = /^([0-9a-f]{64})\/\/\/([0-9a-f]{64})$/

/**
 * Describes an outcome that is not the signature. `problem` is the reason for which there is no signature to compare;
 * `expected` has the text to hash for each part that differs, with `<merchantToken>` in place of the token.
 */
function failureOf (vector: Vector, outcome: VectorOutcome) {
  const { variant, rule, name, request, signature } = vector
  const reader = readerOf(variant)
  const { part1, part2 } = reader.preImagesOf(reader.read(request), '<merchantToken>')
  const expected: { part1?: string, part2?: string } = {}
  const failure = { variant, rule, name, hint: hintFor(rule), problem: '', expected }
  if ('problem' in outcome) return { ...failure, problem: outcome.problem }

  const [, first, second] = signatureForm.exec(outcome.text) ?? []
  if (first === undefined) {
    const said = remark(outcome.text, vector)
    return { ...failure, problem: said === '' ? 'the output is empty' : `not a signature: ${said}` }
  }
  const [expectedFirst, expectedSecond] = signature.split('///')
  if (first !== expectedFirst) expected.part1 = part1.toWellFormed()
  if (second !== expectedSecond) expected.part2 = part2.toWellFormed()
  return failure
}

/** Compares the outcomes, in the order of the vectors, with the signatures. */
export function conformanceReport (vectors: readonly Vector[], outcomes: readonly VectorOutcome[]) {
  const rules = new Map<string, { variant: Variant, rule: string, passed: number, total: number }>()
  const failures: Array<ReturnType<typeof failureOf>> = []
  for (const [index, vector] of vectors.entries()) {
    const { variant, rule, signature } = vector
    const outcome = outcomes[index] as VectorOutcome
    const key = `${variant} ${rule}`
    const result = rules.get(key) ?? { variant, rule, passed: 0, total: 0 }
    rules.set(key, result)
    result.total += 1
    if ('text' in outcome && outcome.text === signature) result.passed += 1
    else failures.push(failureOf(vector, outcome))
  }
  return { passed: vectors.length - failures.length, total: vectors.length, rules: [...rules.values()], failures }
}

export type ConformanceReport = ReturnType<typeof conformanceReport>
