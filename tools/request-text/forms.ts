import { fields } from '../../src/scheme/request.js'

/** A form in which programs write an object. */
interface Form {
  /** Name of the form in messages. */
  readonly name: string
  /** Beginning of an object. The beginnings of two forms exclude each other. */
  readonly begins: RegExp
  /** The whole object. Default: up to the bracket that closes the first one. */
  readonly whole?: RegExp
  /** Brackets of the object, for a form without `whole`. */
  readonly marks?: RegExp
  /** Returns the object. Returns undefined, or throws, for a text that only begins like one. */
  readonly read: (text: string) => unknown
}

const endOfLine: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Returns the text of a string literal of Python or JavaScript, whose `\xHH` is a character and not a byte. */
const unquoted = (literal: string): string =>
  literal.slice(1, -1).replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g,
    (_all, short?: string, unit?: string, long?: string, other = '') => {
      const digits = short ?? unit ?? long
      return digits === undefined ? endOfLine[other] ?? other : String.fromCodePoint(Number.parseInt(digits, 16))
    })

const constants: ReadonlyMap<string, string> = new Map(Object.entries(
  { None: 'null', nil: 'null', undefined: 'null', True: 'true', False: 'false', '=>': ':' }))

const tokens = new RegExp([
  /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/,
  /\b(?:decimal\.|uuid\.)?(?:Decimal|UUID)\((?<inner>['"][\w.+-]*['"])\)/,
  /\b(?:None|nil|undefined|True|False)\b|=>/,
  /:(?<symbol>\w+)(?==>)|\b(?<key>[A-Za-z_$][\w$]*)(?=\s*:)/,
  /(?<surplus>,)(?=\s*[}\]])/
].map(({ source }) => source).join('|'), 'g')

/** Returns JSON for an object that Python, JavaScript or Ruby prints. A Decimal and a UUID become their text. */
const jsonOf = (text: string): string => text.replace(tokens, (token, ...rest) => {
  const { inner, symbol, key, surplus } = rest.at(-1) as Partial<Record<string, string>>
  if (surplus !== undefined) return ''
  return constants.get(token) ?? JSON.stringify(symbol ?? key ?? unquoted(inner ?? token))
})

/** Returns a value that Java or Go prints. Go prints a large number, such as a time stamp, as 1.709912345678e+12. */
function valueOf (key: string, text: string): unknown {
  if (text === '<nil>' || text === 'null') return null
  if (key === 'clientTimeStamp' && /^(?:\d{1,15}|\d[\d.]*e\+\d+)$/.test(text)) return Number(text)
  return text.replace(/^(['"])(.*)\1$/s, '$2')
}

/** Returns the object for `map[amount:100.00 sid:…]`. Go sorts the keys. */
function readGo (text: string): unknown {
  if (text.includes('\n')) return undefined
  const entries: Array<[key: string, text: string]> = []
  for (const part of text.slice('map['.length, -1).split(/ (?=\w+:)/)) {
    const [, key, value = ''] = /^(\w+):([^]*)$/.exec(part) ?? []
    const last = entries.at(-1)
    if (key === undefined) return undefined
    if (last !== undefined && key <= last[0]) last[1] += ` ${part}` // a word with a colon inside a value
    else entries.push([key, value])
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, valueOf(key, value)]))
}

/** Returns the object for `{amount=100.00, sid=…}`. PowerShell separates the members by semicolons or lines. */
const readJava = (text: string): unknown =>
  Object.fromEntries(text.slice(1, -1).trim().split(/[,;\n]\s*(?=\w+\s*=)/).map(member => {
    const [, key = '', value = ''] = /^(\w+)\s*=\s*([^]*?)[\s;]*$/.exec(member) ?? []
    return [key, valueOf(key, value)]
  }))

/** Returns the object for lines of `[amount] => 100.00`, which may have objects inside. */
const readPrint = (text: string): unknown => JSON.parse(text
  .replace(/^[^[\n]*\n[ \t]*\(\s*$|^[ \t]*\[([^\]\n]*)\] => (?:.*\n[ \t]*\(\s*$|(.*)$)|^[ \t]*\)\s*$/gm,
    (line, key?: string, value?: string) => {
      if (key === undefined) return line.trim() === ')' ? '},' : '{'
      return `${JSON.stringify(key)}:${value === undefined ? '{' : `${JSON.stringify(value.replace(/\r$/, ''))},`}`
    })
  .replace(/,(?=\s*(?:\}|$))/g, ''))

/** Returns the object for `array('amount' => '100.00')` or `['amount' => '100.00']`. */
const readArray = (text: string): unknown => JSON.parse(jsonOf(`{${text.replace(/^array\s*\(|^\[|[)\]]$/gi, '')}}`))

/** Returns the object for lines of `["amount"]=>` and `string(6) "100.00"`, `int(5)` or `NULL`. */
const readDump = (text: string): unknown => Object.fromEntries([...text
  .matchAll(/\["(\w+)"\]=>\s*(?:string\(\d+\) "(.*)"|\w+\(([^)\n]*)\)|NULL)/g)]
  .map(([, key, text, value]) => [key, text ?? (value === undefined ? null : JSON.parse(value))]))

/** Returns the object for lines of `amount : 100.00`, or a table. The console breaks long lines. */
const readLines = (text: string): unknown => Object.fromEntries([...text.replace(/\r?\n[ \t]{8,}(?=[^\s:]+\s*$)/gm, '')
  .matchAll(/^[ \t]*(\w+)(?:[ \t]*:|[ \t]{2,})[ \t]*(.*?)\r?$/gm)].map(([, key = '', value = '']) => [key, value.replace(/^(["'])(.*)\1$/, '$2')]))

const marksOfBraces = /[{}]|"(?:\\[^]|[^"\\])*(?:"|$)|'(?:\\[^]|[^'\\])*(?:'|$)|`(?:\\[^]|[^`\\])*(?:`|$)/g

/** Forms of objects. The limits of lengths keep the time of a search proportional to the length of the text. */
const forms: readonly Form[] = [
  { name: 'JSON', begins: /\{\s*"(?![^"\n]{0,60}"\s*=>)/, marks: marksOfBraces, read: JSON.parse },
  { name: 'Python, JavaScript, Ruby', begins: /\{\s*(?:'|"[^"\n]{0,60}"\s*=>|:?[a-z_$][\w$]*\s*(?::|=>))/, marks: marksOfBraces, read: text => JSON.parse(jsonOf(text)) },
  { name: 'Go', begins: /\bmap\[/, marks: /[[\]]/g, read: readGo },
  { name: 'Java', begins: /\{\s*\w+\s*=(?!>)|(?<=\w)[([]\w+=/, whole: /\{[^{}]*\}|\([^()]*\)|\[[^[\]]*\]/y, read: readJava },
  { name: 'PHP', begins: /\b(?:Array|[\w\\]+ Object)\s*\n[ \t]*\(\s*\n/, whole: /[^\n]*\n([ \t]*)\(\s*\n[^]*?\n\1\)/y, read: readPrint },
  { name: 'PHP', begins: /\barray\s{0,3}\(\s*'|\[\s*'[^'\n]{0,60}'\s*=>/, whole: /(?:array\s*\(|\[)[^()[\]]*[)\]]/iy, read: readArray },
  { name: 'PHP', begins: /\barray\(\d+\) \{/, whole: /[^{]*\{[^{}]*\}/y, read: readDump },
  {
    name: 'PowerShell',
    begins: new RegExp(`^[ \\t]*(?:${fields.join('|')})(?:[ \\t]*:[ \\t]|[ \\t]{2,}\\S)`),
    whole: /(?:[ \t]*\w+(?:[ \t]*:|[ \t]{2,})(?:[^\n{]|\{(?!"))*(?:\n[ \t]{8,}[^\s:{]+\s*?)*(?:\n|$)){3,}/y,
    read: readLines
  },
  {
    name: 'forms and query strings',
    begins: /(?<![\w.%+-])[\w.%+-]{1,60}=[^\s&=#"'<>{}]{0,2000}=*&/,
    whole: /[\w.%+-]+=[^\s&=#"'<>{}]*=*(?:&[\w.%+-]+=[^\s&#"'<>{}]*(?<![,;)\]]))+/y,
    read: text => Object.fromEntries(new URLSearchParams(text))
  }
]

/** The forms that are read, for messages. */
export const formNames = [...new Set(forms.map(({ name }) => name))].join(', ')

const beginning = forms.map(({ begins }) => `(${begins.source})`).join('|')
const nextBeginning = new RegExp(beginning, 'gim')
const beginningHere = new RegExp(beginning, 'iy')

/** Returns the end of an object that begins at `start`; 0 if the object has no end. */
function endOf ({ whole, marks }: Form, text: string, start: number): number {
  const pattern = whole ?? marks!
  pattern.lastIndex = start
  if (whole !== undefined) return whole.test(text) ? whole.lastIndex : 0
  let depth = 0
  for (let mark = pattern.exec(text); mark !== null; mark = pattern.exec(text)) {
    if (mark[0] === '{' || mark[0] === '[') depth++
    if ((mark[0] === '}' || mark[0] === ']') && --depth === 0) return pattern.lastIndex
  }
  return 0
}

/** An object in a text. */
interface Printed {
  readonly start: number
  /** End of the object; 0 if the object has none. */
  readonly end: number
  /** Undefined for a text that only begins like an object. */
  readonly value: unknown
}

/** Returns the next object in a text. Returns undefined if there is none. */
export function nextObject (text: string, from: number, pattern = nextBeginning): Printed | undefined {
  pattern.lastIndex = from
  const found = pattern.exec(text)
  if (found === null) return undefined
  const { index: start } = found
  const form = forms[found.slice(1).findIndex(group => group !== undefined)]!
  const end = endOf(form, text, start)
  try {
    return { start, end, value: end === 0 ? undefined : form.read(text.slice(start, end)) }
  } catch {
    return { start, end, value: undefined }
  }
}

/** Returns the value of a text that is one object in any form. Returns undefined for other texts. */
export function objectOf (text: string): unknown {
  const { end, value } = nextObject(text, 0, beginningHere) ?? {}
  return end === text.length ? value : undefined
}

/** Returns the name of a value such as `datetime.datetime` in an object that Python prints, which has no JSON. */
export function unreadableCallIn (text: string): string | undefined {
  const start = text.search(/\{\s*'/)
  if (start === -1) return undefined
  const json = jsonOf(text.slice(start, endOf(forms[1]!, text, start) || undefined))
  return /[a-z_][\w.]{0,60}(?=\()/i.exec(json.replace(/"(?:\\[^]|[^"\\])*"/g, ''))?.[0]
}
