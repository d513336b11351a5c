import { fields } from '../../src/scheme/fields.js'
import { bodyOfCurl, isCurl } from './curl.js'
import { parseJson, UnreadableError } from '../../src/command-line/parse-json.js'
import { unescaped } from './shell-words.js'

type RequestFields = Record<string, unknown>

interface Found {
  readonly request: RequestFields
  /** Number of members that are fields of a request. */
  readonly known: number
}

/** Levels of nesting, including JSON as text in JSON, which logs have. */
const maxDepth = 8

/** Returns the object, the value or one inside, with the most fields of a request. In a tie the outer one wins. */
function bestIn (value: unknown, depth = 0): Found | undefined {
  if (depth > maxDepth) return undefined
  if (typeof value === 'string') {
    try {
      return /^\s*\{/.test(value) ? bestIn(JSON.parse(value), depth + 1) : undefined
    } catch {
      return undefined
    }
  }
  if (typeof value !== 'object' || value === null) return undefined
  const known = Array.isArray(value) ? 0 : fields.filter(field => Object.hasOwn(value, field)).length
  const own = known > 0 ? [{ request: value as RequestFields, known }] : []
  const inner = Object.values(value).map(member => bestIn(member, depth + 1)).filter(found => found !== undefined)
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

/** Limit of characters to scan after braces that begin no object: each may cost a scan of the rest of the text. */
const maxScanned = 2 ** 24

/** Returns the requests in a text that contains JSON objects, such as a log. Duplicates are removed. */
function requestsIn (text: string): RequestFields[] {
  const found = new Map<string, Found>()
  let scanned = 0
  for (let start = text.indexOf('{'); start !== -1 && scanned < maxScanned; start = text.indexOf('{', start)) {
    const end = endOfObject(text, start)
    let value: unknown
    try {
      value = JSON.parse(text.slice(start, end))
    } catch {
      scanned += (end || text.length) - start
      start++
      continue
    }
    const best = bestIn(value)
    if (best !== undefined) found.set(JSON.stringify(best.request), best)
    start = end
  }
  const all = [...found.values()]
  const most = Math.max(...all.map(({ known }) => known))
  return all.filter(({ known }) => known === most).map(({ request }) => request)
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
  // A text that begins as JSON must be JSON: an inner object of a broken request is not the request.
  const isJson = body.trimStart().startsWith('{')
  const end = endOfObject(body, body.indexOf('{'))
  if (isJson && !/\\["x]/.test(body)) parseJson(end === 0 ? body : body.trimStart().slice(0, end), name)

  let requests = requestsIn(body)
  if (requests.length === 0) requests = requestsIn(unescaped(body))
  const [request, ...others] = requests
  if (request === undefined) {
    throw new UnreadableError(`${name} contains no request: a JSON object with fields such as sid and clientTimeStamp`)
  }
  if (others.length > 0) throw new UnreadableError(`${name} contains ${requests.length} requests: pass only one`)
  return request
}
