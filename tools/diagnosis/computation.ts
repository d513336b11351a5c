import { fromHex } from './bytes.js'
import type { Context } from './context.js'
import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'
import { available, digestOf, hmacOf } from './digest.js'

/** How texts become a digest: what stands around them, and what is done with the whole. */
export interface Computation {
  readonly cost: number
  readonly changes: readonly Change[]
  readonly before: string
  readonly between: string
  readonly after: string
  /** Whether empty texts are left out, with what would stand beside them. */
  readonly skipsEmpty: boolean
  /** Whether the token stays in the text; an HMAC may have it in the key only. */
  readonly tokenInText: boolean
  /** From a text to a digest in lowercase hexadecimal digits. */
  readonly digest: (text: string) => string
}

const common = [...'|-:, ;&_./+\n', '///', '||']
const separators = [...common, ...'\t\0#*~^', ', ', '::', '\r\n', '\\n']

/** Each UTF-16 code unit as one byte. */
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, unit => unit.charCodeAt(0) & 0xff)
/** Each UTF-16 code unit as two bytes, the lower one first, one in each character. */
const utf16 = (text: string): string => text.replace(/[^]/g, unit => unit + String.fromCharCode(unit.charCodeAt(0) >> 8))
const swapped = (bytes: string): string => bytes.replace(/([^])([^])/g, '$2$1')

/** As the specification has it. */
const joined = { before: '', between: '', after: '', skipsEmpty: false, tokenInText: true }

/** The specification's algorithm, or whichever the digests' length is that of; then others of the same length. */
const algorithms: Readonly<Record<number, readonly string[]>> = {
  32: ['md5'],
  40: ['sha1', 'ripemd160'],
  56: ['sha224', 'sha3-224', 'sha512-224'],
  64: ['sha256', 'sha3-256', 'blake2s256', 'sha512-256'],
  96: ['sha384', 'sha3-384'],
  128: ['sha512', 'sha3-512', 'blake2b512']
}

const algorithmChange = (algorithm: string): Change[] => algorithm === 'sha256'
  ? []
  : [change('digest-algorithm', `The digests are those of ${algorithm.toUpperCase()}; the scheme uses SHA-256.`, 'Use SHA-256.')]

/** Every way to compute digests of such a length: the specification's, or what is nearest to it, first. */
export function computationsOf (digits: number, { terms, subjects }: Context): Computation[] {
  const texts = Object.values(terms)
  const [algorithm = '', ...others] = algorithms[digits] as readonly string[]
  const digest = (text: string): string => digestOf(algorithm, text)
  const plain: Computation = { ...joined, cost: 0, changes: algorithmChange(algorithm), digest }
  const found = [plain]
  const add = (cost: number, name: string, finding: string, fix: string, other: Partial<Computation>): void => {
    found.push({ ...plain, cost, changes: [...plain.changes, change(name, finding, fix)], ...other })
  }

  const last = terms.referenceNumber !== '' ? subjects.referenceNumber : terms.amount !== '' ? subjects.amount : 'its last term'
  const exactly = 'Hash exactly the text, with nothing before or after it: echo adds a line break, printf \'%s\' does not.'
  for (const after of ['\n', '\r\n']) {
    add(2, 'text-ends', `The hashed text had a line break at its end, or ${last} had.`, exactly, { after })
  }
  add(4, 'text-ends', `The hashed text had a NUL character at its end, or ${last} had.`, exactly, { after: '\0' })
  add(4, 'text-ends', 'The hashed text had a byte order mark at its start, or clientTimeStamp had.', exactly, { before: '\ufeff' })

  const join = 'Join the terms with nothing between them.'
  for (const between of separators) {
    const finding = `The terms were joined with ${JSON.stringify(between)} between them`
    const cost = common.includes(between) ? 5 : 7
    add(cost, 'terms-separated', `${finding}.`, join, { between })
    if (texts.includes('')) add(cost, 'terms-separated', `${finding}, empty ones left out.`, join, { between, skipsEmpty: true })
    add(7, 'terms-separated', `${finding}, and after the last one.`, join, { between, after: between })
  }
  for (const between of ['","', '", "']) {
    add(6, 'terms-separated', 'The terms were joined as a list in JSON.', join, { before: '["', between, after: '"]' })
  }

  for (const other of others.filter(other => available.has(other))) {
    const digest = (text: string): string => digestOf(other, text)
    found.push({ ...plain, cost: 5, changes: algorithmChange(other), digest })
  }
  if (terms.merchantToken !== '') {
    const fix = 'Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.'
    const digest = (text: string): string => hmacOf(algorithm, terms.merchantToken, text)
    add(5, 'hmac', 'The digests were HMACs with the token as the key.', fix, { digest, tokenInText: false })
    add(5, 'hmac', 'The digests were HMACs with the token as the key, and in the text too.', fix, { digest })
  }
  for (const [form, of] of [
    ['hexadecimal digits', String], ['bytes', fromHex], ['base64', (digits: string) => btoa(fromHex(digits))]
  ] as const) {
    const digest = (text: string): string => digestOf(algorithm, latin1(of(digestOf(algorithm, text))))
    add(6, 'hashed-twice', `The digest was hashed again, from its ${form}.`, 'Hash each text once.', { digest })
  }
  for (const [name, encode] of [
    ['UTF-16', utf16], ['UTF-16, the high byte first', (text: string) => swapped(utf16(text))], ['UTF-16 with a byte order mark', (text: string) => utf16(`\ufeff${text}`)],
    ...(/[^\0-\x7f]/.test(texts.join('')) ? [['Latin-1', String] as const] : [])
  ] as const) {
    const fix = 'Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.'
    const digest = (text: string): string => digestOf(algorithm, latin1(encode(text)))
    add(6, 'text-encoding', `The text was hashed as ${name}, not as UTF-8.`, fix, { digest })
  }
  return found
}
