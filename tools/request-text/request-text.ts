import { fields } from '../../src/scheme/fields.js'
import { bodyOfCurl, isCurl } from './curl.js'
import { parseJson, UnreadableError } from '../../src/command-line/parse-json.js'
import { unescaped } from './unescaped.js'

type RequestFields = Record<string, unknown>

interface Found {
  readonly request: RequestFields
  /** How many of its members are fields of a request. */
  readonly known: number
}

/** JSON inside of JSON inside of JSON: logs do that, but not more. */
const maxDepth = 8

/** What among a value and all that it holds looks most like a request; the outer one, if two do so equally. */
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

/** Where the object ends that begins at `start`; 0 if nowhere. */
function endOfObject (text: string, start: number): number {
  const marks = /[{}]|"(?:\\[^]|[^"\\])*"/g
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '{') depth++
    if (mark[0] === '}' && --depth === 0) return marks.lastIndex
  }
  return 0
}

/** How many braces may begin no object before the text is given up: each takes a look at all the rest. */
const maxFailures = 100

/** The requests in a text with JSON objects in it, such as a log's; one that is there twice counts once. */
function requestsIn (text: string): RequestFields[] {
  const found = new Map<string, Found>()
  let failures = 0
  for (let start = text.indexOf('{'); start !== -1 && failures < maxFailures; start = text.indexOf('{', start)) {
    const end = endOfObject(text, start)
    let value: unknown
    try {
      value = JSON.parse(text.slice(start, end))
    } catch {
      start++
      failures++
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
 * The request in a text: a JSON object, a curl command, or a log line with a JSON object in it, be it escaped.
 *
 * @param name - what the text is, for the message
 * @throws UnreadableError there is none, or more than one
 */
export function requestIn (text: string, name: string): RequestFields {
  if (text.trim() === '') throw new UnreadableError(`${name} is empty: it must contain a request`)
  const body = isCurl(text) ? bodyOfCurl(text) : text
  // What begins as JSON has to be JSON: of a broken request an inner object must not be taken for the whole.
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
