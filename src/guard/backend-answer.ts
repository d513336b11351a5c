/** What is an answer of its own, in any case: as plain text, or as a value in JSON. */
const words = new Map([
  ...['true', 'yes', 'allow', 'allowed', 'ok', 'created', 'accepted', '1'].map(word => [word, true] as const),
  ...['false', 'no', 'deny', 'denied', '0'].map(word => [word, false] as const)
])

/** The members of a JSON object that are a yes or a no, in any case. */
const verdicts = new Set(['allow', 'allowed', 'authorized', 'ok', 'success', 'result'])

/** Those that may have the answer inside. */
const wrappers = new Set(['data', 'result'])

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const wordIn = (value: unknown): boolean | undefined =>
  typeof value === 'object' ? undefined : words.get(String(value).trim().toLowerCase())

function verdictOfMember (key: string, value: unknown): boolean | undefined {
  const name = key.toLowerCase()
  if (name === 'error') return !value
  if (wrappers.has(name) && isObject(value)) return verdictOf(value)
  return verdicts.has(name) ? wordIn(value) : true
}

function verdictOf (value: unknown): boolean | undefined {
  if (!isObject(value)) return wordIn(value)
  const found = Object.entries(value).map(([key, member]) => verdictOfMember(key, member))
  return found.includes(false) ? false : found.includes(undefined) ? undefined : true
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Whether the body of a 2xx allows a request: `docs/policy.md` has the rule. It goes by the text, since backends send
 * JSON as text/html. Undefined if it is neither a yes nor a no.
 */
export const isAllowedBy = (text: string): boolean | undefined => text.trim() === '' ? true : verdictOf(parse(text))

/** The message for the client in the body of a refusal: its `error`, if that is a text. */
export function refusalIn (text: string): string {
  const { error } = (parse(text) ?? {}) as { error?: unknown }
  return typeof error === 'string' && error !== '' ? error : 'Refused by the merchant'
}
