import { operations } from '../scheme/operation.js'
import { termsIn } from '../scheme/pre-images.js'
import type { SignatureRequest } from '../scheme/request.js'
import { Alternatives } from './alternatives.js'
import { contextOf, kinds, operationIn } from './context.js'
import type { Context, TermName } from './context.js'
import { change } from './diagnosis.js'
import type { Change, DiagnoseOptions } from './diagnosis.js'
import { differences, fixOfOther, replacementsFor } from './elsewhere.js'

/** A request as it may have been understood, before any text is changed. */
export interface Scenario {
  readonly context: Context
  readonly cost: number
  readonly changes: readonly Change[]
  /** What may have stood for a term. */
  readonly alternatives: ReadonlyMap<TermName, Alternatives>
}

/** Each other operation, and the other variant. */
function otherSchemes ({ variant, request, operation: own }: Context) {
  const fix = 'Set VARIANT to the one that the payment side uses; GET /health says which one a service has.'
  const send = 'Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.'
  const other = variant === 'A' ? 'B' : 'A'
  const otherOperations = operations.filter(operation => operation !== (own ?? operationIn(request))).map(operation => {
    const because = variant === 'B'
      ? change('variant', `The variant was A, not B, and the operation ${operation}.`, fix)
      : change('operation', `The operation was ${operation}, not ${own}.`, send)
    return ['A', { ...request, operationType: operation }, because] as const
  })
  return [[other, request, change('variant', `The variant was ${other}, not ${variant}.`, fix)] as const, ...otherOperations]
}

/** The request as it is, and as it may have been taken; undefined if a value has no text. */
export function scenariosOf (request: SignatureRequest, options: DiagnoseOptions): Scenario[] | undefined {
  const { variant, merchantToken = '', otherRequest } = options
  const base = contextOf(variant, request, merchantToken)
  if (base === undefined) return undefined
  /** The request with one field's value of the other side, by that field. */
  const others = otherRequest === undefined
    ? []
    : Object.keys({ ...request, ...otherRequest }).flatMap(field => {
      const context = contextOf(variant, { ...request, [field]: otherRequest[field] }, merchantToken)
      return context === undefined ? [] : [[field, context] as const]
    })

  const found: Scenario[] = []
  const add = (context: Context | undefined, cost: number, changes: readonly Change[]): void => {
    if (context === undefined) return
    const alternatives = new Map((Object.keys(kinds) as TermName[]).map(term => {
      const text = context.terms[term]
      // The same text shares what is tried, with the rules for other fields of the request as it is.
      const known = text === base.terms[term] ? found[0]?.alternatives.get(term) : undefined
      if (known !== undefined) return [term, known]
      const reasons = replacementsFor(term, context, context === base ? others : [], options)
      return [term, new Alternatives(kinds[term], text, reasons)]
    }))
    found.push({ context, cost, changes, alternatives })
  }
  add(base, 0, [])
  for (const [field, context] of others) {
    if (field !== 'operationType' && differences(base, context).length < 2) continue
    add(context, 2, [change('other-request', `The value of ${field} was that of the other request.`, fixOfOther)])
  }
  for (const [variant, request, because] of otherSchemes(base)) {
    add(contextOf(variant, request, merchantToken), 3, [because])
  }
  return found
}

export type Part = keyof typeof termsIn

/** The terms that a part joins, in order. */
export const namesIn = (part: Part, { variant }: Context, tokenInText: boolean): TermName[] =>
  termsIn[part].filter(name => (name !== 'orderIdOrNull' || variant === 'A') && (name !== 'merchantToken' || tokenInText))
