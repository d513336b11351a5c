import { fromBase64, fromHex, toHex } from '../bytes.js'
import type { Transform } from '../transform.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes, one in each character. */
const bytesOf = (text: string): string => String.fromCharCode(...encoder.encode(text))
const isBytes = (text: string): boolean => /^[\0-\xff]*$/.test(text)
const utf8Of = (bytes: string): string => decoder.decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)))

/** The characters of Windows-1252 for 0x80 to 0x9f; Latin-1 has the others where Unicode has them. */
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const toWindows = (bytes: string): string => bytes.replace(/[\x80-\x9f]/g, byte => windows.charAt(byte.charCodeAt(0) - 0x80))
const fromWindows = (text: string): string =>
  text.replace(/[^\0-\x7f\xa0-\xff]/g, character => String.fromCharCode(0x80 + windows.indexOf(character)))

const apostrophes = ['&#39;', '&#039;', '&#x27;', '&apos;', "'"]
const entities: ReadonlyArray<readonly [character: string, entity: string]> = [
  ['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;'], ['"', '&quot;']
]
const escaped = (text: string): string =>
  entities.reduce((rest, [character, entity]) => rest.replaceAll(character, entity), text)
const unescaped = (text: string): string => entities.reduceRight(
  (rest, [character, entity]) => rest.replaceAll(entity, character),
  apostrophes.reduce((rest, apostrophe) => rest.replaceAll(apostrophe, "'"), text).replaceAll('&#x2F;', '/'))

function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const percentByte = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

function * percentEncoded (text: string): Generator<string> {
  const encoded = encodeURIComponent(text.toWellFormed())
  yield encoded
  yield encodeURI(text.toWellFormed())
  yield encoded.replace(/[!'()*]/g, percentByte)
  yield encoded.replace(/%../g, byte => byte.toLowerCase())
  if (isBytes(text)) yield text.replace(/[^\w@*+./-]/g, percentByte)
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1)

function fromJson (text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

const unicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The bytes in the order in which Windows keeps a UUID: its first three groups from their end. */
const windowsUuid = (digits: string): string =>
  digits.replace(/^(..)(..)(..)(..)(..)(..)(..)(..)/, '$4$3$2$1$6$5$8$7')

const toBase64Url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

function * toBase64 (bytes: string): Generator<string> {
  const text = btoa(bytes)
  yield text
  yield toBase64Url(text)
  yield text.replace(/=+$/, '')
}

/** Writing a text for another place, or reading it from there. */
export const encoding: readonly Transform[] = [
  {
    name: 'normalization',
    cost: 4,
    texts: text => (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map(form => text.normalize(form)),
    says: 'it was in a different Unicode normalization form',
    fix: 'Sign and send the same code points: normalize once, where it enters your system, or use ASCII.'
  },
  {
    name: 'encoding',
    cost: 5,
    * texts (text) {
      if (/^[\0-\x7f]*$/.test(text)) return
      const bytes = bytesOf(text)
      yield bytes
      yield toWindows(bytes)
      for (const read of [text, fromWindows(text)]) if (isBytes(read)) yield utf8Of(read)
    },
    says: 'its UTF-8 bytes were read in another encoding, or vice versa',
    fix: 'Read and write UTF-8 everywhere between the form and the signature.'
  },
  {
    name: 'lost-characters',
    cost: 6,
    texts: text => /^[\0-\x7f]*$/.test(text)
      ? []
      : [
          ...['?', '', '\ufffd', '\ufffd\ufffd', '_'].flatMap(instead =>
            [text.replace(/[^\0-\x7f]/gu, instead), text.replace(/[\u{10000}-\u{10ffff}]/gu, instead)]),
          text.replace(/[\u{10000}-\u{10ffff}].*$/su, ''), text.normalize('NFD').replace(/\p{M}/gu, '')
        ],
    says: 'characters that are not ASCII were dropped or replaced',
    fix: 'Keep the text in a column or an encoding that has all its characters: utf8mb4 in MySQL.'
  },
  {
    name: 'percent-encoding',
    cost: 5,
    texts: text => [decoded(text), ...percentEncoded(text)],
    says: 'it was percent-encoded on one side',
    fix: 'Decode it before signing: the text itself is hashed, not its form in a URL.'
  },
  {
    name: 'plus',
    cost: 5,
    texts: text => /[ +]/.test(text)
      ? [text.replaceAll(' ', '+'), text.replaceAll('+', ' '), encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')]
      : [],
    says: 'a space became +, or + became a space, as in an HTML form',
    fix: 'Decode form data once, and only where it was encoded.'
  },
  {
    name: 'html',
    cost: 5,
    texts: text => [
      ...apostrophes.map(apostrophe => escaped(text).replaceAll("'", apostrophe)),
      escaped(text).replaceAll('/', '&#x2F;'),
      escaped(text).replace(/[^\0-\x7f]/gu, character => `&#${character.codePointAt(0)};`),
      unescaped(text)
    ],
    says: 'it was escaped for HTML on one side',
    fix: 'Escape for HTML when rendering a page, never what is signed.'
  },
  {
    name: 'json',
    cost: 5,
    * texts (text) {
      const escaped = json(text)
      for (const slashes of [escaped, escaped.replaceAll('/', '\\/')]) {
        yield slashes
        yield slashes.replace(/[^\0-\x7f]/g, unicodeEscape)
        yield `"${slashes}"`
      }
      yield fromJson(text)
    },
    says: 'it was escaped as JSON has it, or not unescaped',
    fix: 'Sign the decoded text, not its form in JSON: no \\/ and no \\u00e9.'
  },
  {
    name: 'escaped',
    cost: 6,
    texts: text => [
      text.replace(/['"\\]/g, '\\$&'), text.replace(/'/g, "''"), text.replace(/"/g, '""'), text.replace(/\\(.)/gs, '$1'), text.replace(/''/g, "'")
    ],
    says: 'its quotes or backslashes were escaped for a database, a shell or a CSV file',
    fix: 'Escape where the text is written to such a place, never what is signed.'
  },
  {
    name: 'base64',
    cost: 5,
    * texts (text) {
      const decoded = fromBase64(text)
      if (decoded !== undefined) yield * [utf8Of(decoded), decoded]
      yield * toBase64(bytesOf(text))
      if (/^[0-9a-f-]{32,36}$/i.test(text)) {
        const digits = text.replaceAll('-', '')
        for (const bytes of [digits, windowsUuid(digits)]) yield * toBase64(fromHex(bytes))
      }
    },
    says: 'it was base64-encoded or decoded on one side',
    fix: 'Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.'
  },
  {
    name: 'hex',
    cost: 6,
    * texts (text) {
      const digits = toHex(bytesOf(text))
      yield digits
      yield digits.toUpperCase()
      if (/^(?:[0-9a-f]{2})+$/i.test(text)) {
        yield fromHex(text)
        yield utf8Of(fromHex(text))
      }
      if (/^[0-9a-f-]{36}$/i.test(text)) yield windowsUuid(text.replaceAll('-', ''))
    },
    says: 'it was written in or decoded from hexadecimal',
    fix: 'Use its text as is: the characters are hashed, not the bytes that they may stand for.'
  }
]
