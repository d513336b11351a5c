import { fields, type SignatureRequest } from '../../src/scheme/fields.js'
import { ownTokenOf, type Reading } from '../../src/scheme/reading.js'
import type { TermName } from '../../src/scheme/signature.js'
import { toOptional } from '../../src/scheme/text.js'
import { readerOf, type Variant } from '../../src/scheme/variants.js'
import type { Kind } from './transform.js'

export type { TermName }

/** A request as somebody may have read it, also one that is refused: whoever signed may not have refused it. */
export interface Context {
  readonly variant: Variant
  readonly request: SignatureRequest
  readonly fields: Reading['fields']
  readonly terms: Readonly<Record<TermName, string>>
  /** What the user calls a term: the name of the field that was sent, where there is one. */
  readonly subjects: Readonly<Record<TermName, string>>
}

export const kinds: Readonly<Record<TermName, Kind>> = {
  clientTimeStamp: 'timestamp',
  sid: 'sid',
  amount: 'amount',
  referenceNumber: 'identifier',
  orderIdOrNull: 'identifier',
  merchantToken: 'token',
  accountNumber: 'account-number'
}

/**
 * Reads a request under a token.
 *
 * @param token - empty for the request's own, if it has one
 * @returns undefined if a value has no text
 */
export function contextOf (variant: Variant, request: SignatureRequest, token: string): Context | undefined {
  const reading = readerOf(variant).readLoosely(request)
  if (reading === undefined) return undefined
  const { fields, clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, accountNumber } = reading
  const merchantToken = token === '' ? ownTokenOf(reading) ?? '' : token
  return {
    variant,
    request,
    fields,
    terms: { clientTimeStamp, sid, amount, referenceNumber, orderIdOrNull, merchantToken, accountNumber },
    subjects: {
      clientTimeStamp: 'clientTimeStamp',
      sid: 'sid',
      amount: 'amount',
      referenceNumber: fields.referenceNumber ?? 'The reference',
      orderIdOrNull: orderIdOrNull === 'null' ? 'The text for the absent order id' : fields.orderId ?? '',
      merchantToken: 'The token',
      accountNumber: reading.accountNumberField
    }
  }
}

/** Only what may be signed: any number of other fields may be there, and would be copied with each change. */
export const knownFields = (request: Readonly<Record<string, unknown>>): SignatureRequest =>
  Object.fromEntries(fields.map(field => [field, request[field]])) as SignatureRequest

/** The text of any field, also of one that the request does not sign: empty if it has none. */
export function fieldText (value: unknown): string {
  try {
    return toOptional(value)
  } catch {
    return ''
  }
}
