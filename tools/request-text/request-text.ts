import { fields } from '../../src/scheme/fields.js'
import { bodyOfCurl, isCurl } from './curl.js'
import { parseJson, UnreadableError } from '../../src/command-line/parse-json.js'
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

/** Parses a text that is a JSON object, or a JSON object in base64 as in a HAR. Returns no object for other texts. */
function parsed (text: string): unknown {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text)
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

/** Returns the end of the object that begins at `start`; 0 if the object has no end. */
function endOfObject (text: string, start: number): number {
  const marks = /[{}]|"(?:\\[^]|[^"\\])*(?:"|$)/g
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '{') depth++
    if (mark[0] === '}' && --depth === 0) return marks.lastIndex
  }
  return 0
}

/** Limit of the characters that are scanned after braces without an object: each may cost a scan of the rest. */
const maxScanned = 2 ** 24

/** Returns the JSON objects in a text, such as a log, and the texts between the objects, in order. */
export function piecesOf (text: string): unknown[] {
  const pieces: unknown[] = []
  let [rest, scanned] = [0, 0]
  for (let start = text.indexOf('{'); start !== -1 && scanned < maxScanned; start = text.indexOf('{', start)) {
    const end = endOfObject(text, start)
    try {
      pieces.push(text.slice(rest, start), JSON.parse(text.slice(start, end)))
      start = rest = end
    } catch {
      scanned += (end === 0 ? text.length : end) - start++
    }
  }
  return [...pieces, text.slice(rest)]
}

/** Returns the requests in a text that contains JSON objects, such as a log. Duplicates are removed. */
function requestsIn (text: string): RequestFields[] {
  const objects = piecesOf(text).filter(piece => typeof piece === 'object')
  const all = objects.map(value => bestIn(value)).filter(found => found !== undefined)
  const most = Math.max(...all.map(({ known }) => known))
  const requests = all.filter(({ known }) => known === most).map(({ request }) => request)
  return [...new Map(requests.map(request => [JSON.stringify(request), request])).values()]
}

/**
 * Returns the request in a text: a JSON object, a curl command, or a log line with a JSON object, even an escaped one.
 *
 * @param name - name of the text for messages
 * @throws UnreadableError there is no request, or more than one
 */
export function requestIn (text: string, name: string): RequestFields {
  if (text.trim() === '') throw new UnreadableError(`${name} is empty: it must contain a request`)
  const body = isCurl(text) ? bodyOfCurl(text) : text
  // A text that begins with { must be JSON: an inner object of a broken request is not the request.
  const isJson = body.trimStart().startsWith('{')
  const end = endOfObject(body, 0)
  if (isJson && !/\\["x]/.test(body)) parseJson(end === 0 ? body : body.slice(0, end), name)

  let requests = requestsIn(body)
  if (requests.length === 0) requests = requestsIn(unescaped(body))
  const [request, ...others] = requests
  if (request === undefined) {
    throw new UnreadableError(`${name} contains no request: a JSON object with fields such as sid and clientTimeStamp`)
  }
  if (others.length > 0) throw new UnreadableError(`${name} contains ${requests.length} requests: pass only one`)
  return request
}
