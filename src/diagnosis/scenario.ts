import { createHmac, hash } from 'node:crypto'
import { SigningError } from '../scheme/errors.js'
import type { SignatureRequest } from '../scheme/signature-request.js'
import { termsIn } from '../scheme/terms.js'
import type { Terms } from '../scheme/terms.js'
import { textOf } from '../scheme/text.js'
import { termsOf } from '../scheme/variant.js'
import type { Variant } from '../scheme/variant.js'
import type { Change } from './diagnosis.js'
import { computationHypotheses, derivationHypotheses } from './hypotheses.js'
import type { Computation, Context, TermName } from './hypothesis.js'

export type Part = 'part1' | 'part2'

/** A way to get from a request to digests, before any text is changed. */
export interface Scenario {
  readonly context: Context
  readonly computation: Computation
  readonly changes: readonly Change[]
  /** How many terms may be changed besides: fewer where there are many scenarios. */
  readonly mostChanges: number
}

const plain: Computation = {
  separator: '', skipsEmpty: false, encoding: 'utf8', twice: false, key: undefined, tokenInText: true
}

const someSid = '00000000-0000-4000-8000-000000000000'

/**
 * The terms of a request, also of one that is refused for its session id: whoever signed may not have refused it.
 * Undefined if a value has no text.
 */
export function looseTermsOf (variant: Variant, request: SignatureRequest, merchantToken: string): Terms | undefined {
  try {
    const terms = termsOf(variant, { ...request, sid: someSid }, merchantToken)
    return { ...terms, sid: textOf(request.sid ?? '') }
  } catch (failure) {
    if (failure instanceof SigningError) return undefined
    throw failure
  }
}

/** All derivations and computations, and each pair of them; the ones with fewer changes first. */
export function scenariosOf (base: Context, merchantToken: string, further: readonly Scenario[]): Scenario[] {
  const derivations: Scenario[] = [scenarioOf(base, []), ...further]
  for (const { name, derivations: others, fix } of derivationHypotheses) {
    for (const { variant, request, finding } of others(base)) {
      const terms = looseTermsOf(variant, request, merchantToken)
      if (terms === undefined) continue
      derivations.push(scenarioOf({ variant, request, terms }, [{ hypothesis: name, alsoKnownAs: [], finding, fix }]))
    }
  }
  const scenarios = [...derivations]
  for (const { context, changes } of derivations) {
    for (const { name, computations, fix } of computationHypotheses) {
      for (const { computation, finding } of computations(context)) {
        const change = { hypothesis: name, alsoKnownAs: [], finding, fix }
        scenarios.push({
          context,
          computation: { ...plain, ...computation },
          changes: [...changes, change],
          mostChanges: changes.length === 0 ? 1 : 0
        })
      }
    }
  }
  return scenarios.sort((one, other) => one.changes.length - other.changes.length)
}

/** A scenario without a change of its own, for a context. */
export const scenarioOf = (context: Context, changes: readonly Change[]): Scenario =>
  ({ context, computation: plain, changes, mostChanges: 3 })

/** The terms that a part joins under a scenario, in order. */
export function namesIn (part: Part, { context, computation }: Scenario): readonly TermName[] {
  return termsIn[part].filter(name =>
    (name !== 'orderIdOrNull' || context.variant === 'A') && (name !== 'merchantToken' || computation.tokenInText))
}

/** The digest of texts that stand for the terms of a part, as lowercase hexadecimal digits. */
export function digestOf (texts: readonly string[], computation: Computation, algorithm: string): string {
  const { separator, skipsEmpty, encoding, twice, key } = computation
  const text = (skipsEmpty ? texts.filter(Boolean) : texts).join(separator)
  const data = encoding === 'utf8' ? text : Buffer.from(text, encoding)
  const digest = key === undefined ? hash(algorithm, data, 'hex') : createHmac(algorithm, key).update(data).digest('hex')
  return twice ? hash(algorithm, digest, 'hex') : digest
}
