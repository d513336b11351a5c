import { readerOf } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
import { remark } from './outcome.js'
import type { Outcome } from './outcome.js'
import { hintFor } from './traps.js'
import type { Vector } from './vectors.js'

export interface RuleResult {
  readonly variant: Variant
  readonly rule: string
  readonly passed: number
  readonly total: number
}

export interface Failure {
  readonly variant: Variant
  readonly rule: string
  /** The vector's. */
  readonly name: string
  /** Why there is no signature to compare; empty if there is one. */
  readonly problem: string
  /** What has to be hashed for each part that differs, with `<merchantToken>` in the token's place. */
  readonly expected: { readonly part1?: string, readonly part2?: string }
  /** What implementations often get wrong here. */
  readonly hint: string
}

export interface ConformanceReport {
  readonly passed: number
  readonly total: number
  /** In the order of the vectors. */
  readonly rules: readonly RuleResult[]
  readonly failures: readonly Failure[]
}

const signatureForm = /^([0-9a-f]{64})\/\/\/([0-9a-f]{64})$/

/** What is wrong with an outcome that is not the signature. */
function failureOf (vector: Vector, outcome: Outcome): Failure {
  const { variant, rule, name, request, signature } = vector
  const reader = readerOf(variant)
  const { part1, part2 } = reader.preImagesOf(reader.read(request), '<merchantToken>')
  const failure = { variant, rule, name, hint: hintFor(rule) }
  if ('problem' in outcome) return { ...failure, problem: outcome.problem, expected: {} }

  const [, first, second] = signatureForm.exec(outcome.text) ?? []
  if (first === undefined) {
    const said = remark(outcome.text, vector)
    const problem = said === '' ? 'the output is empty' : `not a signature: ${said}`
    return { ...failure, problem, expected: {} }
  }
  const [expectedFirst, expectedSecond] = signature.split('///')
  return {
    ...failure,
    problem: '',
    expected: {
      ...(first !== expectedFirst && { part1: part1.toWellFormed() }),
      ...(second !== expectedSecond && { part2: part2.toWellFormed() })
    }
  }
}

/** Compares the outcomes, in the order of the vectors, with the signatures. */
export function conformanceReport (vectors: readonly Vector[], outcomes: readonly Outcome[]): ConformanceReport {
  const rules = new Map<string, { variant: Variant, rule: string, passed: number, total: number }>()
  const failures: Failure[] = []
  for (const [index, vector] of vectors.entries()) {
    const { variant, rule, signature } = vector
    const outcome = outcomes[index] as Outcome
    const key = `${variant} ${rule}`
    const result = rules.get(key) ?? { variant, rule, passed: 0, total: 0 }
    rules.set(key, result)
    result.total += 1
    if ('text' in outcome && outcome.text === signature) result.passed += 1
    else failures.push(failureOf(vector, outcome))
  }
  return { passed: vectors.length - failures.length, total: vectors.length, rules: [...rules.values()], failures }
}
