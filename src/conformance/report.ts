import { preImagesOf } from '../scheme/terms.js'
import { termsOf } from '../scheme/variant.js'
import type { Variant } from '../scheme/variant.js'
import type { Answer } from './answer.js'
import { remark } from './answer.js'
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

const form = /^([0-9a-f]{64})\/\/\/([0-9a-f]{64})$/

/** What is wrong with an answer that is not the signature. */
function failureOf (vector: Vector, answer: Answer): Failure {
  const { variant, rule, name, request, token, signature } = vector
  const { part1, part2 } = preImagesOf({ ...termsOf(variant, request, token), merchantToken: '<merchantToken>' })
  const failure = { variant, rule, name, hint: hintFor(rule) }
  if ('problem' in answer) return { ...failure, problem: answer.problem, expected: {} }

  const [, first, second] = form.exec(answer.text) ?? []
  if (first === undefined) {
    const said = remark(answer.text, vector)
    const problem = said === '' ? 'the answer is empty' : `the answer is no signature: ${said}`
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

/** Compares the answers, which are in the order of the vectors, with what has to come out. */
export function conformanceReport (vectors: readonly Vector[], answers: readonly Answer[]): ConformanceReport {
  const rules = new Map<string, { variant: Variant, rule: string, passed: number, total: number }>()
  const failures: Failure[] = []
  for (const [index, vector] of vectors.entries()) {
    const { variant, rule, signature } = vector
    const answer = answers[index] as Answer
    const key = `${variant} ${rule}`
    const result = rules.get(key) ?? { variant, rule, passed: 0, total: 0 }
    rules.set(key, result)
    result.total += 1
    if ('text' in answer && answer.text === signature) result.passed += 1
    else failures.push(failureOf(vector, answer))
  }
  return { passed: vectors.length - failures.length, total: vectors.length, rules: [...rules.values()], failures }
}
