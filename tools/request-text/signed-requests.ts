import { bestIn, insideOf, knownIn, maxDepth, piecesOf, unwrapped, type RequestFields } from './request-text.js'
import { unescaped } from './shell-words.js'

/** A request with the signatures beside it. */
interface SignedRequest {
  readonly request: RequestFields
  /** Signatures in the order of the text. A log may have two: the expected and the received signature. */
  readonly signatures: readonly string[]
}

/** Least number of fields of an object that is a request. */
const leastFields = 3

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
  const signed = found.filter(({ signatures }) => signatures.length > 0)
  return [...new Map(signed.map(request => [JSON.stringify(request), request])).values()]
}

/**
 * Returns the requests of a text that have a signature beside them: in the same JSON object, in the same entry of a
 * HAR, in the same line of a log, or in the lines that follow. Duplicates are removed.
 */
export function signedRequestsIn (text: string): SignedRequest[] {
  for (const readable of [text, unescaped(text), unwrapped(text, 2)]) {
    const found = readSigned(readable)
    if (found.length > 0) return found
  }
  return []
}
