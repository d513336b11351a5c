import { fields } from '../../src/scheme/request.js'
import { bodyOfCurl, isCurl } from './curl.js'
import { parseJson, UnreadableError } from '../../src/text/json-file.js'
import { beginningOfObject, endOfObject, isPythonObject, printedObject, unreadableCallIn } from './printed-object.js'
import { unescaped } from './shell-words.js'

export type RequestFields = Record<string, unknown>

interface Found {
  readonly request: RequestFields
  /** Number of members that are fields of a request. */
  readonly known: number
}

/** Limit of the levels of nesting, including JSON as text in JSON, which logs have. */
export const maxDepth = 8

const decoder = new TextDecoder()

/** Parses a text that is an object, or a JSON object in base64 as in a HAR. Returns no object for other texts. */
function parsed (text: string): unknown {
  if (/^\s*(?:\{|map\[)/.test(text)) return printedObject(text.trim())
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

/** Returns the number of fields of a request that a value has. */
export const knownIn = (value: unknown): number => typeof value !== 'object' || value === null || Array.isArray(value)
  ? 0
  : fields.filter(field => Object.hasOwn(value, field)).length

/** Returns the value or inner object with the most fields of a request. In a tie, the outer object wins. */
export function bestIn (value: unknown, depth = 0): Found | undefined {
  if (depth > maxDepth) return undefined
  const known = knownIn(value)
  const own = known > 0 ? [{ request: value as RequestFields, known }] : []
  const inner = insideOf(value).map(([, member]) => bestIn(member, depth + 1)).filter(found => found !== undefined)
  return [...own, ...inner].sort((a, b) => b.known - a.known)[0]
}

/** Limit of the characters that are scanned after braces without an object: each may cost a scan of the rest. */
const maxScanned = 2 ** 24

/** Returns the objects in a text, such as a log, and the texts between the objects, in order. */
export function piecesOf (text: string): unknown[] {
  const pieces: unknown[] = []
  let [rest, next, scanned] = [0, 0, 0]
  while (scanned < maxScanned) {
    const start = beginningOfObject(text, next)
    if (start === -1) break
    const end = endOfObject(text, start)
    const object = printedObject(text.slice(start, end))
    if (object === undefined) {
      scanned += (end === 0 ? text.length : end) - start
      next = start + 1
    } else {
      pieces.push(text.slice(rest, start), object)
      next = rest = end
    }
  }
  return [...pieces, text.slice(rest)]
}

/**
 * Returns a text without the line breaks of a log viewer, which are behind the longest lines. If fewer than `least`
 * lines have that width, returns the text itself.
 */
export function unwrapped (text: string, least = 1): string {
  const lines = text.trim().split(/\r?\n/)
  const width = lines.reduce((longest, { length }) => Math.max(longest, length), 0)
  if (lines.filter(({ length }) => length === width).length < least) return text
  return lines.map((line, index) => line.length === width || index === lines.length - 1 ? line : `${line}\n`).join('')
}

/** Returns the requests in a text that contains objects, such as a log. Duplicates are removed. */
function requestsIn (text: string): RequestFields[] {
  const objects = piecesOf(text).filter(piece => typeof piece === 'object')
  const all = objects.map(value => bestIn(value)).filter(found => found !== undefined)
  const most = Math.max(...all.map(({ known }) => known))
  const requests = all.filter(({ known }) => known === most).map(({ request }) => request)
  return [...new Map(requests.map(request => [JSON.stringify(request), request])).values()]
}

/**
 * Returns the request in a text: a JSON object, a curl command, or a log line with an object as JSON, even escaped, or
 * as Python and Go print objects. A log viewer may have wrapped the line.
 *
 * @param name - name of the text for messages
 * @throws UnreadableError there is no request, or more than one
 */
export function requestIn (text: string, name: string): RequestFields {
  if (text.trim() === '') throw new UnreadableError(`${name} is empty: it must contain a request`)
  let body = isCurl(text) ? bodyOfCurl(text) : text
  const line = isCurl(text) ? body : unwrapped(body)
  if (printedObject(body.trim()) === undefined && printedObject(line) !== undefined) body = line
  // A text that begins with { must be JSON: an inner object of a broken request is not the request.
  const isJson = body.trimStart().startsWith('{') && !isPythonObject(body)
  const end = endOfObject(body, 0)
  if (isJson && !/\\["x]/.test(body)) parseJson(end === 0 ? body : body.slice(0, end), name)

  let requests = requestsIn(body)
  if (requests.length === 0) requests = requestsIn(unescaped(body))
  if (requests.length === 0) requests = requestsIn(line)
  const [request, ...others] = requests
  if (request === undefined) {
    const call = unreadableCallIn(body)
    if (call !== undefined) throw new UnreadableError(`${name} contains ${call}(…), which cannot be read: replace it with the value that was sent`)
    throw new UnreadableError(`${name} contains no request: a JSON object with fields such as sid and clientTimeStamp`)
  }
  if (others.length > 0) throw new UnreadableError(`${name} contains ${requests.length} requests: pass only one`)
  return request
}
