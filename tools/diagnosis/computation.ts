import { costOfMore } from './alternatives.js'
import { available, digestOf, fromHex, hmacOf, utf8 } from './bytes.js'
import type { Context, TermName } from './context.js'
import { change, type Change } from './diagnosis.js'
import { said } from './transform.js'
import { encoding } from './transforms/encoding.js'
import { text } from './transforms/text.js'

/** A wrong way to join, to hash or to end a text. */
interface Component {
  readonly is: 'join' | 'digest' | 'ends'
  readonly cost: number
  readonly change: Change
  readonly other: Partial<Computation>
}

/** A way to join and hash the texts of terms. */
export interface Computation {
  readonly cost: number
  readonly changes: readonly Change[]
  /** The wrong components, at most one of each kind. */
  readonly components: readonly Component[]
  readonly before: string
  readonly between: string
  readonly after: string
  /** True if empty texts are left out, with their separator. */
  readonly skipsEmpty: boolean
  /** Returns the text to join for a term. Default: the text of the term. */
  readonly wrap?: (text: string, is: TermName) => string
  /** False for an HMAC with the token in the key only. */
  readonly tokenInText: boolean
  /** Returns the digest of a text in lowercase hexadecimal digits. */
  readonly digest: (text: string) => string
  /** Returns the digest function with another token as the key. Undefined for a digest without a key. */
  readonly digestWith?: (key: string) => (text: string) => string
}

/** A wrong computation: its cost, a sentence about it, and its differences from the plain computation. */
type Wrong = readonly [cost: number, finding: string, other: Partial<Computation>]

interface Circumstances extends Context {
  /** The most likely algorithm for the length of the digests, and other algorithms with digests of this length. */
  readonly algorithm: string
  readonly others: readonly string[]
}

const common = [...'|-:, ;&_./+\n', '///', '||']
const separators = [...common, ...'\t\0#*~^', ', ', '::', '\r\n', '\\n']

/** Returns the low byte of each UTF-16 code unit. */
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, unit => unit.charCodeAt(0) & 0xff)
/** Returns UTF-16LE as a binary string. Characters keep their high byte, which {@link latin1} drops. */
const utf16 = (text: string): string => text.replace(/[^]/g, unit => unit + String.fromCharCode(unit.charCodeAt(0) >> 8))
const swapped = (bytes: string): string => bytes.replace(/([^])([^])/g, '$2$1')

/** The computation of the specification, without its digest. */
const joined = { before: '', between: '', after: '', skipsEmpty: false, tokenInText: true, components: [] }

/** Algorithms by the number of hexadecimal digits, the most likely first. */
const algorithms: Readonly<Record<number, readonly string[]>> = {
  32: ['md5'],
  40: ['sha1', 'ripemd160'],
  56: ['sha224', 'sha3-224', 'sha512-224'],
  64: ['sha256', 'sha3-256', 'blake2s256', 'sha512-256'],
  96: ['sha384', 'sha3-384'],
  128: ['sha512', 'sha3-512', 'blake2b512']
}

const endsOf = ({ terms, subjects }: Context): Wrong[] => {
  const last = terms.referenceNumber !== '' ? subjects.referenceNumber : terms.amount !== '' ? subjects.amount : 'its last term'
  return [
    ...['\n', '\r\n'].map((after): Wrong => [2, `The hashed text had a line break at its end, or ${last} had.`, { after }]),
    [4, `The hashed text had a NUL character at its end, or ${last} had.`, { after: '\0' }],
    [4, 'The hashed text had a byte order mark at its start, or clientTimeStamp had.', { before: '\ufeff' }]
  ]
}

/** Returns the names that terms have in an object that is hashed: those of the request, or of the specification. */
const namesOf = ({ fields, subjects }: Context): Array<Record<TermName, string>> =>
  ['accountNumber', 'merchantAccountNumber'].flatMap(accountNumber =>
    [...new Set([fields.referenceNumber ?? 'referenceNumber', 'referenceNumber'])].map(referenceNumber =>
      ({ ...subjects, accountNumber, referenceNumber, orderIdOrNull: fields.orderId ?? 'orderId', merchantToken: 'merchantToken' })))

/** Returns true, in a list, if it makes a difference that empty terms are left out. */
const hasEmpty = ({ terms }: Context): readonly true[] => Object.values(terms).includes('') ? [true] : []

const separatedBy = (between: string, context: Context): Wrong[] => {
  const finding = `The terms were joined with ${JSON.stringify(between)} between them`
  const cost = common.includes(between) ? 5 : 7
  const without = hasEmpty(context).map((skipsEmpty): Wrong => [cost, `${finding}, empty ones left out.`, { between, skipsEmpty }])
  return [[cost, `${finding}.`, { between }], ...without, [7, `${finding}, and after the last one.`, { between, after: between }]]
}

/** Lists as languages print them: opening and closing text, quotes, separator; true if the time stamp has no quotes. */
const listForms = [['', ''], ['[', ']'], ['(', ')'], ['{', '}']].flatMap(([start = '', end = '']) =>
  ['', '\'', '"', '`'].flatMap(quote => ['', ',', ', ', ' '].flatMap(between => (quote === '' ? [false] : [false, true]).map(isNumber =>
    [start, end, quote, between, isNumber] as const)))).filter(([start, , quote, between]) => start !== '' || (quote !== '' && between !== ''))

/** Changes that a signer may apply to all terms, and the number of their forms that are tried. */
const everywhere = [...text, ...encoding].filter(([name, , , , kinds]) =>
  kinds === undefined && !['byte-order-mark', 'marks', 'affix', 'hex', 'encoding', 'dashes', 'newline'].includes(name))
const maxForms = 8

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Returns a function that computes each result once. */
function remembered (of: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return text => {
    const result = known.get(text) ?? of(text)
    known.set(text, result)
    return result
  }
}

/** Wrong computations, by the name of their hypothesis. */
export const wrongComputations: ReadonlyArray<readonly [
  name: string, fix: string, list: (circumstances: Circumstances) => readonly Wrong[]
]> = [
  ['text-ends', 'Hash exactly the text, with nothing before or after it: echo adds a line break, printf \'%s\' does not.', endsOf],
  ['terms-separated', 'Join the terms with nothing between them.', context => [
    ...separators.flatMap(between => separatedBy(between, context)),
    ...['', '  ', '    ', '      ', '\t'].flatMap(indent => ['', indent.slice(2), indent].map((last): Wrong =>
      [8, 'The terms were joined with line breaks and indents, as in a template.', { before: `\n${indent}`, between: `\n${indent}`, after: `\n${last}`, skipsEmpty: true }]))
  ]],
  ['terms-wrapped', 'Join the texts themselves, not what a language prints for a list.', () => listForms.map(([start, end, quote, between, isNumber]): Wrong => [
    8, `Each term was in ${quote || 'a list'}, with ${JSON.stringify(between)} between them${start === '' ? '' : `, in ${start}${end}`}.`,
    { before: start, between, after: end, wrap: (text, is) => isNumber && is === 'clientTimeStamp' ? text : quote + text + quote }
  ])],
  ['terms-changed', 'Join the texts of the terms as they are sent.', () => everywhere.flatMap(([, says, , texts]) =>
    Object.entries(texts).filter(([cost]) => Number(cost) <= 6).flatMap(([cost, texts]) =>
      Array.from({ length: maxForms }, (_, index): Wrong => [
        Number(cost), `Terms were changed in the same way: ${said(says, 'longer', '', 'identifier')}.`,
        { wrap: remembered(text => [...texts(text)][index] ?? text) }
      ])))],
  ['terms-empty', 'Pass the text to the hash function: update(text) before digest().', () =>
    [[3, 'Nothing was hashed: the digests are those of an empty text.', { wrap: () => '' }]]],
  ['terms-as-pairs', 'Join the texts alone, without their names.', context => [...'=:'].flatMap(sign =>
    ['&', '', ',', '|', ';'].flatMap(between => [false, ...hasEmpty(context)].flatMap(skipsEmpty =>
      [String, encoded].flatMap(encode => namesOf(context).map((names): Wrong => [
        8, `The terms were joined as name${sign}value, with ${JSON.stringify(between)} between them.`,
        { wrap: (text, is) => `${names[is]}${sign}${encode(text)}`, between, skipsEmpty }
      ])))))],
  ['digest-algorithm', 'Use SHA-256.', ({ others }) => others.filter(other => available.has(other)).map((other): Wrong =>
    [5, `The digests are those of ${other.toUpperCase()}; the scheme uses SHA-256.`, { digest: text => digestOf(other, text) }])],
  ['hmac', 'Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.', ({ algorithm, terms: { merchantToken } }) => {
    const digestWith = (key: string) => (text: string): string => hmacOf(algorithm, key, text)
    const digest = digestWith(merchantToken)
    return merchantToken === ''
      ? []
      : [
          [5, 'The digests were HMACs with the token as the key.', { digest, digestWith, tokenInText: false }],
          [5, 'The digests were HMACs with the token as the key, and in the text too.', { digest, digestWith }]
        ]
  }],
  ['hashed-twice', 'Hash each text once.', ({ algorithm }) => ([
    ['hexadecimal digits', String], ['bytes', fromHex], ['base64', (digits: string) => btoa(fromHex(digits))]
  ] as const).map(([form, of]) => [6, `The digest was hashed again, from its ${form}.`, {
    digest: text => digestOf(algorithm, latin1(of(digestOf(algorithm, text))))
  }])],
  ['text-encoding', 'Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.', ({ algorithm, terms }) => ([
    ['UTF-16', utf16], ['UTF-16, the high byte first', (text: string) => swapped(utf16(text))],
    ['UTF-16 with a byte order mark', (text: string) => utf16(`\ufeff${text}`)],
    ['base64', (text: string) => btoa(utf8(text))],
    ...(/[^\0-\x7f]/.test(Object.values(terms).join('')) ? [['Latin-1', String] as const] : [])
  ] as const).map(([name, encode]) => [6, `The text was hashed as ${name}, not as UTF-8.`, {
    digest: text => digestOf(algorithm, latin1(encode(text)))
  }])]
]

/** Returns the computation with one more wrong component. */
const withComponent = (base: Computation, { cost, change, other, ...component }: Component): Computation => ({
  ...base,
  ...other,
  cost: base.cost + cost + (base.cost > 0 ? costOfMore : 0),
  changes: [...base.changes.filter(({ hypothesis }) => hypothesis !== 'digest-algorithm' || change.hypothesis !== hypothesis), change],
  components: [...base.components, { cost, change, other, ...component }]
})

/** Limits of the cost of components that are combined: common separators, any digest, any end. */
const maxCostCombined = { join: 5, digest: 6, ends: 4 }

/**
 * Returns all computations of digests of a length: a way to join, a digest and an end, each right or wrong. The first
 * is right, or wrong in the algorithm only.
 */
export function computationsOf (digits: number, context: Context): Computation[] {
  const [algorithm = '', ...others] = algorithms[digits] as readonly string[]
  const changes = algorithm === 'sha256'
    ? []
    : [change('digest-algorithm', `The digests are those of ${algorithm.toUpperCase()}; the scheme uses SHA-256.`, 'Use SHA-256.')]
  const plain: Computation = { ...joined, cost: 0, changes, digest: text => digestOf(algorithm, text) }
  const circumstances = { ...context, algorithm, others }
  const components = wrongComputations.flatMap(([name, fix, list]) =>
    list(circumstances).map(([cost, finding, other]): Component => {
      const is = name === 'text-ends' ? 'ends' : name.startsWith('terms-') ? 'join' : 'digest'
      return { is, cost, change: change(name, finding, fix), other }
    }))
  const all = [plain]
  for (const is of ['join', 'digest', 'ends'] as const) {
    const own = components.filter(component => component.is === is)
    const isCombined = ({ is, cost, change }: Component): boolean => cost <= maxCostCombined[is] && change.hypothesis !== 'terms-changed'
    const bases = all.filter(({ components }) => components.length < 2 && components.every(isCombined))
    all.push(...bases.flatMap(base => own.filter(component => base === plain || isCombined(component))
      .map(component => withComponent(base, component))))
  }
  return all
}

/** Returns the computations of the other part: with each wrong component of this one, and without their cost. */
export const computationsAfter = (first: Computation, all: readonly Computation[]): Computation[] =>
  [first, ...all.filter(({ components }) => components.length > first.components.length)].flatMap(computation => {
    if (!first.components.every(({ change }) => computation.components.some(own => own.change === change))) return []
    const more = computation.components.filter(({ change }) => !first.components.some(own => own.change === change))
    const cost = more.reduce((sum, { cost }) => sum + cost + costOfMore, more.length > 0 ? -costOfMore : 0)
    return [{ ...computation, cost, changes: more.map(({ change }) => change) }]
  })
