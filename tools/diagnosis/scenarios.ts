import { operations, type Field, type Operation, type SignatureRequest } from '../../src/scheme/request.js'
import { readerOf, variantNames, type Variant } from '../../src/scheme/variants.js'
import { Alternatives, costOfMore } from './alternatives.js'
import { changesOf } from './changes.js'
import { contextOf, fieldText, kinds, knownFields, type Context, type TermName } from './context.js'
import { change, type Change, type DiagnoseOptions, type FileOptions } from './diagnosis.js'
import { othersOf, replacementsFor } from './elsewhere.js'

/** A reading of a request: its variant, operation and token, before any text is changed. */
export interface Scenario {
  readonly context: Context
  readonly cost: number
  readonly changes: readonly Change[]
  /** Texts that may have stood for a term. */
  readonly alternatives: ReadonlyMap<TermName, Alternatives>
  /** True if the token differs from the given one. Only keys need that: elsewhere the token is a term. */
  readonly hasOtherToken: boolean
}

const titles: Readonly<Record<string, string>> = { purchase: 'a purchase', refund: 'a refund', void: 'a void', inquiry: 'an inquiry' }

type Scheme = readonly [variant: Variant, request: SignatureRequest, cost: number, changes: readonly Change[]]

/** Returns the operation of a request in variant A (specification 4.3). */
const operationIn = ({ operationType }: Readonly<Record<string, unknown>>): Operation =>
  operations.find(name => name === fieldText(operationType).toLowerCase()) ?? 'purchase'

/** Returns the request unchanged, as the other request, in the other variant, and as other operations. */
function schemesOf (request: SignatureRequest, { variant, otherRequest = request }: DiagnoseOptions): Scheme[] {
  const fix = 'Set VARIANT to the one that the payment side uses; GET /health says which one a service has.'
  const send = 'Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.'
  const interpretation = 'Perhaps the signer read another operationType, or none.'
  const own = operationIn(request)
  const ofOther = operationIn(otherRequest)
  const otherVariants = variantNames.filter(name => name !== variant).map((name): Scheme =>
    [name, request, 3, [change('variant', `The terms were those of variant ${name}, not of variant ${variant}.`, fix)]])
  const otherOperations = variantNames.flatMap(name => {
    const operations = Object.keys(readerOf(name).operations)
    const others = operations.length === 1 ? [] : operations.filter(operation => operation !== own)
    return others.map((operation): Scheme => {
      const because = name === variant
        ? { ...change('operation', `The terms were those of ${titles[operation]}; your request is ${titles[own]}.`, send), interpretation }
        : change('variant', `The terms were those of ${titles[operation]} in variant ${name}, not of variant ${variant}.`, fix)
      return [name, { ...request, operationType: operation }, operation === ofOther ? 2 : 3, [because]]
    })
  })
  const other = knownFields(otherRequest)
  const isOther = (Object.keys(request) as Field[]).filter(name => request[name] !== other[name]).length > 1
  const stale = isOther
    ? [[variant, other, 2, [change('other-request', 'The signature is that of the other request.', 'Sign each request anew, and send its own signature.')]] as const]
    : []
  return [[variant, request, 0, []], ...stale, ...otherVariants, ...otherOperations]
}

/** The most that a change of a token costs where the token is a key. */
const maxCostOfToken = 5

/** Returns the request under each token that one common mistake makes of the given one. */
function withOtherTokens (scenario: Scenario): Scenario[] {
  const { context, alternatives } = scenario
  const tokens = alternatives.get('merchantToken')!
  if (tokens.right.text === '') return []
  return tokens.upTo(maxCostOfToken).filter(({ text, changes }) => text !== '' && changes > 0).map(token => ({
    ...scenario,
    context: { ...context, terms: { ...context.terms, merchantToken: token.text } },
    cost: token.cost,
    changes: changesOf({ subject: context.subjects.merchantToken, signed: token }),
    alternatives: new Map(alternatives).set('merchantToken', new Alternatives('token', token.text, [])),
    hasOtherToken: true
  }))
}

/** Returns the readings of a request. The first is right. Empty if a value has no text. */
export function scenariosOf (request: SignatureRequest, options: DiagnoseOptions & FileOptions): Scenario[] {
  const schemes = schemesOf(knownFields(request), options)
    .filter(([, , , changes]) => changes.every(({ hypothesis }) => options.hypotheses?.has(hypothesis) !== false))
  const found = schemes.flatMap(([variant, request, cost, changes]): Scenario[] => {
    const context = contextOf(variant, request, options.merchantToken ?? '')
    if (context === undefined) return []
    const others = othersOf(context, options)
    const alternatives = new Map((Object.keys(kinds) as TermName[]).map(term => {
      const replacements = replacementsFor(term, context, others, options)
      return [term, new Alternatives(kinds[term], context.terms[term], replacements, options.hypotheses)]
    }))
    // Another operation without its reference is less likely than a purchase whose amount is missing.
    const isReferenceMissing = context.fields.referenceNumber !== undefined && context.terms.referenceNumber === ''
    const isOdd = isReferenceMissing && changes[0]?.hypothesis === 'operation'
    return [{ context, cost: isOdd ? cost + costOfMore : cost, changes, alternatives, hasOtherToken: false }]
  })
  return found[0]?.cost === 0 ? [...found, ...withOtherTokens(found[0])] : []
}

export type Part = 'part1' | 'part2'

/** Returns the terms of a part in their order. */
export const namesIn = (part: Part, { variant }: Context, tokenInText: boolean): TermName[] =>
  readerOf(variant).parts[part].filter(name => name !== 'merchantToken' || tokenInText)

/** Returns the right texts to hash for a request. */
export const textsOf = (context: Context): readonly [part1: string, part2: string] =>
  (['part1', 'part2'] as const).map(part => namesIn(part, context, true).map(name => context.terms[name]).join('')) as unknown as [string, string]
