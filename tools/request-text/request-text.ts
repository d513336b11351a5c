import { fieldNames } from '../../src/scheme/request.js'
import { isJson, parseJson, UnreadableError } from '../../src/text/json.js'
import { fieldLike } from '../explain/warnings.js'
import { bodyOfCurl, isCurl } from './curl.js'

export type RequestFields = Record<string, unknown>

/** Limit of the levels of nesting, including JSON as text in JSON, which logs have. */
export const maxDepth = 8

/** Least number of fields of an object that is a request. */
export const leastFields = 3

/** Forms of a request, for messages. */
export const formsOfRequests = 'JSON, lines of JSON, a curl command, an HTTP file or a HAR'

/** A POST of an HTTP file, with comments and variables before it. */
const httpFile = /^\s*(?:(?:#|\/\/|@).*\n\s*)*POST \S/

/**
 * Returns the JSON in a text: the whole text, the body of an HTTP file, or each line with its JSON, which other words
 * may surround.
 */
export function valuesIn (text: string): unknown[] {
  const whole = httpFile.test(text) ? text.slice(text.indexOf('\n{') + 1) : text
  if (isJson(whole)) return [JSON.parse(whole)]
  return text.split('\n').map(line => {
    const json = line.slice(Math.max(0, line.indexOf('{')), line.lastIndexOf('}') + 1)
    return json !== '' && isJson(json) ? [JSON.parse(json), line] : line // an exception for each line takes long
  })
}

/** Returns the members of an object or array, or of JSON or a form in a text, with their keys. */
export function insideOf (value: unknown): Array<[key: string, member: unknown]> {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (/^\s*[[{]/.test(value)) return isJson(value) ? insideOf(JSON.parse(value)) : []
  return /^[\w.%+-]+=[^&\s]*&[\w.%+-]+=/.test(value) ? [...new URLSearchParams(value)] : []
}

const isField = (key: string): boolean => (fieldNames as readonly string[]).includes(key)

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

/** Returns the number of fields of a request that a value has. A member with a similar name counts a little less. */
export function knownIn (value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0
  return Object.keys(value).filter(isField).length + 0.9 * similarIn(value).length
}

/**
 * Returns a request with values that can be signed.
 *
 * @throws UnreadableError its values have types beside them, as in the export of MongoDB, DynamoDB or Firestore
 */
export function plainRequest (request: RequestFields): RequestFields {
  const values = fieldNames.map(field => request[field])
  const keys = values.flatMap(value => value instanceof Object ? Object.keys(value) : [])
  const type = keys.find(key => /^(?:\$(?:number|date)\w*|[SN]|(?:string|integer|double)Value)$/.test(key))
  if (type === undefined) return request
  throw new UnreadableError(`the request has values such as {"${type}": …}, as a database exports them: export plain JSON`)
}

/** Returns the value or inner object with the most fields of a request. In a tie, the outer object wins. */
export function bestIn (value: unknown, depth = 0): { request: RequestFields, known: number } | undefined {
  const members = insideOf(value)
  const own = typeof value === 'string' ? Object.fromEntries(members) : value
  const inner = depth < maxDepth ? members.map(([, member]) => bestIn(member, depth + 1)) : []
  return [{ request: own as RequestFields, known: knownIn(own) }, ...inner]
    .filter(found => found !== undefined && found.known > 0).sort((a, b) => b!.known - a!.known)[0]
}

/** Returns the reason why a text contains no request. */
function faultIn (text: string, name: string): string {
  if (/\b(?:ObjectId|ISODate|(?:Number)?Long|NumberDecimal|Decimal128)\(/.test(text)) {
    return `${name} is what mongosh prints, not JSON: print it with EJSON.stringify, or use mongoexport`
  }
  try {
    if (/^\s*[[{]/.test(text)) parseJson(text, name)
  } catch (error) {
    return (error as Error).message
  }
  return `${name} contains no request, which is an object with fields such as sid and clientTimeStamp`
}

/**
 * Returns the request in a text: JSON, a curl command, an HTTP file, or lines of which one has JSON.
 *
 * @param name - name of the text for messages
 * @param isOther - true for a request to the payment side, whose names may differ in case, `_` and `-`
 * @throws UnreadableError there is no request, or more than one, or only one with names that the service does not read
 */
export function requestIn (text: string, name: string, isOther = false): RequestFields {
  if (text.trim() === '') throw new UnreadableError(`${name} is empty: it must contain a request`)
  const body = isCurl(text) ? bodyOfCurl(text) : text
  const values = insideOf(body).length > 0 ? [body] : valuesIn(body)
  const all = values.flatMap(value => bestIn(value) ?? [])
  const most = Math.max(...all.map(({ known }) => known))
  const texts = new Set(all.filter(({ known }) => known === most).map(({ request }) => JSON.stringify(request)))
  const { request = {} } = all.find(({ known }) => known === most) ?? {}
  const similar = similarIn(request)
  const exact = Object.keys(request).filter(isField).length
  if (exact <= similar.length && exact + similar.length < leastFields) {
    throw new UnreadableError(`${faultIn(body, name)}; pass ${formsOfRequests}`)
  }
  if (texts.size > 1) throw new UnreadableError(`${name} contains ${texts.size} requests: pass only one`)
  if (isOther) return plainRequest(underFieldNames(request))
  if (exact > similar.length) return plainRequest(request)
  const names = similar.map(([key, field]) => `${key} must be ${field}`).join(', ')
  throw new UnreadableError(`${name} has keys that the service does not read, since case, _ and - count: ${names}`)
}
