import { asBytes, fromBase64, fromHex, toHex, utf8 as bytesOf } from '../bytes.js'
import type { Transform } from '../transform.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const utf8Of = (bytes: string): string => decoder.decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)))

const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
/** The characters of Windows-1252 for 0x80 to 0x9f. Node.js decodes these bytes as Latin-1. */
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const latin1 = String.fromCharCode(...allBytes)
/** Characters of Windows-1252 and Windows-1256, indexed by byte. */
const codePages = [latin1.slice(0, 0x80) + windows + latin1.slice(0xa0), new TextDecoder('windows-1256').decode(allBytes)]
const inCodePage = (bytes: string, page: string): string => bytes.replace(/[^]/g, byte => page.charAt(byte.charCodeAt(0)))
const fromCodePage = (text: string, page: string): string | undefined =>
  [...text].every(character => page.includes(character))
    ? text.replace(/[^]/g, character => String.fromCharCode(page.indexOf(character)))
    : undefined

const apostrophes = ["'", '&#39;', '&#039;', '&#x27;', '&apos;']
/** HTML entities. The entity of & is last, because its & may begin another entity. */
const entities: ReadonlyArray<readonly [entity: string, character: string]> = [
  ...apostrophes.map(entity => [entity, "'"] as const), ['&lt;', '<'], ['&gt;', '>'], ['&quot;', '"'], ['&#x2F;', '/'], ['&amp;', '&']
]
const unescaped = (text: string): string =>
  entities.reduce((rest, [entity, character]) => rest.replaceAll(entity, character), text)
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Returns the result of `read`, or the text if `read` throws. */
function attempt (read: (text: string) => string, text: string): string {
  try {
    return read(text)
  } catch {
    return text
  }
}

const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const json = (text: string): string => JSON.stringify(text).slice(1, -1)

const escapedUnicode = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns a text in JSON as PHP writes it with the four flags JSON_HEX. */
const hexInJson = (escaped: string): string =>
  escaped.replace(/[<>&']|\\"/g, found => `\\u00${toHex(found.slice(-1)).toUpperCase()}`)

/** Returns the bytes of a UUID. */
const uuidBytes = (text: string): string[] => /^[0-9a-f-]{32,36}$/i.test(text) ? [fromHex(text.replaceAll('-', ''))] : []

/** Returns base64 with and without padding, and base64url. */
function toBase64 (bytes: string): string[] {
  const text = btoa(bytes)
  const unpadded = text.replaceAll('=', '')
  return [text, unpadded, unpadded.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Encodings and escapes of texts, in both directions. */
export const encoding: readonly Transform[] = [
  ['normalization', 'it was in a different Unicode normalization form',
    'Sign and send the same code points: normalize once, where it enters your system, or use ASCII.',
    { 4: text => ['NFC', 'NFD', 'NFKC', 'NFKD'].map(form => text.normalize(form)) }],
  ['encoding', 'its UTF-8 bytes were read in another encoding, or vice versa',
    'Read and write UTF-8 everywhere between the form and the signature.', {
      5: text => /^[\0-\x7f]*$/.test(text)
        ? []
        : [
            bytesOf(text), ...codePages.map(page => inCodePage(bytesOf(text), page)),
            ...[/^[\0-\xff]*$/.test(text) ? text : undefined, ...codePages.map(page => fromCodePage(text, page))]
              .filter(bytes => bytes !== undefined).map(utf8Of)
          ]
    }],
  ['lost-characters', 'characters that are not ASCII were dropped or replaced',
    'Keep the text in a column or an encoding that has all its characters: utf8mb4 in MySQL.', {
      6: text => [
        ...['?', '', '\ufffd', '\ufffd\ufffd', '_'].flatMap(instead =>
          [text.replace(/[^\0-\x7f]/gu, instead), text.replace(/[\u{10000}-\u{10ffff}]/gu, instead)]),
        text.replace(/[\u{10000}-\u{10ffff}].*$/su, ''), text.normalize('NFD').replace(/\p{M}/gu, '')
      ]
    }],
  ['percent-encoding', 'it was percent-encoded on one side', 'Decode it before signing: the text itself is hashed, not its form in a URL.', {
    5: text => [
      attempt(decodeURIComponent, text), percentEncoded(text), encodeURI(text.toWellFormed()), escape(text),
      percentEncoded(text).replace(/[!'()*]/g, character => `%${toHex(character).toUpperCase()}`),
      percentEncoded(text).replace(/%../g, byte => byte.toLowerCase())
    ]
  }],
  ['plus', 'a space became +, or + became a space, as in an HTML form', 'Decode form data once, and only where it was encoded.', {
    5: text => /[ +]/.test(text)
      ? [text.replaceAll(' ', '+'), text.replaceAll('+', ' '), percentEncoded(text).replaceAll('%20', '+')]
      : []
  }],
  ['html', 'it was escaped for HTML on one side', 'Escape for HTML when rendering a page, never what is signed.', {
    5: text => [
      ...apostrophes.map(apostrophe => escaped(text).replaceAll("'", apostrophe)), escaped(text).replaceAll('/', '&#x2F;'),
      escaped(text).replace(/[^\0-\x7f]/gu, character => `&#${character.codePointAt(0)};`), unescaped(text)
    ]
  }],
  ['json', 'it was escaped as JSON has it, or not unescaped', 'Sign the decoded text, not its form in JSON: no \\/ and no \\u00e9.', {
    5: text => [json(text), json(text).replaceAll('/', '\\/')].flatMap(escaped => [
      escaped, `"${escaped}"`, escapedUnicode(escaped), escaped.replace(/[<>&]/g, unit => `\\u00${toHex(unit)}`),
      ...[escaped, escapedUnicode(escaped)].map(hexInJson)
    ]).concat(attempt(text => JSON.parse(`"${text}"`), text))
  }],
  ['escaped', 'its quotes or backslashes were escaped for a database, a shell or a CSV file',
    'Escape where the text is written to such a place, never what is signed.', {
      6: text => [
        text.replace(/['"\\]/g, '\\$&'), text.replace(/\\(.)/gs, '$1'),
        text.replaceAll("'", "''"), text.replaceAll("''", "'"), text.replaceAll('"', '""')
      ]
    }],
  ['base64', 'it was base64-encoded or decoded on one side',
    'Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.', {
      5: text => [
        ...[fromBase64(text) ?? []].flat().flatMap(bytes => [utf8Of(bytes), bytes]),
        ...[bytesOf(text), ...uuidBytes(text)].flatMap(toBase64)
      ]
    }],
  ['hex', 'it was written in or decoded from hexadecimal', 'Use its text as is: the characters are hashed, not the bytes that they may stand for.', {
    6: text => [
      toHex(bytesOf(text)), toHex(bytesOf(text)).toUpperCase(),
      ...(/^(?:[0-9a-f]{2})+$/i.test(text) ? [fromHex(text), utf8Of(fromHex(text)), asBytes(fromHex(text))] : [])
    ]
  }]
]
