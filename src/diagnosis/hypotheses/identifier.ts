import type { TermHypothesis } from '../hypothesis.js'

const terms = ['referenceNumber', 'orderIdOrNull'] as const

/** The apostrophe as it is in JavaScript, PHP, Python and XML. */
const apostrophes = ['&#39;', '&#039;', '&#x27;', '&apos;', "'"]

const entities: ReadonlyArray<readonly [character: string, entity: string]> = [
  ['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;'], ['"', '&quot;']
]

const escaped = (text: string): string =>
  entities.reduce((rest, [character, entity]) => rest.replaceAll(character, entity), text)

const unescaped = (text: string): string => entities.reduceRight(
  (rest, [character, entity]) => rest.replaceAll(entity, character),
  apostrophes.reduce((rest, apostrophe) => rest.replaceAll(apostrophe, "'"), text))

function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const identifier: readonly TermHypothesis[] = [
  {
    name: 'identifier-case',
    terms,
    texts: text => [text.toLowerCase(), text.toUpperCase()],
    says: 'its letters had a different case',
    fix: 'Sign and send the identifier as it is stored; nothing may change its case.'
  },
  {
    name: 'identifier-normalization',
    terms,
    texts: text => (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map(form => text.normalize(form)),
    says: 'it was in a different Unicode normalization form',
    fix: 'Sign and send the same code points: normalize once, where the identifier enters your system, or use ASCII.'
  },
  {
    name: 'identifier-percent-encoding',
    terms,
    texts: text => [decoded(text), encodeURIComponent(text.toWellFormed()), encodeURI(text.toWellFormed())],
    says: 'it was percent-encoded on one side',
    fix: 'Decode it before signing: the text itself is hashed, not its form in a URL.'
  },
  {
    name: 'identifier-plus',
    terms,
    texts: text => [text.replaceAll(' ', '+'), text.replaceAll('+', ' '), encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')],
    says: 'a space became +, or + became a space, as in an HTML form',
    fix: 'Decode form data once, and only where it was encoded.'
  },
  {
    name: 'identifier-html',
    terms,
    texts: text => [
      ...apostrophes.map(apostrophe => escaped(text).replaceAll("'", apostrophe)),
      escaped(text).replace(/[^\0-\x7f]/gu, character => `&#${character.codePointAt(0)};`),
      unescaped(text)
    ],
    says: 'it was escaped for HTML on one side',
    fix: 'Escape for HTML when rendering a page, never what is signed.'
  },
  {
    name: 'identifier-encoding',
    terms,
    texts: text => [Buffer.from(text, 'utf8').toString('latin1'), Buffer.from(text, 'latin1').toString('utf8')],
    says: 'its UTF-8 bytes were read as Latin-1, or vice versa',
    fix: 'Read and write UTF-8 everywhere between the form and the signature.'
  },
  {
    name: 'identifier-number',
    terms,
    texts: text => /^\d+$/.test(text)
      ? [String(Number(text)), text.replace(/^0+(?=\d)/, ''), ...[6, 8, 9, 10, 12].map(length => text.padStart(length, '0'))]
      : [],
    says: 'it passed through a number, which changes leading zeros or the last digits',
    fix: 'Keep identifiers as text.'
  },
  {
    name: 'identifier-cut-off',
    terms,
    texts: text => [10, 12, 16, 20, 24, 30, 32, 36, 40, 50, 64, 100, 128, 255].map(length => text.slice(0, length)),
    says: 'it was truncated',
    fix: 'Lengthen the column or field that holds it, or shorten the identifier.',
    alone: 'term'
  }
]
