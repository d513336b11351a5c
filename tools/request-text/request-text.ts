import { fields } from '../../src/scheme/request.js'
import { parseJson, UnreadableError } from '../../src/text/json-file.js'
import { fieldLike } from '../explain/warnings.js'
import { bodyOfCurl, isCurl } from './curl.js'
import { formNames, nextObject, objectOf, unreadableCallIn } from './forms.js'
import { unescaped } from './shell-words.js'

export type RequestFields = Record<string, unknown>

interface Found {
  readonly request: RequestFields
  /** Number of members that are fields of a request. A member with a similar name counts a little less. */
  readonly known: number
}

/** Limit of the levels of nesting, including JSON as text in JSON, which logs have. */
export const maxDepth = 8

const decoder = new TextDecoder()

/** Parses a text that is an object, a URL with a query, or a JSON object in base64 as in a HAR. */
function parsed (text: string): unknown {
  const object = objectOf(text.trim().replace(/^https?:[^?#\s]{0,2000}\?/, ''))
  if (object !== undefined) return object
  try {
    return /^eyJ[\w+/]+=*$/.test(text) && JSON.parse(decoder.decode(Uint8Array.from(atob(text), byte => byte.charCodeAt(0))))
  } catch {
    return undefined
  }
}

/** Returns the members of an object or array, or of JSON in a text, with their keys. */
export function insideOf (value: unknown): Array<[key: string, member: unknown]> {
  const inner = typeof value === 'string' ? [parsed(value)] : value
  return typeof inner === 'object' && inner !== null ? Object.entries(inner) : []
}

const isField = (key: string): boolean => (fields as readonly string[]).includes(key)

/** Returns the keys of an object that differ from the name of a field in case, `_` or `-`, with that name. */
function similarIn (request: object): Array<[key: string, field: string]> {
  return Object.keys(request).flatMap(key => {
    const field = isField(key) ? undefined : fieldLike(key)
    return field === undefined || Object.hasOwn(request, field) ? [] : [[key, field]]
  })
}

/** Returns a request with the names of the specification in place of similar ones. */
export function underFieldNames (request: RequestFields): RequestFields {
  const names = new Map(similarIn(request))
  return Object.fromEntries(Object.entries(request).map(([key, value]) => [names.get(key) ?? key, value]))
}

/** Returns the number of fields of a request that a value has. */
export function knownIn (value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0
  return Object.keys(value).filter(isField).length + 0.9 * similarIn(value).length
}

/** Returns the value or inner object with the most fields of a request. In a tie, the outer object wins. */
export function bestIn (value: unknown, depth = 0): Found | undefined {
  if (depth > maxDepth) return undefined
  const known = knownIn(value)
  const own = known > 0 ? [{ request: value as RequestFields, known }] : []
  const inner = insideOf(value).map(([, member]) => bestIn(member, depth + 1)).filter(found => found !== undefined)
  return [...own, ...inner].sort((a, b) => b.known - a.known)[0]
}

/** Limit of the characters that are scanned in texts that only begin like objects: each may cost a scan of the rest. */
const maxScanned = 2 ** 24

/** Returns the objects in a text, such as a log, and the texts between the objects, in order. */
export function piecesOf (text: string): unknown[] {
  const pieces: unknown[] = []
  let [rest, next, scanned] = [0, 0, 0]
  while (scanned < maxScanned) {
    const found = nextObject(text, next)
    if (found === undefined) break
    const { start, end, value } = found
    if (value === undefined) {
      scanned += (end === 0 ? text.length : end) - start
      next = start + 1
    } else {
      pieces.push(text.slice(rest, start), value)
      next = rest = end
    }
  }
  return [...pieces, text.slice(rest)]
}

/**
 * Returns a text without the line breaks of a log viewer, which are behind the longest lines. If fewer than `least`
 * lines have that width, returns the text itself.
 */
function unwrapped (text: string, least = 1): string {
  const lines = text.trim().split(/\r?\n/)
  const width = lines.reduce((longest, { length }) => Math.max(longest, length), 0)
  if (lines.filter(({ length }) => length === width).length < least) return text
  return lines.map((line, index) => line.length === width || index === lines.length - 1 ? line : `${line}\n`).join('')
}

/** Returns a text, then the text without the escapes of other programs, then without the line breaks of a viewer. */
export const readingsOf = (text: string, least?: number): Set<string> =>
  new Set([text, unescaped(text), text.replace(/`(?:\r?\n|([^]))/g, '$1'), unwrapped(text, least)])

/** Returns the requests in a text that contains objects, such as a log. Duplicates are removed. */
function requestsIn (text: string): RequestFields[] {
  const objects = piecesOf(text).filter(piece => typeof piece === 'object')
  const all = objects.map(value => bestIn(value)).filter(found => found !== undefined)
  const most = Math.max(...all.map(({ known }) => known))
  const requests = all.filter(({ known }) => known === most).map(({ request }) => request)
  return [...new Map(requests.map(request => [JSON.stringify(request), request])).values()]
}

/** Least number of fields of an object that is a request. */
export const leastFields = 3

/**
 * Returns the request in a text: a JSON object, a curl command, or a text such as a log that contains an object in any
 * form, even escaped. A viewer may have wrapped the lines.
 *
 * @param name - name of the text for messages
 * @param isOther - true for a request to the payment side, whose names may differ in case, `_` and `-`
 * @throws UnreadableError there is no request, or more than one, or only one with names that the service does not read
 */
export function requestIn (text: string, name: string, isOther = false): RequestFields {
  if (text.trim() === '') throw new UnreadableError(`${name} is empty: it must contain a request`)
  const body = isCurl(text) ? bodyOfCurl(text) : text
  const [isObject, isWrapped] = [body, unwrapped(text)].map(some => objectOf(some.trim()) !== undefined)
  // A text that begins like JSON must be JSON: an inner object of a broken request is not the request.
  const { end = 0 } = nextObject(body, 0) ?? {}
  if ((isObject || !isWrapped) && /^\s*\{\s*"(?![^"\n]{0,60}"\s*=>)/.test(body) && !/\\["x]/.test(body)) {
    parseJson(end === 0 ? body : body.slice(0, end), name)
  }

  let requests: RequestFields[] = []
  for (const readable of isWrapped && !isObject ? [unwrapped(text)] : readingsOf(body)) {
    if (requests.length === 0) requests = requestsIn(readable)
  }
  const [request = {}, ...others] = requests
  const similar = similarIn(request)
  const exact = Object.keys(request).filter(isField).length
  if (exact <= similar.length && exact + similar.length < leastFields) {
    const call = unreadableCallIn(body)
    throw new UnreadableError(call === undefined
      ? `${name} contains no request: an object with fields such as sid and clientTimeStamp, as ${formNames}, or a curl command`
      : `${name} contains ${call}(…), which cannot be read: replace it with the value that was sent`)
  }
  if (others.length > 0) throw new UnreadableError(`${name} contains ${requests.length} requests: pass only one`)
  if (isOther) return underFieldNames(request)
  if (exact > similar.length) return request
  const names = similar.map(([key, field]) => `${key} must be ${field}`).join(', ')
  throw new UnreadableError(`${name} has keys that the service does not read, since case, _ and - count: ${names}`)
}
