import { fieldNames, toOptional, type Reading, type SignatureRequest, type TermName } from '../../src/scheme/request.js'
import { readingFrom } from '../../src/scheme/signer.js'
import { rulesOf, type Variant } from '../../src/scheme/variants.js'
import { ownTokenOf } from '../explain/warnings.js'

export type { TermName }

/** Kind of a term. The name of a hypothesis begins with the kind. */
export type Kind = 'timestamp' | 'sid' | 'amount' | 'identifier' | 'account-number' | 'token'

export const kinds: Readonly<Record<TermName, Kind>> = {
  clientTimeStamp: 'timestamp',
  sid: 'sid',
  amount: 'amount',
  referenceNumber: 'identifier',
  orderIdOrNull: 'identifier',
  merchantToken: 'token',
  accountNumber: 'account-number'
}

export const termNames = Object.keys(kinds) as TermName[]

export type Part = 'part1' | 'part2'

export const titles: Readonly<Record<Part, string>> = { part1: 'part 1', part2: 'part 2' }

/** The terms of a request. Requests that the service refuses are read too, since another signer may accept them. */
export interface Context {
  readonly variant: Variant
  readonly request: SignatureRequest
  /** The body as it was given. `request` has only its known fields. */
  readonly body: SignatureRequest
  readonly sources: Reading['sources']
  readonly terms: Readonly<Record<TermName, string>>
  /** Names of terms for messages: the name of the sent field, if there is one. */
  readonly subjects: Readonly<Record<TermName, string>>
}

/** Subject of the order term of a request without an order id. */
export const absentOrderId = 'The text for the absent order id'

/** Reads a request without the refusals of specification 4.1. Returns undefined if a value has no text. */
export function readLoosely (variant: Variant, request: SignatureRequest): Reading | undefined {
  try {
    return readingFrom(variant, rulesOf(variant).derive(request), request)
  } catch {
    return undefined
  }
}

/**
 * Reads the terms of a request.
 *
 * @param token - empty for the request's own token
 * @returns undefined if a value has no text
 */
export function contextOf (
  variant: Variant, request: SignatureRequest, token: string, body: SignatureRequest = request
): Context | undefined {
  const reading = readLoosely(variant, request)
  if (reading === undefined) return undefined
  const { sources, orderIdOrNull, accountNumberField } = reading
  const texts = { ...reading, merchantToken: token === '' ? ownTokenOf(request) : token }
  return {
    variant,
    request,
    body,
    sources,
    terms: Object.fromEntries(termNames.map(name => [name, texts[name]])) as Context['terms'],
    subjects: {
      clientTimeStamp: 'clientTimeStamp',
      sid: 'sid',
      amount: 'amount',
      referenceNumber: sources.referenceNumber ?? 'The reference',
      orderIdOrNull: orderIdOrNull === 'null' ? absentOrderId : sources.orderId ?? '',
      merchantToken: 'The token',
      accountNumber: accountNumberField
    }
  }
}

/** Returns the terms of a part in their order. */
export const namesIn = (part: Part, { variant }: Pick<Context, 'variant'>): readonly TermName[] =>
  rulesOf(variant).parts[part]

/** Returns the right texts to hash for a request. */
export const textsOf = (context: Context): [part1: string, part2: string] => (['part1', 'part2'] as const)
  .map(part => namesIn(part, context).map(name => context.terms[name]).join('')) as [string, string]

/** Returns the known fields of a request. Other fields, of any number, would be copied with each change. */
export const knownFields = (request: Readonly<Record<string, unknown>>): SignatureRequest =>
  Object.fromEntries(fieldNames.map(field => [field, request[field]])) as SignatureRequest

/** Returns the text of a field, even of a field that is not signed. Returns an empty text if there is none. */
export function fieldText (value: unknown): string {
  try {
    return toOptional(value)
  } catch {
    return ''
  }
}
