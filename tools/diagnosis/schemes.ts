import { operations, type Field, type SignatureRequest } from '../../src/scheme/request.js'
import { rulesOf, variantNames, type Variant } from '../../src/scheme/variants.js'
import { Alternatives, costOfMore } from './alternatives.js'
import { contextOf, fieldText, kinds, knownFields, termNames, type Context, type TermName } from './context.js'
import { change, type Change, type FileOptions } from './diagnosis.js'
import { othersOf, replacementsFor } from './elsewhere.js'

/** A request under a variant and an operation, before any text is changed. */
export interface Scheme {
  readonly context: Context
  readonly cost: number
  /** Undefined for the request's own variant and operation. */
  readonly change: Change | undefined
  /** Texts that may have stood for a term. */
  readonly alternatives: ReadonlyMap<TermName, Alternatives>
}

/** Returns an operation with its article. */
export const titleOf = (operation: string): string => `${operation === 'inquiry' ? 'an' : 'a'} ${operation}`

/** Returns a request in all schemes: as it is, as the other request, in the other variant, as other operations. */
export function schemesOf (body: SignatureRequest, options: FileOptions): Scheme[] {
  const { variant, merchantToken = '', otherRequest, hypotheses } = options
  const [request, other] = [knownFields(body), knownFields(otherRequest ?? body)]
  const [own, ofOther] = [request, other].map(({ operationType }) =>
    operations.find(name => name === fieldText(operationType).toLowerCase()) ?? 'purchase')
  const schemes: Scheme[] = []
  const add = (variant: Variant, request: SignatureRequest, cost: number, change?: Change): void => {
    if (change !== undefined && (schemes.length === 0 || hypotheses?.has(change.hypothesis) === false)) return
    const context = contextOf(variant, request, merchantToken, body)
    if (context === undefined) return
    const others = othersOf(context, options)
    const alternatives = new Map(termNames.map(term => {
      const replacements = replacementsFor(term, context, others, options)
      return [term, new Alternatives(kinds[term], context.terms[term], replacements, hypotheses)]
    }))
    // Another operation without its reference is less likely than a purchase whose amount is missing.
    const { sources, terms } = context
    const isOdd = change?.hypothesis === 'operation' && sources.referenceNumber !== undefined && terms.referenceNumber === ''
    schemes.push({ context, cost: isOdd ? cost + costOfMore : cost, change, alternatives })
  }
  add(variant, request, 0)
  if ((Object.keys(request) as Field[]).filter(name => request[name] !== other[name]).length > 1) {
    add(variant, other, 2, change('other-request', 'The signature is that of the other request.',
      'Sign each request anew, and send its own signature.'))
  }
  const fix = 'Set VARIANT to the one that the payment side uses; GET /health says which one a service has.'
  for (const name of variantNames.filter(name => name !== variant)) {
    add(name, request, 3, change('variant', `The terms were those of variant ${name}, not of variant ${variant}.`, fix))
  }
  for (const name of variantNames) {
    const all = Object.keys(rulesOf(name).operations)
    for (const operation of all.length === 1 ? [] : all.filter(operation => operation !== own)) {
      const title = titleOf(operation)
      add(name, { ...request, operationType: operation }, operation === ofOther ? 2 : 3, name === variant
        ? change('operation', `The terms were those of ${title}; your request is ${titleOf(own!)}.`,
          'Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.',
          'Perhaps the signer read another operationType, or none.')
        : change('variant', `The terms were those of ${title} in variant ${name}, not of variant ${variant}.`, fix))
    }
  }
  return schemes
}
