import { operations, type Field, type Operation, type SignatureRequest } from '../../src/scheme/request.js'
import { readerOf, variantNames, type Variant } from '../../src/scheme/variants.js'
import { Alternatives, costOfMore } from './alternatives.js'
import { contextOf, fieldText, kinds, knownFields, type Context, type TermName } from './context.js'
import { change, type Change, type DiagnoseOptions, type FileOptions } from './diagnosis.js'
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

const titles: Readonly<Record<string, string>> = { purchase: 'a purchase', refund: 'a refund', void: 'a void', inquiry: 'an inquiry' }

type Row = readonly [variant: Variant, request: SignatureRequest, cost: number, change?: Change]

/** Returns the operation of a request in variant A (specification 4.3). */
const operationIn = ({ operationType }: Readonly<Record<string, unknown>>): Operation =>
  operations.find(name => name === fieldText(operationType).toLowerCase()) ?? 'purchase'

/** Returns the request unchanged, as the other request, in the other variant, and as other operations. */
function rowsOf (request: SignatureRequest, { variant, otherRequest = request }: DiagnoseOptions): Row[] {
  const fix = 'Set VARIANT to the one that the payment side uses; GET /health says which one a service has.'
  const send = 'Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.'
  const interpretation = 'Perhaps the signer read another operationType, or none.'
  const own = operationIn(request)
  const ofOther = operationIn(otherRequest)
  const otherVariants = variantNames.filter(name => name !== variant).map((name): Row =>
    [name, request, 3, change('variant', `The terms were those of variant ${name}, not of variant ${variant}.`, fix)])
  const otherOperations = variantNames.flatMap(name => {
    const operations = Object.keys(readerOf(name).operations)
    const others = operations.length === 1 ? [] : operations.filter(operation => operation !== own)
    return others.map((operation): Row => {
      const because = name === variant
        ? { ...change('operation', `The terms were those of ${titles[operation]}; your request is ${titles[own]}.`, send), interpretation }
        : change('variant', `The terms were those of ${titles[operation]} in variant ${name}, not of variant ${variant}.`, fix)
      return [name, { ...request, operationType: operation }, operation === ofOther ? 2 : 3, because]
    })
  })
  const other = knownFields(otherRequest)
  const isOther = (Object.keys(request) as Field[]).filter(name => request[name] !== other[name]).length > 1
  const stale = isOther
    ? [[variant, other, 2, change('other-request', 'The signature is that of the other request.', 'Sign each request anew, and send its own signature.')] as const]
    : []
  return [[variant, request, 0], ...stale, ...otherVariants, ...otherOperations]
}

/** Returns a request in all schemes. The first is right. Empty if a value has no text. */
export function schemesOf (body: SignatureRequest, options: DiagnoseOptions & FileOptions): Scheme[] {
  const found = rowsOf(knownFields(body), options).flatMap(([variant, request, cost, change]): Scheme[] => {
    if (change !== undefined && options.hypotheses?.has(change.hypothesis) === false) return []
    const context = contextOf(variant, request, options.merchantToken ?? '', body)
    if (context === undefined) return []
    const others = othersOf(context, options)
    const alternatives = new Map((Object.keys(kinds) as TermName[]).map(term => {
      const replacements = replacementsFor(term, context, others, options)
      return [term, new Alternatives(kinds[term], context.terms[term], replacements, options.hypotheses)]
    }))
    // Another operation without its reference is less likely than a purchase whose amount is missing.
    const isReferenceMissing = context.fields.referenceNumber !== undefined && context.terms.referenceNumber === ''
    const isOdd = isReferenceMissing && change?.hypothesis === 'operation'
    return [{ context, cost: isOdd ? cost + costOfMore : cost, change, alternatives }]
  })
  return found[0]?.change === undefined ? found : []
}
