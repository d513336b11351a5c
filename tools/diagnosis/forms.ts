import { available, codePages, digestOf, fromHex, hmacOf, inPage, isInPage, utf8 } from './bytes.js'
import type { Context, TermName } from './context.js'
import { placeholders } from './elsewhere.js'
import { wrappers } from './mistakes/texts.js'

/** A way to join and to hash the texts of terms. */
export interface Form {
  readonly before: string
  readonly between: string
  readonly after: string
  /** True if empty texts are left out, with their separator. */
  readonly skipsEmpty: boolean
  /** Returns the text to join for a term. Default: the text of the term. */
  readonly wrap?: (text: string, is: TermName) => string
  /** False for an HMAC with the token in the key only. */
  readonly tokenInText: boolean
  /** True if the token is the key of the hash. */
  readonly isKeyed: boolean
  /** Returns the digest in lowercase hexadecimal digits. */
  readonly hash: (text: string, key: string) => string
}

/** A wrong form: its cost, a sentence about it, and its differences from the form of the specification. */
type Wrong = readonly [cost: number, finding: string, other: Partial<Form>]

interface Circumstances extends Context {
  readonly digits: number
  /** The most likely algorithm for that number of digits. */
  readonly algorithm: string
}

/** `least` is the least cost of a list that is made only if it can be tried. Default: 0. */
type Rows = ReadonlyArray<readonly [
  name: string, fix: string, list: (circumstances: Circumstances) => readonly Wrong[], least?: number
]>

/** Algorithms by the number of their hexadecimal digits, the most likely first. */
export const algorithms: Readonly<Record<number, readonly string[]>> = {
  32: ['md5'],
  40: ['sha1', 'ripemd160'],
  56: ['sha224', 'sha3-224', 'sha512-224'],
  64: ['sha256', 'sha3-256', 'blake2s256', 'sha512-256'],
  96: ['sha384', 'sha3-384'],
  128: ['sha512', 'sha3-512', 'blake2b512']
}

/** True if an algorithm makes more digits. */
const isLonger = (algorithm: string, digits: number): boolean =>
  Object.entries(algorithms).some(([length, names]) => Number(length) > digits && names.includes(algorithm))

/** Returns the name, the finding and the fix for a digest of another algorithm, or of one that was cut. */
export function ofAlgorithm (algorithm: string, digits: number): [name: string, finding: string, fix: string] {
  const name = algorithm.toUpperCase()
  const plain = name.replace(/^SHA(?=\d{3}$)/, 'SHA-')
  return isLonger(algorithm, digits)
    ? ['digest-cut', `The digests are the first ${digits} digits of ${plain}: the rest is missing.`,
        `${algorithm === 'sha256' ? 'Send' : 'Use SHA-256, and send'} all 64 hexadecimal digits: look ` +
        'for a column, a variable or a call that cuts them.']
    : ['digest-algorithm', `The digests are those of ${name}; the scheme uses SHA-256.`, 'Use SHA-256.']
}

const common = [...'|-:, ;&_./+\n', '///', '||']
const separators = [...common, ...'\t\0#*~^', ', ', '::', '\r\n', '\\n']

/** Returns the low byte of each UTF-16 code unit. */
function latin1 (text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

/** Returns UTF-16LE as a binary string. Characters keep their high byte, which {@link latin1} drops. */
const utf16 = (text: string): string => text.replace(/[^]/g, unit => unit + String.fromCharCode(unit.charCodeAt(0) >> 8))
const utf16be = (text: string): string => text.replace(/[^]/g, unit => String.fromCharCode(unit.charCodeAt(0) >> 8) + unit)

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const inSnakeCase = (name: string): string => name.replace(/[A-Z]+/g, capitals => `_${capitals.toLowerCase()}`)

/** Returns the names that terms have in an object that is hashed: those of the request, or of the specification. */
const namesOf = ({ sources, subjects }: Context): Array<Record<TermName, string>> =>
  ['merchantAccountNumber', 'accountNumber'].flatMap(accountNumber =>
    [...new Set([sources.referenceNumber ?? 'referenceNumber', 'referenceNumber'])].map(referenceNumber => (
      {
        ...subjects,
        accountNumber,
        referenceNumber,
        orderIdOrNull: sources.orderId ?? 'orderId',
        merchantToken: 'merchantToken'
      }
    )))

/** Returns both values of `skipsEmpty` if it makes a difference. */
const skips = ({ terms }: Context): readonly boolean[] => Object.values(terms).includes('') ? [false, true] : [false]

const separatedBy = (between: string, context: Context): Wrong[] => {
  const finding = `The terms were joined with ${JSON.stringify(between)} between them`
  const cost = common.includes(between) ? 5 : 7
  return [
    ...skips(context).map((skipsEmpty): Wrong =>
      [cost, `${finding}${skipsEmpty ? ', empty ones left out' : ''}.`, { between, skipsEmpty }]),
    [7, `${finding}, and after the last one.`, { between, after: between }]
  ]
}

/** Lists as languages print them: what stands before, between and after the terms, and around each. */
const lists = [
  ...['"', '\''].flatMap(quote => ['[]', '()', '{}'].flatMap(brackets =>
    [',', ', '].map(between => [brackets, between, quote] as const))),
  ...['', ',', ', ', ' '].flatMap(between => ['"', '\'', '`'].map(quote => ['', between, quote] as const)),
  ...['[]', '{}'].flatMap(brackets => [', ', ' '].map(between => [brackets, between, ''] as const))
]

const listed = (skipsEmpty: boolean): Wrong[] => lists.flatMap(([brackets, between, quote]) =>
  (quote === '' ? [false] : [false, true]).map((isNumber): Wrong => [
    8, `The terms were in ${quote || 'a list'}${isNumber ? ', except clientTimeStamp' : ''}, ` +
      `with ${between === '' ? 'nothing' : JSON.stringify(between)} between them` +
      `${brackets === '' ? '' : `, in ${brackets}`}${skipsEmpty ? ', empty ones left out' : ''}.`,
    {
      before: brackets.charAt(0),
      between,
      after: brackets.charAt(1),
      skipsEmpty,
      wrap: (text, is) => isNumber && is === 'clientTimeStamp' ? text : quote + text + quote
    }
  ]))

/** Terms that have no wrapper: none, those that are configured, and those that a type may require. */
const unwrapped: ReadonlyArray<readonly TermName[]> = [
  [], ['merchantToken'], ['merchantToken', 'accountNumber'], ['merchantToken', 'accountNumber', 'sid']
]

const wrapped = (skipsEmpty: boolean): Wrong[] => wrappers.flatMap(wrapper => unwrapped.flatMap(plain =>
  [...new Set([wrapper, wrapper.replace(/["']/g, ''), '…'])].map((number): Wrong => [
    9, `Each term was in ${wrapper}${plain.length === 0 ? '' : `, except ${plain.join(', ')}`}` +
      `${number === wrapper ? '' : `, and clientTimeStamp was ${number}`}${skipsEmpty ? ', empty ones left out' : ''}.`,
    {
      skipsEmpty,
      wrap: (text, is) => plain.includes(is) || (text === 'null' && plain.length > 0)
        ? text
        : (is === 'clientTimeStamp' ? number : wrapper).replace('…', () => text)
    }
  ])))

/** Made once, because they are many: with empty terms, and without. */
const allWrapped = [[...listed(false), ...wrapped(false)], [...listed(true), ...wrapped(true)]] as const

const pairs = (names: Record<TermName, string>, skipsEmpty: boolean): Wrong[] => [...'=:'].flatMap(sign =>
  ['&', '', ',', '|', ';'].flatMap(between => [String, encoded].map((encode): Wrong => [
    8, `The terms were joined as name${sign}value, with ${JSON.stringify(between)} between them.`,
    { wrap: (text, is) => `${names[is]}${sign}${encode(text)}`, between, skipsEmpty }
  ])))

/** Applies `list` to all names of terms, with empty terms and without. */
const named = (
  list: (names: Record<TermName, string>, skipsEmpty: boolean) => Wrong[], context: Context
): Wrong[] => skips(context).flatMap(skipsEmpty => namesOf(context).flatMap(names => list(names, skipsEmpty)))

/** Wrong ways to join terms. */
export const joins: Rows = [
  ['terms-separated', 'Join the terms with nothing between them.', context =>
    separators.flatMap(between => separatedBy(between, context))],
  ['terms-wrapped', 'Join the texts themselves, not what a language prints for a list or for a value.', context =>
    skips(context).flatMap(skipsEmpty => skipsEmpty ? allWrapped[1] : allWrapped[0]), 8],
  ['terms-as-pairs', 'Join the texts alone, without their names.', context => named(pairs, context), 8],
  ['terms-not-expanded', 'Replace each name by its value: ' +
    'in JavaScript in backticks, in Python with f before the quotes, ' +
    'in PHP and shells in double quotes.', context => named((names, skipsEmpty) =>
    placeholders.slice(0, 5).flatMap(form => [String, inSnakeCase].map((spell): Wrong => [
      6, `The names of the terms were hashed, as in ${form.replace('…', 'amount')}: nothing was replaced by its value.`,
      { skipsEmpty, wrap: (_text, is) => form.replace('…', spell(names[is])) }
    ])), context)]
]

/** Wrong ways to hash a text. */
export const hashes: Rows = [
  ['digest-algorithm', 'Use SHA-256.', ({ digits, algorithm }) => (algorithms[digits] ?? [])
    .filter(other => other !== algorithm && available.has(other))
    .map((other): Wrong => [5, ofAlgorithm(other, digits)[1], { hash: text => digestOf(other, text) }])],
  ['digest-cut', ofAlgorithm('sha256', 32)[2], ({ digits, algorithm }) => ['sha256', 'sha512', 'sha384', 'sha1']
    .filter(other => other !== algorithm && isLonger(other, digits)).map((other): Wrong => [
      other === 'sha256' ? 2 : 5, ofAlgorithm(other, digits)[1], { hash: text => digestOf(other, text).slice(0, digits) }
    ])],
  ['hmac', 'Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.',
    ({ algorithm, digits, terms: { merchantToken } }) => {
      const hash: Form['hash'] = (text, key) => hmacOf(algorithm, key, text).slice(0, digits)
      const exchanged: Form['hash'] = (text, key) => hmacOf(algorithm, text, key).slice(0, digits)
      return merchantToken === ''
        ? []
        : [
            [5, 'The digests were HMACs with the token as the key.', { hash, isKeyed: true, tokenInText: false }],
            [5, 'The digests were HMACs with the token as the key, and in the text too.', { hash, isKeyed: true }],
            [6, 'The digests were HMACs with key and text exchanged: the token was hashed, with the text as the key.',
              { hash: exchanged, isKeyed: true, tokenInText: false }]
          ]
    }],
  ['hashed-twice', 'Hash each text once.', ({ algorithm, digits }) => ([
    ['hexadecimal digits', String], ['bytes', fromHex], ['base64', (digits: string) => btoa(fromHex(digits))]
  ] as const).map(([form, of]) => [6, `The digest was hashed again, from its ${form}.`, {
    hash: text => digestOf(algorithm, latin1(of(digestOf(algorithm, text)))).slice(0, digits)
  }])],
  ['text-encoding', 'Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.',
    ({ algorithm, digits, terms }) => {
      const all = Object.values(terms).join('')
      const pages = codePages.slice(1).filter(([, page]) => isInPage(all.slice(0, 500), page))
        .map(([name, page]) => [name, (text: string) => inPage(text, page)] as const)
      return ([
        ['UTF-16', utf16], ['UTF-16 in big-endian order', utf16be], ['base64', (text: string) => btoa(utf8(text))],
        ...(/[^\0-\x7f]/.test(all) ? [['Latin-1', String] as const, ...pages] : [])
      ] as const).map(([name, encode]): Wrong => [6, `The text was hashed as ${name}, not as UTF-8.`, {
        hash: text => digestOf(algorithm, latin1(encode(text))).slice(0, digits)
      }])
    }]
]

/** Texts that sh of macOS, dash and cmd print before and after the text of echo. */
const printed = [
  ['-n ', '\n'], ['-e ', '\n'], ['"', '"\r\n'], ['"', '" \r\n'], ['', ' \r\n'], ['"', '"\n'], ['"', '"']
] as const

/** Texts that stood before or after the joined terms. */
export const ends: Rows = [
  ['text-ends', 'Hash exactly the text, with nothing before or after it: ' +
    'echo adds a line break, in some shells its options or quotes too; printf \'%s\' does not.',
  ({ terms, subjects }) => {
    const { amount, referenceNumber } = subjects
    const last = terms.referenceNumber !== '' ? referenceNumber : terms.amount !== '' ? amount : 'its last term'
    return [
      ...['\n', '\r\n'].map((after): Wrong =>
        [2, `The hashed text had a line break at its end, or ${last} had.`, { after }]),
      [4, `The hashed text had a NUL character at its end, or ${last} had.`, { after: '\0' }],
      [4, 'The hashed text had a byte order mark at its start, or clientTimeStamp had.', { before: '\ufeff' }],
      ...printed.map(([before, after]): Wrong =>
        [8, `The hashed text was ${JSON.stringify(`${before}…${after}`)}; … stands for the terms.`, { before, after }])
    ]
  }]
]
