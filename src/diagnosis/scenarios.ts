import { operations } from '../scheme/operation.js'
import { termsIn } from '../scheme/pre-images.js'
import type { SignatureRequest, Variant } from '../scheme/request.js'
import { Alternatives } from './alternatives.js'
import { contextOf, kinds, operationIn } from './context.js'
import type { Context, TermName } from './context.js'
import { change } from './diagnosis.js'
import type { Change, DiagnoseOptions } from './diagnosis.js'
import { differences, otherRequests, replacementsFor } from './elsewhere.js'

/** A request as it may have been understood, before any text is changed. */
export interface Scenario {
  readonly context: Context
  readonly cost: number
  readonly changes: readonly Change[]
  /** What may have stood for a term. */
  readonly alternatives: (term: TermName) => Alternatives
}

/** Each other operation, and the other variant. */
function * otherSchemes (
  { variant, request, operation: own }: Context
): Generator<readonly [Variant, SignatureRequest, Change]> {
  const fix = 'Set VARIANT to the one that the payment side uses; GET /health says which one a service has.'
  const other = variant === 'A' ? 'B' : 'A'
  yield [other, request, change('variant', `The variant was ${other}, not ${variant}.`, fix)]
  for (const operation of operations) {
    if (operation === (own ?? operationIn(request))) continue
    yield ['A', { ...request, operationType: operation }, variant === 'B'
      ? change('variant', `The variant was A, not B, and the operation ${operation}.`, fix)
      : change('operation', `The operation was ${operation}, not ${own}.`,
        'Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.')]
  }
}

/** The request as it is, and as it may have been taken; undefined if a value has no text. */
export function scenariosOf (request: SignatureRequest, options: DiagnoseOptions): Scenario[] | undefined {
  const { variant, merchantToken = '' } = options
  const base = contextOf(variant, request, merchantToken)
  if (base === undefined) return undefined
  const others = [...otherRequests(base, options)].flatMap(([field, request]) => {
    const context = contextOf(variant, request, merchantToken)
    return context === undefined ? [] : [[field, context] as const]
  })

  const found: Scenario[] = []
  const scenario = (context: Context, cost: number, changes: readonly Change[]): Scenario => {
    const made = new Map<TermName, Alternatives>()
    const alternatives = (term: TermName): Alternatives => {
      if (context !== base && context.terms[term] === base.terms[term]) return found[0]!.alternatives(term)
      let known = made.get(term)
      if (known === undefined) {
        const replacements = replacementsFor(term, context, context === base ? others : [], options)
        known = new Alternatives(kinds[term], context.terms[term], replacements)
        made.set(term, known)
      }
      return known
    }
    return { context, cost, changes, alternatives }
  }

  found.push(scenario(base, 0, []))
  for (const [field, context] of others) {
    if (field !== 'operationType' && differences(base, context).length < 2) continue
    const fix = 'Sign and send the same value: take it from one place.'
    found.push(scenario(context, 2, [change('other-request', `The value of ${field} was that of the other request.`, fix)]))
  }
  for (const [variant, request, because] of otherSchemes(base)) {
    const context = contextOf(variant, request, merchantToken)
    if (context !== undefined) found.push(scenario(context, 3, [because]))
  }
  return found
}

export type Part = keyof typeof termsIn

/** The terms that a part joins, in order. */
export function namesIn (part: Part, { variant }: Context, tokenInText: boolean): TermName[] {
  return termsIn[part].filter(name =>
    (name !== 'orderIdOrNull' || variant === 'A') && (name !== 'merchantToken' || tokenInText))
}
