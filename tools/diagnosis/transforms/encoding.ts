import { asBytes, fromBase64, fromHex, toHex, utf8 as bytesOf } from '../bytes.js'
import type { Transform } from '../transform.js'
import { codePages, fromPage, inPage, isInPage } from './code-pages.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const utf8Of = (bytes: string): string => decoder.decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)))

/** Limit of the length of a text that is written in all code pages. In UTF-16 code units. */
const maxLength = 500

const latin1 = String.fromCharCode(...Array(256).keys())
/** Returns the characters of a page, and of all code pages after it. */
const pagesAfter = (first: string): string[] => [first, ...codePages.map(([, page]) => page)]

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

/** Returns a text with its bytes that are not ASCII as escapes: \xc3\xa9 as in Python, C and Go, or \303\251. */
const escapedBytes = (text: string): string[] => ([
  byte => `\\x${toHex(byte)}`, byte => `\\x${toHex(byte).toUpperCase()}`, byte => `\\${byte.charCodeAt(0).toString(8)}`, byte => `<${toHex(byte)}>`
] as Array<(byte: string) => string>).map(escape => bytesOf(text).replace(/[\x80-\xff]/g, escape))

/** Returns the text whose bytes are escaped in a text. */
const unescapedBytes = (text: string): string => /\\x[0-9a-f]{2}|\\[0-3][0-7]{2}/i.test(text)
  ? utf8Of(text.replace(/\\x([0-9a-f]{2})|\\([0-3][0-7]{2})/gi, (_, hex, octal) => String.fromCharCode(Number.parseInt(hex ?? octal, hex === undefined ? 8 : 16))))
  : text

const typographic: ReadonlyArray<readonly [plain: string, typographic: RegExp, forms: readonly string[]]> = [
  ["'", /[\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc`]/g, ['\u2019', '\u2018', '\u02bc']], ['"', /[\u201c-\u201f\u2033\u00ab\u00bb]/g, ['\u201d', '\u201c']],
  ['...', /\u2026/g, ['\u2026']], ['-', /[\u2010-\u2015\u2212]/g, ['\u2013', '\u2014']]
]

/** Returns a text with plain quotes, dashes and dots, and with typographic ones. */
const withOtherQuotes = (text: string): string[] => [
  typographic.reduce((rest, [plain, pattern]) => rest.replace(pattern, plain), text),
  ...typographic.map(([plain, pattern]) => text.replace(pattern, plain)),
  ...typographic.flatMap(([plain, , forms]) => forms.map(form => text.replaceAll(plain, form))),
  text.replace(/(?<=^|\s|\()'/g, '\u2018').replaceAll("'", '\u2019').replace(/(?<=^|\s|\()"/g, '\u201c').replaceAll('"', '\u201d')
]

/** Returns the bytes of a UUID. */
const uuidBytes = (text: string): string[] => /^[0-9a-f-]{32,36}$/i.test(text) ? [fromHex(text.replaceAll('-', ''))] : []

/** Returns base64 with and without padding, and base64url. */
function toBase64 (bytes: string): string[] {
  const text = btoa(bytes)
  const unpadded = text.replaceAll('=', '')
  return [text, unpadded, unpadded.replaceAll('+', '-').replaceAll('/', '_')]
}

const notBytes = 'Hash the characters of its text, not the bytes that they may stand for.'

const decodedFrom = (form: string, signed: string, sent: string): string => signed.isWellFormed()
  ? `it was ${signed.length < sent.length ? 'decoded from' : 'written in'} ${form} before it was hashed`
  : `it is ${form}, and was decoded to bytes before it was hashed`

/** Encodings and escapes of texts, in both directions. */
export const encoding: readonly Transform[] = [
  ['normalization', 'it was in a different Unicode normalization form',
    'Sign and send the same code points: normalize once, where it enters your system, or use ASCII.',
    { 4: text => ['NFC', 'NFD', 'NFKC', 'NFKD'].map(form => text.normalize(form)) }],
  ['encoding', 'its UTF-8 bytes were read in another encoding, or vice versa',
    'Read and write UTF-8 everywhere between the form and the signature.', {
      5: text => /^[\0-\x7f]*$/.test(text) || text.length > maxLength
        ? []
        : [
            bytesOf(text), ...pagesAfter(latin1).map(page => fromPage(bytesOf(text), page)),
            ...pagesAfter(latin1).filter(page => isInPage(text, page)).map(page => utf8Of(inPage(text, page)))
          ],
      7: text => /^[\0-\x7f]*$/.test(text) || text.length > maxLength ? [] : pagesAfter(latin1).filter(page => isInPage(text, page)).map(page => asBytes(inPage(text, page)))
    }],
  ['lost-characters', 'characters that are not ASCII were dropped or replaced',
    'Keep the text in a column or an encoding that has all its characters: utf8mb4 in MySQL.', {
      6: text => [
        ...['?', '', '\ufffd', '\ufffd\ufffd', '_'].flatMap(instead =>
          [text.replace(/[^\0-\x7f]/gu, instead), text.replace(/[\u{10000}-\u{10ffff}]/gu, instead)]),
        text.replace(/[\u{10000}-\u{10ffff}].*$/su, ''), text.normalize('NFD').replace(/\p{M}/gu, '')
      ]
    }],
  ['typography', 'its quotes or dashes were typographic on one side, and plain on the other',
    'Sign and send the same characters: editors, phones and spreadsheets replace \' and " as you type.', { 5: withOtherQuotes }],
  ['byte-escapes', 'its bytes that are not ASCII were written as escapes, such as \\xc3\\xa9', 'Sign the text itself, not what a language prints for its bytes.',
    { 6: text => text.length <= maxLength && /[^\0-\x7f]|\\[x0-3]/.test(text) ? [...escapedBytes(text), ...escapedBytes(text).map(escaped => `b'${escaped}'`), unescapedBytes(text)] : [] }],
  ['percent-encoding', 'it was percent-encoded on one side', 'Decode it before signing: the text itself is hashed, not its form in a URL.', {
    5: text => [
      attempt(decodeURIComponent, text), percentEncoded(text), encodeURI(text.toWellFormed()), escape(text),
      percentEncoded(text).replace(/[!'()*]/g, character => `%${toHex(character).toUpperCase()}`),
      percentEncoded(text).replace(/%../g, byte => byte.toLowerCase())
    ]
  }],
  ['plus', 'a space became +, or + became a space, as in an HTML form', 'Decode form data once, and only where it was encoded.', {
    5: text => /[ +]/.test(text)
      ? [text.replaceAll(' ', '+'), text.replaceAll('+', ' '), attempt(decodeURIComponent, text.replaceAll('+', ' ')), percentEncoded(text).replaceAll('%20', '+'), percentEncoded(text).replaceAll('%20', '+').replace(/%../g, byte => byte.toLowerCase())]
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
  ['base64', (signed, sent) => decodedFrom('base64', signed, sent), (signed, sent) => signed.isWellFormed() && sent.isWellFormed()
    ? 'Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.'
    : notBytes, {
    5: text => [
      ...[text, text.replace(/^[a-z]+(?:_[a-z]+)*_/i, '')].flatMap(text => fromBase64(text) ?? []).flatMap(bytes => [utf8Of(bytes), bytes, asBytes(bytes)]),
      ...[bytesOf(text), ...uuidBytes(text)].flatMap(toBase64)
    ]
  }],
  ['hex', (signed, sent) => decodedFrom('hexadecimal', signed, sent), notBytes, {
    6: text => [
      toHex(bytesOf(text)), toHex(bytesOf(text)).toUpperCase(),
      ...(/^(?:[0-9a-f]{2})+$/i.test(text) ? [fromHex(text), utf8Of(fromHex(text)), asBytes(fromHex(text))] : [])
    ]
  }]
]
