import {
  bestIn, insideOf, knownIn, leastFields, maxDepth, piecesOf, readingsOf, underFieldNames, type RequestFields
} from './request-text.js'

/** A request with the signatures beside it. */
interface SignedRequest {
  readonly request: RequestFields
  /** Signatures in the order of the text. A log may have two: the expected and the received signature. */
  readonly signatures: readonly string[]
  /** The request of the same payment that was sent later, with the signature. Undefined if the text has none. */
  readonly otherRequest?: RequestFields
}

/** A signature in its right form, or any text after the name signature. */
const signatureForm = /([0-9a-f]{64}(?:\\?\/){3}[0-9a-f]{64})|signature["']?\s{0,3}[=:]\s{0,3}["']?([^\s"',;]{40,500})/gi

/** Returns the signatures in a value: members with the name signature, and signatures inside texts. */
function signaturesIn (value: unknown, depth = 0): string[] {
  if (depth > maxDepth) return []
  const inside = insideOf(value).flatMap(([key, member]) =>
    typeof member === 'string' && /^signature$/i.test(key) ? [member] : signaturesIn(member, depth + 1))
  if (typeof value !== 'string' || inside.length > 0) return inside
  return [...value.matchAll(signatureForm)].map(([, right, named]) => right ?? named!)
}

/** Returns the largest parts of a value that contain one request each. */
function unitsIn (value: unknown, depth = 0): unknown[] {
  if (depth > maxDepth) return []
  const inner = insideOf(value).flatMap(([, member]) => unitsIn(member, depth + 1))
  const different = new Map(inner.map(unit => [JSON.stringify(bestIn(unit)), unit]))
  if (different.size > 1) return [...different.values()]
  return different.size === 1 || knownIn(value) >= leastFields ? [value] : []
}

/** True for a call that carries its signature, as a payment does. */
const isPayment = ({ request, signatures }: SignedRequest): boolean =>
  Object.values(request).some(value => signatures.includes(value as string))

/** Returns a key that is the same for the calls of one payment. */
function keyOf (request: RequestFields): string {
  const { sid, clientTimeStamp } = underFieldNames(request)
  return JSON.stringify(sid === undefined || clientTimeStamp === undefined ? request : [sid, String(clientTimeStamp)])
}

/** Returns the first call with a signature of its own, with the call that was sent then. */
function merged (calls: readonly SignedRequest[]): SignedRequest {
  const { request } = calls.find(call => call.signatures.length > 0 && !isPayment(call)) ?? calls[0]!
  const others = calls.filter(call => JSON.stringify(call.request) !== JSON.stringify(request))
  const other = others.find(isPayment) ?? others[0]
  const signatures = [...new Set(calls.flatMap(({ signatures }) => signatures))]
  return { request, signatures, ...other && { otherRequest: underFieldNames(other.request) } }
}

/**
 * Returns the payments in the calls of a text. Calls of one payment have the same sid and time stamp, or the call that
 * carries a signature has it from the other.
 */
function paymentsOf (calls: readonly SignedRequest[]): SignedRequest[] {
  const payments = new Set<SignedRequest[]>()
  const known = new Map<string, SignedRequest[]>()
  for (const call of calls) {
    const { request, signatures } = call
    const same = known.get(keyOf(request))
    const isOther = same?.every(({ signatures: own }) =>
      own.length > 0 && signatures.length > 0 && !signatures.some(signature => own.includes(signature)))
    const signed = isPayment(call) ? signatures.map(signature => known.get(signature)).find(Boolean) : undefined
    const payment = (isOther === false ? same : signed) ?? []
    payment.push(call)
    payments.add(payment)
    known.set(keyOf(request), payment)
    if (!isPayment(call)) for (const signature of signatures) known.set(signature, payment)
  }
  return [...payments].map(merged).filter(({ signatures }) => signatures.length > 0)
}

function readSigned (text: string): SignedRequest[] {
  const lines: unknown[][] = [[]]
  for (const piece of piecesOf(text)) {
    for (const [index, part] of (typeof piece === 'string' ? piece.split('\n') : [piece]).entries()) {
      if (index > 0) lines.push([])
      lines.at(-1)!.push(part)
    }
  }
  const found: Array<{ request: RequestFields, signatures: string[] }> = []
  for (const line of lines) {
    const units = unitsIn(line)
    // A signature in a line without a request belongs to the request before it.
    if (units.length === 0) found.at(-1)?.signatures.push(...signaturesIn(line))
    for (const unit of units) found.push({ request: bestIn(unit)!.request, signatures: signaturesIn(unit) })
  }
  return paymentsOf(found)
}

/**
 * Returns the payments of a text with their signatures: a signature stands in the same JSON object as its request, in
 * the same entry of a HAR, in the same line of a log, or in the lines that follow.
 */
export function signedRequestsIn (text: string): SignedRequest[] {
  for (const readable of readingsOf(text, 2)) {
    const found = readSigned(readable)
    if (found.length > 0) return found
  }
  return []
}
