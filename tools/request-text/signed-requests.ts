import type { SignatureRequest } from '../../src/scheme/request.js'
import {
  bestIn, insideOf, knownIn, leastFields, maxDepth, plainRequest, underFieldNames, valuesIn, type RequestFields
} from './request-text.js'

/** A request with the signatures that were logged for it. */
export interface Signed {
  readonly request: SignatureRequest
  readonly signatures: readonly string[]
  /** The request of the same payment that the payment side received. */
  readonly otherRequest?: Readonly<Record<string, unknown>>
}

/** A signature in its right form. */
const signatureForm = /[0-9a-f]{64}\/\/\/[0-9a-f]{64}/gi

/** Returns the signatures in a value: members with the name signature, and signatures inside texts. */
function signaturesIn (value: unknown, depth = 0): string[] {
  if (depth > maxDepth) return []
  const inside = insideOf(value).flatMap(([key, member]) =>
    typeof member === 'string' && /^signature$/i.test(key) ? [member] : signaturesIn(member, depth + 1))
  return typeof value !== 'string' || inside.length > 0 ? inside : value.match(signatureForm) ?? []
}

/** Returns the largest parts of a value that contain one request each. */
function unitsIn (value: unknown, depth = 0): unknown[] {
  if (depth > maxDepth) return []
  const members = insideOf(value)
  const inner = members.flatMap(([, member]) => unitsIn(member, depth + 1))
  const different = new Map(inner.map(unit => [JSON.stringify(bestIn(unit)), unit]))
  if (different.size > 1) return [...different.values()]
  const own = typeof value === 'string' ? Object.fromEntries(members) : value
  return different.size === 1 || knownIn(own) >= leastFields ? [value] : []
}

/** A request with the signatures beside it. */
interface Call { readonly request: RequestFields, readonly signatures: string[] }

/** Returns a key that is the same for the calls of one payment. */
function keyOf ({ request }: Call): string {
  const { sid, clientTimeStamp } = underFieldNames(request)
  return JSON.stringify(sid === undefined || clientTimeStamp === undefined ? request : [sid, String(clientTimeStamp)])
}

/** True for a call that carries its signature, as a payment does. */
const isPayment = ({ request, signatures }: Call): boolean =>
  Object.values(request).some(value => signatures.includes(value as string))

/**
 * Returns the payments of a text with their signatures: a signature stands in the same JSON as its request, in the same
 * entry of a HAR, or in a line that follows. Calls of one payment have the same sid and time stamp: the request for the
 * signature, and the payment that was sent later.
 */
export function signedRequestsIn (text: string): Signed[] {
  const calls: Call[] = []
  for (const value of valuesIn(text)) {
    const units = unitsIn(value)
    if (units.length === 0) calls.at(-1)?.signatures.push(...signaturesIn(value))
    for (const unit of units) {
      calls.push({ request: plainRequest(bestIn(unit)!.request), signatures: signaturesIn(unit) })
    }
  }
  const payments = new Map<string, Call[]>()
  for (const call of calls) payments.set(keyOf(call), [...payments.get(keyOf(call)) ?? [], call])
  return [...payments.values()].flatMap(calls => {
    const { request } = calls.find(call => call.signatures.length > 0 && !isPayment(call)) ?? calls[0]!
    const others = calls.filter(call => JSON.stringify(call.request) !== JSON.stringify(request))
    const other = others.find(isPayment) ?? others[0]
    const signatures = [...new Set(calls.flatMap(({ signatures }) => signatures))]
    const payment = other === undefined ? {} : { otherRequest: underFieldNames(other.request) }
    return signatures.length === 0 ? [] : [{ request: request as unknown as SignatureRequest, signatures, ...payment }]
  })
}
