import { codePoint } from '../../../src/text/characters.js'
import { asBytes, codePages, escapedHtml, fromBase64, fromHex, fromPage, fromUtf8, inPage, isInPage, toHex, utf8 } from '../bytes.js'
import type { Kind } from '../context.js'
import type { Mistake } from './mistake.js'

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** Returns a function that applies `write` to a text that is not only ASCII. Long texts take long to rewrite. */
const ofLetters = (write: (text: string, pages: readonly string[]) => string[]) => (text: string): string[] =>
  isAscii(text) || text.length > 500
    ? []
    : write(text, codePages.map(([, page]) => page).filter(page => isInPage(text, page)))

const apostrophes = ["'", '&#39;', '&#039;', '&#x27;', '&apos;']
/** HTML entities. The entity of & is last, because its & may begin another entity. */
const entities: ReadonlyArray<readonly [entity: string, character: string]> = [
  ...apostrophes.map(entity => [entity, "'"] as const),
  ['&lt;', '<'], ['&gt;', '>'], ['&quot;', '"'], ['&#x2F;', '/'], ['&amp;', '&']
]
const unescapedHtml = (text: string): string =>
  entities.reduce((rest, [entity, character]) => rest.replaceAll(entity, character), text)

/** Returns the result of `read`, or the text if `read` throws. */
function attempt (read: (text: string) => string, text: string): string {
  try {
    return read(text)
  } catch {
    return text
  }
}

const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed())
const lowerHex = (text: string): string => text.replace(/%../g, byte => byte.toLowerCase())

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
const escapedUnicode = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
/** Letters that look like those at the same place of the other text. */
const lookAlikes = [
  ['كيىهڪ', 'کییہک'], ['АВЕЅІЈКМНОРСТХУаеѕіјорсхуԁһԛԝ', 'ABESIJKMHOPCTXYaesijopcxydhqw']
].flatMap(([one, other]) => [[[...one!], [...other!]], [[...other!], [...one!]]] as Array<[string[], string[]]>)

/** Returns a text with one or all of its letters replaced by others that look alike. */
const withLookAlikes = (text: string): string[] => text.length > 256
  ? []
  : lookAlikes.flatMap(([from, to]) => {
    const other = (letter: string): string => to[from.indexOf(letter)] ?? letter
    const characters = [...text]
    const whole = characters.map(other).join('')
    return whole === text ? [] : [whole, ...characters.map((letter, at) => characters.with(at, other(letter)).join(''))]
  })

/** Letters and digits that look alike in many fonts. */
const alike = '0OoQD 1lI|i 5Ss 2Zz 8B 6Gb 9gq uv UV Cc Kk Pp Ww Xx Yy'.split(' ')

/** Returns a text with one or two of its characters replaced by others that look alike. */
const withAlike = (text: string, from = 0, more = 1): string[] => [...text.slice(from, 64)].flatMap((letter, index) => {
  const others = alike.filter(letters => letters.includes(letter)).flatMap(letters => [...letters.replace(letter, '')])
  const at = from + index
  return others.map(other => text.slice(0, at) + other + text.slice(at + 1))
    .flatMap(changed => more === 0 ? [changed] : [changed, ...withAlike(changed, at + 1, 0)])
})

/** Returns the first letter that differs in two texts of one length. Of a token, only its place is shown. */
function lookAlike (signed: string, sent: string, kind: Kind): string {
  const [one, other] = [[...signed], [...sent]]
  const at = one.findIndex((letter, index) => letter !== other[index])
  return `it had a character that looks alike, as O and 0 do, at position ${at + 1}` +
    (kind === 'token' ? '' : `: ${codePoint(one[at]!)} for ${codePoint(other[at]!)}`)
}

/** Returns the beginnings of a text that end in the middle of a character: as bytes, and decoded. */
const cutByBytes = (text: string): string[] => [...text].flatMap((character, index, all) => {
  const [before, bytes] = [all.slice(0, index).join(''), utf8(character)]
  const beginnings = Array.from(bytes.slice(1), (_, length) => before + asBytes(bytes.slice(0, length + 1)))
  return bytes.length === 1 ? [] : [...beginnings, `${before}\ufffd`]
})

/** Returns the number of bytes that remain of a text that was cut. */
const bytesLeft = (signed: string): number =>
  utf8(signed.replace(/[\udc80-\udcff\ufffd]+$/, cut => 'x'.repeat(cut.length))).length

/** Returns base64 with and without padding, and base64url. */
function toBase64 (bytes: string): string[] {
  const text = btoa(bytes)
  const unpadded = text.replaceAll('=', '')
  return [text, unpadded, unpadded.replaceAll('+', '-').replaceAll('/', '_')]
}

const notBytes = 'Hash the characters of its text, not the bytes that they may stand for.'

const decodedFrom = (form: string) => (signed: string, sent: string): string => signed.isWellFormed()
  ? `it was ${signed.length < sent.length ? 'decoded from' : 'written in'} ${form} before it was hashed`
  : `it is ${form}, and was decoded to bytes before it was hashed`

/** Encodings and escapes of texts, in both directions. */
export const encodings: readonly Mistake[] = [
  ['normalization', 'it was in a different Unicode normalization form',
    'Sign and send the same code points: normalize once, where it enters your system, or use ASCII.',
    { 4: text => ['NFC', 'NFD', 'NFKC', 'NFKD'].map(form => text.normalize(form)) }],
  ['look-alike', lookAlike, 'Copy it instead of typing it, and compare code points: ' +
    'no comparison by eye finds them.',
  { 6: withLookAlikes }],
  ['look-alike', lookAlike, 'Copy it instead of typing it: no comparison by eye finds them.',
    { 8: text => withAlike(text) }, ['account-number', 'identifier', 'token']],
  ['encoding', 'its UTF-8 bytes were read in another encoding, or vice versa',
    'Read and write UTF-8 everywhere between the form and the signature.', {
      5: ofLetters((text, pages) => [
        ...codePages.map(([, page]) => fromPage(utf8(text), page)), ...pages.map(page => fromUtf8(inPage(text, page)))
      ])
    }],
  ['plain-letters', 'its letters were replaced by plain ones, as search indexes do',
    'Sign the text as it is sent, not its form for a search.',
    { 6: ofLetters(text => [text.normalize('NFD').replace(/\p{M}/gu, '')]) }],
  ['lost-characters', 'characters that are not ASCII were dropped or replaced',
    'Keep the text in a column or an encoding that has all its characters: utf8mb4 in MySQL.', {
      6: ofLetters(text => [
        ...['?', '', '\ufffd', '\ufffd\ufffd', '_'].flatMap(instead =>
          [/[^\0-\x7f]/gu, /[\u{10000}-\u{10ffff}]/gu].map(lost => text.replace(lost, instead))),
        text.replace(/[\u{10000}-\u{10ffff}].*$/su, '')
      ])
    }],
  ['cut-by-bytes', signed => `only its first ${bytesLeft(signed)} bytes remain, up to the middle of a character`,
    'Count characters, not bytes, where it is cut; better, lengthen the column or field that holds it.',
    { 6: ofLetters(cutByBytes) }],
  ['percent-encoding', 'it was percent-encoded on one side',
    'Decode it before signing: the text itself is hashed, not its form in a URL.', {
      5: text => [
        attempt(decodeURIComponent, text), percentEncoded(text), encodeURI(text.toWellFormed()), escape(text),
        percentEncoded(text).replace(/[!'()*]/g, character => `%${toHex(character).toUpperCase()}`),
        lowerHex(percentEncoded(text))
      ]
    }],
  ['plus', 'a space became +, or + became a space, as in an HTML form',
    'Decode form data once, and only where it was encoded.', {
      5: text => /[ +]/.test(text)
        ? [
            text.replaceAll(' ', '+'), text.replaceAll('+', ' '),
            attempt(decodeURIComponent, text.replaceAll('+', ' ')),
            ...[percentEncoded(text), lowerHex(percentEncoded(text))].map(encoded => encoded.replaceAll('%20', '+'))
          ]
        : []
    }],
  ['html', 'it was escaped for HTML on one side', 'Escape for HTML when rendering a page, never what is signed.', {
    5: text => [
      ...apostrophes.map(apostrophe => escapedHtml(text).replaceAll("'", apostrophe)),
      escapedHtml(text).replaceAll('/', '&#x2F;'),
      escapedHtml(text).replace(/[^\0-\x7f]/gu, character => `&#${character.codePointAt(0)};`), unescapedHtml(text)
    ],
    9: text => [
      ...[/[^a-z0-9]/gi, /[^]/g].flatMap(escaped => ['&#', '&#x', '&#X'].map(start => text.slice(0, 64).replace(escaped, character => {
        const code = character.charCodeAt(0).toString(start === '&#' ? 10 : 16)
        return `${start.toLowerCase()}${start === '&#X' ? code.toUpperCase() : code};`
      }))),
      text.replace(/&#(x?)([0-9a-f]{1,5});/gi, (_entity, x, code) => String.fromCodePoint(Number.parseInt(code, x === '' ? 10 : 16)))
    ]
  }],
  ['json', 'it was escaped as JSON has it, or not unescaped',
    'Sign the decoded text, not its form in JSON: no \\/ and no \\u00e9.', {
      5: text => [inJson(text), inJson(text).replaceAll('/', '\\/')].flatMap(escaped => [
        escaped, `"${escaped}"`, escapedUnicode(escaped), escaped.replace(/[<>&]/g, unit => `\\u00${toHex(unit)}`)
      ]).concat(attempt(text => JSON.parse(`"${text}"`), text))
    }],
  ['escaped', 'its quotes or backslashes were escaped for a database, a shell or a CSV file',
    'Escape where the text is written to such a place, never what is signed.', {
      6: text => [
        text.replace(/['"\\]/g, '\\$&'), text.replace(/\\(.)/gs, '$1'),
        text.replaceAll("'", "''"), text.replaceAll("''", "'"), text.replaceAll('"', '""')
      ]
    }],
  ['base64', decodedFrom('base64'), (signed, sent) => signed.isWellFormed() && sent.isWellFormed()
    ? 'Use the plain text on both sides; a Kubernetes secret is base64 in its YAML and plain in the container.'
    : notBytes, {
    5: text => [
      ...[text, text.replace(/^[a-z]+(?:_[a-z]+)*_/i, '')].flatMap(text => fromBase64(text) ?? [])
        .flatMap(bytes => [fromUtf8(bytes), bytes, asBytes(bytes)]),
      ...toBase64(utf8(text))
    ]
  }],
  ['hex', decodedFrom('hexadecimal'), notBytes, {
    6: text => [
      toHex(utf8(text)), toHex(utf8(text)).toUpperCase(),
      ...(/^(?:[0-9a-f]{2})+$/i.test(text) ? [fromHex(text), fromUtf8(fromHex(text)), asBytes(fromHex(text))] : [])
    ]
  }]
]
