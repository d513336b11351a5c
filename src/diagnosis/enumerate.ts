import type { SignatureRequest } from '../scheme/request.js'
import { commonMistakes } from './common-mistakes.js'
import { plain } from './computation.js'
import type { Computation } from './computation.js'
import { change } from './diagnosis.js'
import type { Change, DiagnoseOptions } from './diagnosis.js'
import { otherRequest } from './hypotheses/other-request.js'
import { otherToken } from './hypotheses/other-token.js'
import type { Context, DerivationHypothesis, TermHypothesis } from './hypothesis.js'
import { looseTermsOf } from './loose-terms.js'

/** A way to get from a request to digests, before any text is changed. */
export interface Scenario {
  readonly context: Context
  readonly computation: Computation
  readonly changes: readonly Change[]
  /** How many terms may be changed besides: fewer where there are many scenarios. */
  readonly maxChanges: number
}

/** The request as it is, and what each hypothesis makes of it. */
function derivationsOf (
  base: Context, hypotheses: readonly DerivationHypothesis[], merchantToken: string
): Scenario[] {
  const derivations: Scenario[] = [{ context: base, computation: plain, changes: [], maxChanges: 3 }]
  for (const { name, derivations: others, fix } of hypotheses) {
    for (const { variant, request, finding } of others(base)) {
      const terms = looseTermsOf(variant, request, merchantToken)
      if (terms === undefined) continue
      const context = { variant, request, terms }
      derivations.push({ context, computation: plain, changes: [change(name, finding, fix)], maxChanges: 3 })
    }
  }
  return derivations
}

/** A derivation with each other way to compute the digests. */
const computationsOf = ({ context, changes }: Scenario): Scenario[] =>
  commonMistakes.computations.flatMap(({ name, computations, fix }) =>
    [...computations(context)].map(({ computation, finding }) => ({
      context,
      computation: { ...plain, ...computation },
      changes: [...changes, change(name, finding, fix)],
      maxChanges: changes.length === 0 ? 1 : 0
    })))

/** Everything to try for a request, the scenarios with fewer changes first; undefined if a value has no text. */
export function enumerate (
  request: SignatureRequest, options: DiagnoseOptions
): { hypotheses: readonly TermHypothesis[], scenarios: readonly Scenario[] } | undefined {
  const { variant, merchantToken = '' } = options
  const terms = looseTermsOf(variant, request, merchantToken)
  if (terms === undefined) return undefined
  const context = { variant, request, terms }
  const other = otherRequest(context, options)
  const derivations = derivationsOf(context, [...other.derivations, ...commonMistakes.derivations], merchantToken)
  return {
    hypotheses: [...other.terms, ...otherToken(request, options), ...commonMistakes.terms],
    scenarios: [...derivations, ...derivations.flatMap(computationsOf)]
      .sort((one, other) => one.changes.length - other.changes.length)
  }
}
