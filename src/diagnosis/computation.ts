import { fromHex } from './bytes.js'
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

const separators = ['|', '-', ':', ',', ' ', ';', '&', '_', '.', '/', '///', '\n', '||', '+']
const rareSeparators = ['\t', '\0', ', ', '::', '#', '*', '~', '^', '\r\n', '\\n']

/** Each UTF-16 code unit as one byte, or as two of them. */
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0))
const utf16 = (isLittle: boolean, mark = '') => (text: string): Uint8Array => {
  const view = new DataView(new ArrayBuffer(2 * (mark + text).length))
  for (let index = 0; index < view.byteLength; index += 2) {
    view.setUint16(index, (mark + text).charCodeAt(index / 2), isLittle)
  }
  return new Uint8Array(view.buffer)
}

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

/**
 * Every way to compute digests of such a length: the specification's, or what is nearest to it, first.
 *
 * @param key - the token, or none if there is none
 * @param texts - those that the terms have
 */
export function computationsOf (digits: number, key: string | undefined, texts: readonly string[]): Computation[] {
  const isAscii = /^[\0-\x7f]*$/.test(texts.join(''))
  const hasEmpty = texts.includes('')
  const [algorithm = '', ...others] = algorithms[digits] as readonly string[]
  const plain: Computation = {
    cost: 0,
    changes: algorithmChange(algorithm),
    before: '',
    between: '',
    after: '',
    skipsEmpty: false,
    tokenInText: true,
    digest: text => digestOf(algorithm, text)
  }
  const found = [plain]
  const add = (name: string, finding: string, fix: string, cost: number, other: Partial<Computation>): void => {
    found.push({ ...plain, cost, changes: [...plain.changes, change(name, finding, fix)], ...other })
  }

  const join = 'Join the terms with nothing between them.'
  for (const between of [...separators, ...rareSeparators]) {
    const finding = `The terms were joined with ${JSON.stringify(between)} between them`
    const cost = separators.includes(between) ? 5 : 7
    add('terms-separated', `${finding}.`, join, cost, { between })
    if (hasEmpty) add('terms-separated', `${finding}, empty ones left out.`, join, cost, { between, skipsEmpty: true })
    add('terms-separated', `${finding}, and after the last one.`, join, 7, { between, after: between })
  }
  for (const between of ['","', '", "']) {
    add('terms-separated', 'The terms were joined as a list in JSON.', join, 6, { before: '["', between, after: '"]' })
  }

  for (const other of others.filter(other => available.has(other))) {
    found.push({ ...plain, cost: 5, changes: algorithmChange(other), digest: text => digestOf(other, text) })
  }
  if (key !== undefined) {
    const fix = 'Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.'
    const digest = (text: string): string => hmacOf(algorithm, key, text)
    add('hmac', 'The digests were HMACs with the token as the key.', fix, 5, { digest, tokenInText: false })
    add('hmac', 'The digests were HMACs with the token as the key, and in the text too.', fix, 5, { digest })
  }
  for (const [form, of] of [
    ['hexadecimal digits', String], ['bytes', digits => latin1(fromHex(digits))], ['base64', digits => btoa(fromHex(digits))]
  ] as ReadonlyArray<readonly [string, (digits: string) => string | Uint8Array]>) {
    const digest = (text: string): string => digestOf(algorithm, of(digestOf(algorithm, text)))
    add('hashed-twice', `The digest was hashed again, from its ${form}.`, 'Hash each text once.', 6, { digest })
  }
  for (const [name, encode] of [
    ['UTF-16', utf16(true)], ['UTF-16, the high byte first', utf16(false)], ['UTF-16 with a byte order mark', utf16(true, '\ufeff')],
    ...(isAscii ? [] : [['Latin-1', latin1] as const])
  ] as const) {
    const fix = 'Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.'
    add('text-encoding', `The text was hashed as ${name}, not as UTF-8.`, fix, 6, { digest: text => digestOf(algorithm, encode(text)) })
  }
  return found
}
