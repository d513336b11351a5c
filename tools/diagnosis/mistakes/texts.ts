import { quote } from '../../explain/characters.js'
import { escapedHtml } from '../bytes.js'
import type { Kind } from '../context.js'
import type { Mistake } from './mistake.js'

const digits = [...'0123456789']
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const smallLetters = letters.map(letter => letter.toLowerCase())
const marks = [
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '\0', '\\n', '/-', '.0', '="', '-1', '_1', '-01', '***'
]
const separators = ['', '-', '_', ' ', '.', '/', ':', '+', '\u00a0', '\u2013']

/** Quotes around a text. … stands for the text. */
const quotes = ['"…"', "'…'", '`…`', '\u201c…\u201d', '\u2018…\u2019', '\u00ab…\u00bb']
/** Texts that languages print around a value. A number has no quotes. */
export const wrappers =
  ['Optional("…")', 'Some("…")', "['…']", '["…"]', 'Optional[…]', 'Optional(…)', 'Some(…)', '[…]', "b'…'", "('…',)"]
/** Forms in which languages and programs print a text. */
const frames = [
  ...wrappers, 'Decimal.new("…")', '#Decimal<…>', 'NumberDecimal("…")', '{"$numberDecimal":"…"}',
  'Optional["…"]', "UUID('…')", 'Decimal(…)', "u'…'",
  '="…"', '/Date(…)/', 'urn:uuid:…', '%!s(int64=…)', '%!s(int=…)', '%!s(float64=…)', '%!d(string=…)'
]

/** Markup around a text: of HTML, of XML, and of Markdown. */
const markup = [
  ...'b i u a em strong code pre p div span td th li h1 h2 h3 label string value int double id text orderId amount'
    .split(' ').map(tag => `<${tag}>…</${tag}>`),
  '…<br>', '…<br/>', '…<br />', '<p>…</p>\n', '<![CDATA[…]]>',
  '**…**', '*…*', '__…__', '_…_', '~~…~~', '```…```', '\\"…\\"', '# …', '- …', '> …', '| … |', '[…](…)'
]

/** Marks that phones and word processors put in the place of typed ones. */
const typographic = [['--', '\u2014'], ['-', '\u2014'], ['--', '\u2013'], ["'", '\u2019']] as const

/** Common lengths of database columns and form fields. */
const lengths = [4, 6, 8, 10, 12, 15, 16, 20, 24, 25, 30, 32, 36, 40, 50, 64, 100, 128, 255]

/** Kinds of texts that people copy or type. */
const typed: readonly Kind[] = ['identifier', 'account-number', 'token']

/** Invisible characters: marks of right-to-left text, joiners, the soft hyphen. */
const invisible = [...'\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200c\u2060\u00ad']
const invisiblePattern = new RegExp(`[${invisible.join('')}]`, 'g')

/** Returns a sentence that names the side with the longer text. */
const onOneSide = (what: string) => (signed: string, sent: string): string =>
  `${signed.length < sent.length ? 'your side has' : 'the signer had'} ${what}`

const framed = (text: string, frames: readonly string[]): string[] => frames.map(frame => frame.replace('…', () => text))

const withAffixes = (text: string, affixes: readonly string[]): string[] =>
  affixes.flatMap(affix => [text + affix, affix + text])

const withZeros = (text: string, lengths: Iterable<number>): string[] =>
  /^[\d.]+$/.test(text) ? Array.from(lengths, length => text.padStart(length, '0')) : []

/** Returns the beginnings and ends of a text at its separators, and the number after its letters. */
const parts = (text: string): string[] => [
  ...Array.from(text.slice(0, 256).matchAll(/[-_/.#:|~+\s]+|(?<=\d)x(?=\d)/gi), ({ 0: { length }, index }) =>
    [text.slice(0, index), text.slice(index + length)]).flat(),
  text.replace(/^\P{N}+/u, ''), text.replace(/^\P{N}+0*(?=.)/u, '')
].filter(part => part !== '')

const maskWords = 'redacted filtered masked hidden secret sensitive secure protected'.split(' ').flatMap(word =>
  [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)])

/** Yields what screens and logs show in the place of a text: marks and words, between some of its characters. */
function * masked (text: string): Generator<string> {
  for (const mark of '*\u2022\u25cf.xX#') {
    for (let length = 3; length <= 64; length++) yield mark.repeat(length)
    for (const start of [0, 2, 3, 4, 6, 8]) {
      for (const end of [0, 2, 3, 4, 6, 8].filter(end => start + end < text.length)) {
        const lengths = [3, 4, 6, 8, 12, 16, text.length - start - end]
        const middles = [...lengths.map(length => mark.repeat(length)), '\u2026']
        yield * middles.map(middle => text.slice(0, start) + middle + text.slice(text.length - end))
      }
    }
  }
  for (const word of maskWords) yield * framed(word, ['…', '[…]', '<…>', '(…)', '***…***', '{{…}}', '(… value)'])
  yield * ["SecretStr('**********')", "SecretBytes(b'**********')", 'Secret(***)']
}

/** Places of the characters of a text. Long texts have too many. */
const places = (text: string): number[] => [...text.slice(0, 64)].map((_, index) => index)

/** Returns where a text has other characters than the sent one. */
function typingError (signed: string, sent: string): string {
  const at = places(`${sent} `).find(at => signed.charAt(at) !== sent.charAt(at))! + 1
  const missing = sent.length - signed.length
  if (missing === -1) return `it had one more character, at position ${at}`
  if (missing > 0) return `it lacked ${missing === 1 ? 'a character' : `${missing} characters`}, from position ${at} on`
  return signed.charAt(at) === sent.charAt(at)
    ? `the character at position ${at} was another one`
    : `the characters at positions ${at} and ${at + 1} were exchanged`
}

const hasTurkish = (text: string): boolean => /[İı]/.test(text)
const hasReturn = (text: string): boolean => text.includes('\r')
const affixed = 'something was added or removed at its start or end'

/** Changes of any text: case, additions at its ends, length, separators. */
export const texts: readonly Mistake[] = [
  ['case', (signed, sent) =>
    `its letters had a different case${hasTurkish(signed) && !hasTurkish(sent) ? ', by Turkish rules' : ''}`,
  (signed, sent) => hasTurkish(signed) && !hasTurkish(sent)
    ? 'Change the case without a locale: Locale.ROOT in Java, ToUpperInvariant in C#. Better, sign it as it is stored.'
    : 'Sign and send it as it is stored: upper and lower case matter.', {
    3: text => [text.toLowerCase(), text.toUpperCase()],
    6: text => [text.toLocaleUpperCase('tr'), text.toLocaleLowerCase('tr')]
  }],
  ['newline', (signed, sent) =>
    onOneSide(`a line break${hasReturn(signed + sent) ? ' of Windows, with \\r,' : ''} at its ${/^[\r\n]/.test(signed) ? 'start' : 'end'}`)(signed, sent),
  (signed, sent) => `${hasReturn(signed + sent) ? 'Remove \\r from its file with tr -d \'\\r\'' : 'Write it with printf \'%s\' instead of echo'}, ` +
    'and take off the line break where a file is read.', {
    2: text => [text.replace(/(?<![\r\n])[\r\n]+$/, '')],
    3: text => ['\n', '\r\n', '\r', '\n\n'].map(end => text + end),
    4: text => [`\n${text}`, `\r\n${text}`]
  }],
  // Before white space, which includes the mark in JavaScript.
  ['byte-order-mark', onOneSide('a byte order mark, U+FEFF, at its start'),
    'Save the file that it comes from as UTF-8 without a byte order mark.',
    { 2: text => [text.replace(/^\ufeff/, '')], 5: text => [`\ufeff${text}`] }],
  ['white-space', onOneSide('white space'),
    'Find out where the white space comes from (a template, a file, a copied cell), and remove it before signing.', {
      2: text => [text.trim(), text.trimStart(), text.trimEnd()],
      3: text => [text.replace(/\s+/g, ''), `${text} `, ` ${text}`],
      5: text => [...withAffixes(text, ['\t', '\u00a0', '\u200b', '  ']), ` ${text} `, text.replace(/\s+/g, ' ')]
    }],
  ['marks', onOneSide('an invisible character, such as a right-to-left mark'),
    'Remove invisible characters where the text enters your system.', {
      2: text => [text.replace(invisiblePattern, '')],
      7: text => [
        ...withAffixes(text, invisible),
        ...invisible.flatMap(mark => ['\u202c', '\u2069'].map(end => mark + text + end))
      ]
    }],
  ['quotes', onOneSide('quotes around it'), (signed, sent) =>
    `Remove the quotes ${signed.length > sent.length ? 'at the signer' : 'on your side'}: ` +
      'env files and control panels may take quotes literally.',
  { 4: text => [...framed(text, quotes), `'${text}`, text.replace(/^(["'`])(.*)\1$/s, '$2')] }],
  ['wrapped', 'it was in brackets, in markup, or in what a language prints around a value, such as Optional(…)',
    'Use its plain text, as it was generated.', {
      4: text => [
        ...framed(text, ['(…)', '[…]', '{…}', '<…>', 'np.float64(…)', "Decimal('…')"]),
        text.replace(/^[([{<](.*)[)\]}>]$/s, '$1')
      ],
      9: text => [
        ...framed(text, markup), ...framed(text, [...markup, '"…"']).map(escapedHtml),
        text.slice(0, 500).replace(/<[^<>]*>/g, ''), text.replace(/^[*_~`#>| -]+|[*_~`| ]+$/g, '')
      ],
      7: text => ['[object Object]', 'Array', 'Object', ...framed(text, frames), text.replace(/^urn:uuid:/i, '')]
    }],
  ['affix', affixed, 'Sign and send the same text, with nothing before or after it.', {
    8: text => [...withAffixes(text, [...marks, ...letters, ...digits]), ...[...'nfmd'].map(end => text + end)],
    9: text => withAffixes(text, smallLetters)
  }, ['timestamp', 'sid', 'amount', 'identifier', 'account-number']],
  // A letter after the token is more likely a letter before the account number.
  ['affix', affixed, 'Copy exactly the token, with nothing before or after it.', {
    8: text => withAffixes(text, marks),
    9: text => withAffixes(text, [...letters, ...smallLetters, ...digits])
  }, ['token']],
  ['padded', 'it was padded to a fixed width, as a CHAR column or a record of fixed width does',
    'Trim it where it is read; in a database use VARCHAR.', {
      8: text => lengths.flatMap(length =>
        [text.padEnd(length), text.padStart(length), text.padEnd(length, '\0')])
    }],
  ['lost-character', 'its first or last character was missing', 'Copy it again, from the first character to the last.',
    { 5: text => [text.slice(1), text.slice(0, -1)] }],
  ['part-not-signed', (signed, sent) =>
    `only a part of it was signed, such as the order number, without ${quote(sent.replace(signed, ''))}`,
  'Sign the reference that is sent: it may have a prefix, or the number of the attempt to pay.',
  { 5: parts }, ['identifier']],
  ['cut-off', (signed, sent) =>
    `a part of it was left out or masked: ${[...signed].length} of ${[...sent].length} characters remain`,
  (_signed, _sent, kind) => kind === 'token'
    ? 'Compare its length where it is stored, where it is read and where it signs: copy the whole token.'
    : 'Lengthen the column or field that holds it, and sign and send the whole text.', {
    5: text => lengths.map(length => text.slice(0, length)),
    8: text => [
      ...Array.from(text.slice(0, 256), (_, length) => [text.slice(0, length + 1), text.slice(-length - 1)]).flat(),
      ...[/\D+/g, /^\P{N}+/u, /[-_/.#:\s].*$/s, /^.*?[-_/.#:\s]/s, /[-_/.#:]\w*$/].map(part => text.replace(part, ''))
    ]
  }, ['sid', ...typed]],
  ['masked', 'it was masked, as a screen or a log shows it',
    'Copy the whole text from where it is stored, not from a screen or a log.', { 9: masked }, typed],
  ['typing-error', typingError, 'Copy it instead of typing it.', {
    8: text => places(text).flatMap(at => {
      const [before, one, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
      return ['', one + one, one.toUpperCase(), one.toLowerCase()].map(other => before + other + after)
        .concat(before + after.charAt(0) + one + after.slice(1))
    })
  }, ['account-number', 'token']],
  ['typing-error', typingError, 'Copy the whole token instead of typing it.', {
    9: text => places(text).flatMap(at => [
      ...[...letters, ...smallLetters, ...digits].flatMap(letter => [0, 1].map(length =>
        text.slice(0, at) + letter + text.slice(at + length))),
      ...places(text).slice(at).map(end => text.slice(0, at) + text.slice(end + 1))
    ])
  }, ['token']],
  ['leading-zeros', 'its leading zeros were different', 'Keep it as text, with the zeros that it was issued with.', {
    2: text => [text.replace(/^\.(?=\d)/, '0.')],
    3: text => [text.replace(/^0+(?=.)/, ''), text.replace(/^0+(?=\d)/, '')],
    4: text => withZeros(text, Array.from({ length: 8 }, (_, more) => text.length + more + 1)),
    7: text => withZeros(text, Array(21).keys())
  }, ['amount', 'account-number', 'identifier']],
  ['dashes', 'dashes, spaces or other separators were removed, added or replaced',
    'Sign and send it in the same form, with the same separators.', {
      5: text => [
        // Between + and a space it is the encoding of a form.
        ...[...new Set(text.match(/[-_ ./:+]/g))].flatMap(from => separators
          .filter(to => !/^[ +]{2}$/.test(from + to)).map(to => text.replaceAll(from, to))),
        ...typographic.flatMap(([one, other]) => [text.replaceAll(one, other), text.replaceAll(other, one)]),
        text.replace(/[-_ ./:]/g, ''), ...['-', '_'].map(separator => text.replace(/[^\p{L}\p{N}]+/gu, separator)),
        text.replace(/^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i, '$1-$2-$3-$4-$5')
      ]
    }]
]
