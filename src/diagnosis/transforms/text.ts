import type { Kind, Transform } from '../transform.js'

const lineBreaks = ['\n', '\r\n', '\r', '\n\n']
const spaces = ['\t', '\u00a0', '\u200b', '  ']
const marks = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '\0', '\\n', '/-', '.0', '="', '-1', '_1', '-01', '***']
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', ...'0123456789']
const brackets = ['()', '[]', '{}', '<>']
const quotes = ['""', "''", '``', '\u201c\u201d', '\u2018\u2019', '\u00ab\u00bb']

/** Where people copy or type a text. */
const typed: readonly Kind[] = ['identifier', 'account', 'token']
const notWhole: readonly Kind[] = ['time', 'sid', 'amount', 'identifier', 'account', 'token']

const around = (text: string, pair: string): string => pair.charAt(0) + text + pair.charAt(1)

const withAffixes = (affixes: readonly string[]) => (text: string): string[] =>
  affixes.flatMap(affix => [text + affix, affix + text])

/** The text in groups of so many characters, counted from either end. */
const grouped = (text: string, size: number, separator: string): string[] => [
  text.replace(new RegExp(`.{${size}}(?=.)`, 'gsu'), `$&${separator}`),
  text.replace(new RegExp(`(?<=.)(?=(?:.{${size}})+$)`, 'gsu'), separator)
]

const separators = ['', '-', '_', ' ', '.', '/', ':', '+', '\u00a0', '\u2013']

const whiteSpace = {
  says: 'white space was added or removed',
  fix: 'Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.'
}

const zeros = {
  says: 'its leading zeros were different',
  fix: 'Keep it as text, with the zeros that it was issued with.'
}

/** What happens to any text: case, white space, something at its ends, another length, other separators. */
export const text: readonly Transform[] = [
  {
    name: 'case',
    cost: 3,
    texts: text => [text.toLowerCase(), text.toUpperCase()],
    says: 'its letters had a different case',
    fix: 'Sign and send it as it is stored: upper and lower case matter.'
  },
  {
    name: 'newline',
    cost: 3,
    texts: text => [...lineBreaks.map(end => text + end), text.replace(/[\r\n]+$/, '')],
    says: 'it had a line break at its end, or lost one',
    fix: 'Write it with printf \'%s\' instead of echo, and take off the line break where a file is read.'
  },
  {
    name: 'white-space',
    cost: 3,
    texts: text => [text.trim(), text.trimStart(), text.trimEnd(), text.replace(/\s+/g, ''), `${text} `, ` ${text}`],
    ...whiteSpace
  },
  {
    name: 'white-space',
    cost: 5,
    texts: text => [...withAffixes(spaces)(text), ` ${text} `, text.replace(/\s+/g, ' ')],
    ...whiteSpace
  },
  {
    name: 'byte-order-mark',
    cost: 5,
    texts: text => [`\ufeff${text}`, text.replace(/^\ufeff/, '')],
    says: 'it began with a byte order mark, U+FEFF, or lost one',
    fix: 'Save the file that it comes from as UTF-8 without a byte order mark.'
  },
  {
    name: 'quotes',
    cost: 4,
    texts: text => [...quotes.map(pair => around(text, pair)), text.replace(/^(["'`])(.*)\1$/s, '$2'), `'${text}`],
    says: 'quotes were added or removed',
    fix: 'Join the texts themselves, without quotes; env files and control panels may take quotes literally.'
  },
  {
    name: 'braces',
    cost: 4,
    texts: text => [...brackets.map(pair => around(text, pair)), text.replace(/^[([{<](.*)[)\]}>]$/s, '$1')],
    says: 'brackets were added or removed',
    fix: 'Use its plain text, as it was generated.'
  },
  {
    name: 'wrapped',
    cost: 7,
    texts: text => ['Optional', 'Some', 'UUID', 'Date', 'String'].flatMap(word => brackets.slice(0, 2).flatMap(pair =>
      ['', "'", '"'].map(quote => word + around(quote + text + quote, pair))))
      .concat(`b'${text}'`, `u'${text}'`, `('${text}',)`, `<![CDATA[${text}]]>`, `="${text}"`, `/Date(${text})/`, `urn:uuid:${text}`)
      .concat(text.replace(/^urn:uuid:/i, '')),
    says: 'it was wrapped, as a language or a format shows a value of some type',
    fix: 'Take the text out of what wraps it before it is joined.'
  },
  {
    name: 'affix',
    cost: 6,
    kinds: ['amount', ...typed],
    texts: text => [
      ...withAffixes(marks)(text), ...brackets.map(pair => around(text, pair)),
      text.replace(/^[^\p{L}\p{N}]+/u, ''), text.replace(/[^\p{L}\p{N}]+$/u, '')
    ],
    says: 'something was added or removed at its start or end',
    fix: 'Sign and send the same text, with nothing before or after it.'
  },
  {
    name: 'affix',
    cost: 8,
    kinds: notWhole,
    texts: text => [...withAffixes([...letters, ...marks])(text), ...['n', 'f', 'm', 'd'].map(end => text + end)],
    says: 'a character was added at its start or end',
    fix: 'Sign and send the same text, with nothing before or after it.'
  },
  {
    name: 'lost-character',
    cost: 5,
    texts: text => [text.slice(1), text.slice(0, -1)],
    says: 'its first or last character was missing',
    fix: 'Copy it again, from the first character to the last.'
  },
  {
    name: 'cut-off',
    cost: 5,
    kinds: ['sid', ...typed],
    texts: text => [4, 6, 8, 10, 12, 16, 20, 24, 30, 32, 36, 40, 50, 64, 100, 128, 255].map(length =>
      text.slice(0, length)),
    says: 'it was truncated',
    fix: 'Lengthen the column or field that holds it, or shorten the text.',
    isAlone: true
  },
  {
    name: 'cut-off',
    cost: 7,
    kinds: ['sid', ...typed],
    texts: text => [
      ...[4, 6, 8, 10, 12].map(length => text.slice(-length)), `****${text.slice(-4)}`, '*'.repeat(Math.max(0, text.length - 4)) + text.slice(-4),
      text.replace(/\D+/g, ''), text.replace(/^\P{N}+/u, ''), text.replace(/[-_/.#:\s].*$/s, ''), text.replace(/^.*?[-_/.#:\s]/s, ''),
      text.replace(/[-_/.#:]\w*$/, '')
    ],
    says: 'a part of it was left out or masked',
    fix: 'Sign and send the whole text.'
  },
  {
    name: 'slip',
    cost: 8,
    kinds: typed,
    texts: text => text.length > 64
      ? []
      : [...text].flatMap((character, index) => [
          text.slice(0, index) + text.slice(index + 1),
          text.slice(0, index) + character + text.slice(index),
          text.slice(0, index) + text.charAt(index + 1) + character + text.slice(index + 2)
        ]),
    says: 'a character was missing, doubled, or swapped with the next one',
    fix: 'Copy it instead of typing it.',
    isAlone: true
  },
  {
    name: 'look-alike',
    cost: 7,
    kinds: typed,
    texts: text => ['0O', '1l', '1I', 'lI', 'o0'].flatMap(([one = '', other = '']) =>
      [text.replaceAll(one, other), text.replaceAll(other, one)]),
    says: 'a character was taken for one that looks like it, such as 0 and O',
    fix: 'Copy it instead of typing it.'
  },
  {
    name: 'padded',
    cost: 7,
    kinds: ['amount', ...typed],
    texts: text => [6, 8, 10, 11, 12, 15, 16, 20, 24, 30, 32, 36, 40, 50, 64].flatMap(length =>
      [text.padEnd(length), text.padStart(length)]),
    says: 'it was padded with spaces to a fixed length',
    fix: 'Trim what comes out of columns of a fixed length.',
    isAlone: true
  },
  {
    name: 'leading-zeros',
    cost: 3,
    kinds: ['amount', 'account', 'identifier'],
    texts: text => [text.replace(/^0+(?=.)/, ''), text.replace(/^0+(?=\d)/, ''), text.replace(/^\./, '0.')],
    ...zeros
  },
  {
    name: 'leading-zeros',
    cost: 4,
    kinds: ['amount', 'account', 'identifier'],
    texts: text => /\d/.test(text)
      ? [
          ...[6, 8, 9, 10, 12, 16, 20].map(length => text.padStart(length, '0')), `0${text}`
        ]
      : [],
    ...zeros
  },
  {
    name: 'leading-zeros',
    cost: 7,
    kinds: ['amount', 'account', 'identifier'],
    texts: text => /\d/.test(text) ? Array.from({ length: 20 }, (_, index) => text.padStart(index + 1, '0')) : [],
    ...zeros
  },
  {
    name: 'dashes',
    cost: 5,
    texts: text => [
      ...[...new Set(text.match(/[-_ ./:+]/g))].flatMap(from => separators.map(to => text.replaceAll(from, to))),
      text.replace(/[-_ ./:]/g, ''), text.replace(/[^\p{L}\p{N}]+/gu, '-'), text.replace(/[^\p{L}\p{N}]+/gu, '_'),
      text.replace(/^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i, '$1-$2-$3-$4-$5')
    ],
    says: 'dashes, spaces or other separators were removed, added or replaced',
    fix: 'Sign and send it in the same form, with the same separators.'
  },
  {
    name: 'grouped',
    cost: 6,
    kinds: ['account', 'identifier'],
    texts: text => /^\w{3,34}$/.test(text)
      ? [' ', '-', '.', '/', '\u00a0'].flatMap(separator => [
          ...[2, 3, 4].flatMap(size => grouped(text, size, separator)),
          text.slice(0, -1) + separator + text.slice(-1), text.slice(0, -2) + separator + text.slice(-2)
        ])
      : [],
    says: 'it was split into groups, or a check digit was split off',
    fix: 'Groups are for the screen: sign and send it without them.'
  },
  {
    name: 'reversed',
    cost: 8,
    texts: text => [[...text].reverse().join('')],
    says: 'its characters were in reverse order',
    fix: 'Sign it from its first character to its last.'
  }
]
