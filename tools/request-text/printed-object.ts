const endOfLine: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Returns the text of a string literal of Python, whose `\xHH` is a character and not a byte. */
const unquoted = (literal: string): string =>
  literal.slice(1, -1).replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([^]))/g,
    (_all, short?: string, unit?: string, long?: string, other = '') => {
      const digits = short ?? unit ?? long
      return digits === undefined ? endOfLine[other] ?? other : String.fromCodePoint(Number.parseInt(digits, 16))
    })

const constants: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' }

/** Returns JSON for the text of a dictionary that Python prints. A Decimal and a UUID become their text. */
const jsonOfPython = (text: string): string =>
  text.replace(/'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"|\b(?:decimal\.|uuid\.)?(?:Decimal|UUID)\((['"][\w.+-]*['"])\)|\b(?:None|True|False)\b/g,
    (token, inner?: string) => constants[token] ?? JSON.stringify(unquoted(inner ?? token)))

/** Returns a value that Go prints. It prints a large number of JSON, such as a time stamp, as 1.709912345678e+12. */
function valueOfGo (key: string, text: string): unknown {
  if (text === '<nil>') return null
  return key === 'clientTimeStamp' && /^\d[\d.]*(?:e\+\d+)?$/.test(text) ? Number(text) : text
}

/** Returns the object for the text of a map that Go prints: `map[amount:100.00 sid:…]`. Go sorts the keys. */
function objectOfGo (text: string): object | undefined {
  if (!text.endsWith(']') || text.includes('\n')) return undefined
  const entries: Array<[key: string, text: string]> = []
  for (const part of text.slice('map['.length, -1).split(/ (?=\w+:)/)) {
    const [, key, value = ''] = /^(\w+):([^]*)$/.exec(part) ?? []
    const last = entries.at(-1)
    if (key === undefined) return undefined
    if (last !== undefined && key <= last[0]) last[1] += ` ${part}` // a word with a colon inside a value
    else entries.push([key, value])
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, valueOfGo(key, value)]))
}

/** True for a text that begins like a dictionary that Python prints. */
export const isPythonObject = (text: string): boolean => /^\s*\{\s*'/.test(text)

/** Returns the value of a text: JSON, or what Python's or Go's print makes of an object. Undefined for other texts. */
export function printedObject (text: string): unknown {
  try {
    if (text.startsWith('map[')) return objectOfGo(text)
    return JSON.parse(isPythonObject(text) ? jsonOfPython(text) : text)
  } catch {
    return undefined
  }
}

/** Returns the name of a value in a dictionary that Python prints, such as `datetime.datetime`, that has no JSON. */
export function unreadableCallIn (text: string): string | undefined {
  const start = text.search(/\{\s*'/)
  if (start === -1) return undefined
  const json = jsonOfPython(text.slice(start, endOfObject(text, start) || undefined))
  return /[a-z_][\w.]{0,60}(?=\()/i.exec(json.replace(/"(?:\\[^]|[^"\\])*"/g, ''))?.[0]
}

const marksOfJson = /[{}]|"(?:\\[^]|[^"\\])*(?:"|$)/g
const marksOfPython = /[{}]|"(?:\\[^]|[^"\\])*(?:"|$)|'(?:\\[^]|[^'\\])*(?:'|$)/g
const marksOfGo = /[[\]]/g

/** Returns the end of the object that begins at `start`; 0 if the object has no end. */
export function endOfObject (text: string, start: number): number {
  const isGo = text[start] === 'm'
  const marks = isGo ? marksOfGo : isPythonObject(text.slice(start, start + 100)) ? marksOfPython : marksOfJson
  const [opening, closing] = isGo ? '[]' : '{}'
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === opening) depth++
    if (mark[0] === closing && --depth === 0) return marks.lastIndex
  }
  return 0
}

/** Returns the next beginning of an object: `{` of JSON and Python, or `map[` of Go; -1 if there is none. */
export function beginningOfObject (text: string, start: number): number {
  const beginning = /\{|\bmap\[/g
  beginning.lastIndex = start
  return beginning.exec(text)?.index ?? -1
}
