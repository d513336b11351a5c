import { quote } from '../explain/characters.js'
import { digestOf, fromBase64, fromHex, toHex, utf8 } from './bytes.js'
import { textsOf, type Context } from './context.js'
import { change, type Change } from './diagnosis.js'

/** The digest of each part in lowercase hexadecimal digits. Undefined for a missing part. */
export interface Assignment {
  readonly part1: string | undefined
  readonly part2: string | undefined
  readonly changes: readonly Change[]
}

interface ParsedSignature {
  /** The most likely first. */
  readonly assignments: readonly Assignment[]
  /** Differences of the form from the specification's. */
  readonly changes: readonly Change[]
}

const plainForm = 'Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.'

function signatureInJson (text: string): string {
  try {
    const { signature } = JSON.parse(text)
    return typeof signature === 'string' ? signature : text
  } catch {
    return text
  }
}

/** Decodes base64 that contains hexadecimal digits. Returns other texts unchanged. */
function digitsIn (text: string): string {
  const decoded = fromBase64(text)
  return decoded !== undefined && /^[0-9a-f]{32,}[^]{0,3}[0-9a-f]*$/i.test(decoded) ? decoded : text
}

const inEachPart = (change: (part: string) => string) => (text: string): string => text.split('///').map(change).join('///')
const withoutTool = (part: string): string => part.replace(/^\s*(?:SHA2?-?256)?\s*\([^()]*\)\s*=\s*/i, '')
  .replace(/\s+\*?-\s*$/, '').replace(/^(\s*[0-9a-f]{64}) [ *]\S+(?: \S+)*\s*$/i, '$1')
const withoutMarks = (part: string): string => /^(?:[0-9a-f]{2}[-: ]){15,}[0-9a-f]{2}$/i.test(part)
  ? part.replace(/[-: ]/g, '')
  : part.replace(/^0x(?=[0-9a-f]{32})/i, '')

/** Wrong forms around a signature, the outermost first. */
const wrappings: ReadonlyArray<readonly [name: string, finding: string, unwrap: (text: string) => string]> = [
  ['signature-white-space', 'The signature had white space around it.', text => text.trim()],
  ['signature-in-json', 'The whole response was used as the signature, not its field "signature".', signatureInJson],
  ['signature-of-tool', 'The signature had the output of sha256sum or openssl around the digests.',
    inEachPart(withoutTool)],
  ['signature-labelled', 'The signature had a name before it.',
    inEachPart(part => part.replace(/^\s*(?:signature|sha-?256(?: digest)?)\s*[:=]\s*/i, ''))],
  ['signature-quoted', 'The signature was in quotes.', text => text.replace(/^(["'])(.*)\1$/s, '$2')],
  ['signature-escaped', 'Its slashes were escaped, as some JSON libraries do.', text => text.replaceAll('\\/', '/')],
  ['signature-percent-encoded', 'The signature was percent-encoded.',
    text => text.replace(/%2f/gi, '/').replace(/%3d/gi, '=').replace(/%2b/gi, '+')],
  ['signature-base64', 'The hexadecimal digits were written in base64.', text => inEachPart(digitsIn)(digitsIn(text))],
  ['signature-bytes-marked', 'The bytes of the signature were marked, as by 0x or dashes.', inEachPart(withoutMarks)],
  ['signature-inner-white-space', 'The signature had white space or a line break inside.',
    text => text.replace(/\s+/g, '')]
]

/** Removes everything around a signature. Returns a change for each removal. */
function unwrap (signature: string): { text: string, changes: Change[] } {
  const changes: Change[] = []
  let text = signature
  for (const [name, finding, unwrap] of wrappings) {
    const rest = unwrap(text)
    if (rest !== text) changes.push(change(name, finding, plainForm))
    text = rest
  }
  // White space inside and around the signature is one mistake, such as a line break after each part.
  const isInside = changes.at(-1)?.hypothesis === 'signature-inner-white-space'
  return { text, changes: changes.filter(({ hypothesis }) => !isInside || hypothesis !== 'signature-white-space') }
}

/** Limit of the length of a signature in any form. In UTF-16 code units. */
const maxLength = 2000

/** Digests of 64, 48, 32, 28, 20 and 16 bytes. 128 digits alone are two digests of SHA-256, not one of SHA-512. */
const hexDigest = '[0-9a-f]{128}|[0-9a-f]{96}|[0-9a-f]{64}|[0-9a-f]{56}|[0-9a-f]{40}|[0-9a-f]{32}'
const hexAlone = new RegExp(`^(?:${hexDigest})$`, 'i')
const hexForm = new RegExp(`^([0-9a-f]{64}(?=[0-9a-f]{64}$)|${hexDigest})(?:([^0-9a-f]{0,8})(${hexDigest}))?$`, 'i')

/** Digests of 64, 48, 32 and 20 bytes. */
const base64Digest = '[A-Za-z0-9+/_-]{86}(?:==)?|[A-Za-z0-9+/_-]{64}|[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{27}=?'
const base64Alone = new RegExp(`^(?:${base64Digest})$`)
const base64Form = new RegExp(`^(${base64Digest})(?:([^A-Za-z0-9]{0,8})(${base64Digest}))?$`)

/** True if a text has many characters that are not hexadecimal digits. A typing error has few. */
const mayBeBase64 = (text: string): boolean => text.replace(/[0-9a-f/=]/gi, '').length >= 8

/** A digest in lowercase hexadecimal digits, with its form. */
interface Digest { readonly digits: string, readonly form: 'lower' | 'upper' | 'base64' }

function digestIn (text: string): Digest | undefined {
  if (hexAlone.test(text)) return { digits: text.toLowerCase(), form: text === text.toLowerCase() ? 'lower' : 'upper' }
  return mayBeBase64(text) && base64Alone.test(text) ? { digits: toHex(fromBase64(text)!), form: 'base64' } : undefined
}

/** Texts that programs print in place of a digest. */
const objects: ReadonlyArray<readonly [form: RegExp, says: string]> = [
  [/^-[0-9a-f]{8}/i, 'is a negative number: write two hexadecimal digits for each byte, not a signed integer'],
  [/^\[[BCI]@|^System\.Byte\[\]|^\[object ?(?:ArrayBuffer|Uint8Array)\]/, 'is the name of an array of bytes: write its ' +
    'bytes in hexadecimal'],
  [/^\[object ?Promise\]|^Promise ?\{/, 'is a promise: await it'],
  [/HASH ?object|^\[object/, 'is the name of an object: write its digest in hexadecimal, such as with hexdigest()'],
  [/^b["']/, 'is what Python prints for bytes: write them with hex()'],
  [/^\{"words"/, 'is a WordArray of crypto-js: write it with toString()']
]

/** Returns the fault of a text that is not a signature, as the end of a sentence. */
function faultIn (text: string): string {
  if (text === '') return 'it is empty.'
  const halves = text.split('///')
  for (const [index, half] of halves.entries()) {
    const [, says] = objects.find(([form]) => form.test(half)) ?? []
    if (says !== undefined) return `part ${index + 1} ${says}.`
  }
  const index = halves.findIndex(half => !/^[0-9a-f]{64}$/i.test(half))
  if (halves.length !== 2) return `a signature is 64 hexadecimal digits, /// and 64 more, 131 characters; this has ${text.length}.`
  const half = [...halves[index]!] // found: otherwise the text would be a signature
  const position = half.findIndex(character => !/[0-9a-f]/i.test(character))
  return position === -1
    ? `part ${index + 1} has ${half.length} hexadecimal digits, not 64.`
    : `part ${index + 1} has ${quote(half[position]!)} at position ${position + 1}, which is not a hexadecimal digit.`
}

function assignmentsOf (part1: string, part2: string | undefined): Assignment[] {
  if (part2 === undefined) {
    const alone = (part: number) => [change('one-part', `Only part ${part} was given.`,
      'Send both parts with /// between them.')]
    return [{ part1, part2, changes: alone(1) }, { part1: part2, part2: part1, changes: alone(2) }]
  }
  const swapped = change('parts-swapped', 'The parts were in the wrong order.',
    'Put part 1, which has the session id, first.')
  const exchanged = part1.length === part2.length ? [{ part1: part2, part2: part1, changes: [swapped] }] : []
  return [{ part1, part2, changes: [] }, ...exchanged]
}

/** Returns the digests in a signature of any form, or a sentence with the reason why there are none. */
export function parseSignature (signature: string): ParsedSignature | string {
  if (signature.length > maxLength) return `This is not a signature: it has ${signature.length} characters, not 131.`
  const { text, changes } = unwrap(signature)
  const halves = text.split('///')
  const [, one, separator = '', other] = halves.length === 2
    ? [text, halves[0], '///', halves[1]]
    : hexForm.exec(text) ?? (mayBeBase64(text) ? base64Form.exec(text) : null) ?? []
  const digests = [one, other].flatMap(digits => digits === undefined ? [] : [digestIn(digits)])
  if (digests.length === 0 || digests.includes(undefined)) return `This is not a signature: ${faultIn(text)}`
  const [first, second] = digests as [Digest, Digest?]
  for (const [form, name, written] of [
    ['base64', 'digest-base64', 'written in base64, not in hexadecimal'], ['upper', 'digest-upper-case',
      'written in uppercase']
  ] as const) {
    const parts = [first, second].flatMap((digest, index) => digest?.form === form ? [index + 1] : [])
    const subject = parts.length === 2 || second === undefined ? 'The digests were' : `The digest of part ${parts[0]} was`
    if (parts.length > 0) changes.push(change(name, `${subject} ${written}.`, plainForm))
  }
  if (second !== undefined && separator !== '///') {
    const finding = `The parts were separated by ${JSON.stringify(separator)}, not "///".`
    changes.push(change('signature-separator', finding, plainForm))
  }
  return { assignments: assignmentsOf(first.digits, second?.digits), changes }
}

const bytesOf = (digest: string): number[] => Array.from(fromHex(digest), byte => byte.charCodeAt(0))
const signedBytesOf = (digest: string): number[] => bytesOf(digest).map(byte => byte > 127 ? byte - 256 : byte)
const lists = ['…', '[…]', '{…}', '<Buffer …>']
const listed = (items: ReadonlyArray<string | number>): string[] =>
  [',', ', ', ' '].flatMap(separator => lists.map(list => list.replace('…', items.join(separator))))

/** Returns bytes as Python prints them. */
function pythonBytes (bytes: string): string {
  const quote = bytes.includes("'") && !bytes.includes('"') ? '"' : "'"
  const named: Readonly<Record<string, string>> = { '\t': 't', '\n': 'n', '\r': 'r', '\\': '\\', [quote]: quote }
  const escaped = bytes.replace(/[^ -~]|['"\\]/g, byte =>
    named[byte] === undefined ? (/[ -~]/.test(byte) ? byte : `\\x${toHex(byte)}`) : `\\${named[byte]}`)
  return `b${quote}${escaped}${quote}`
}

/** Returns the bytes as JSON of a WordArray of crypto-js: signed integers of 32 bits. */
const wordArray = (digest: string): string =>
  JSON.stringify({ words: digest.match(/.{8}/g)!.map(word => Number.parseInt(word, 16) | 0), sigBytes: digest.length / 2 })

/** Wrong ways to write a digest. The output cannot be decoded, so the right digests are written in each way. */
const writers: ReadonlyArray<readonly [
  name: string, finding: string, fix: string, write: (digest: string, text: string) => readonly string[]
]> = [
  ['digest-unpadded', 'The digests were written without leading zeros: of each byte below 16, or of the whole.',
    'Write two hexadecimal digits for each byte: %02x, padStart(2, \'0\').',
    digest => [bytesOf(digest).map(byte => byte.toString(16)).join(''), digest.replace(/^0+/, '')]],
  ['digest-signed', 'The digests were written as signed numbers, of which half are negative.',
    'Write two hexadecimal digits for each byte; in Java with HexFormat, not with new BigInteger(digest).',
    digest => [BigInt.asIntN(256, BigInt(`0x${digest}`)).toString(16)]],
  ['digest-sign-extended', 'The digests were written from signed bytes, which become ffffff80 to ffffffff.',
    'Mask each byte: String.format("%02x", b & 0xff).', digest => [0, 2].map(width =>
      signedBytesOf(digest).map(byte => (byte >>> 0).toString(16).padStart(width, '0')).join(''))],
  ['digest-bytes', 'The digests were written as bytes or numbers, as a language prints them.',
    'Write them in hexadecimal: with hex() or hexdigest() in Python, with toString() in crypto-js.', digest => [
      ...[bytesOf(digest), signedBytesOf(digest), digest.match(/../g)!].flatMap(listed),
      pythonBytes(fromHex(digest)), wordArray(digest)
    ]],
  ['digest-hex-twice', 'The digests were written in hexadecimal twice.', plainForm,
    digest => [toHex(digest), toHex(digest).toUpperCase()]],
  ['digest-appended', 'The text itself was written, with the digest of nothing after it, as Go\'s Sum(text) does.',
    'Write the text to the hash, and call Sum(nil); or call sha256.Sum256([]byte(text)).',
    (_digest, text) => [toHex(utf8(text)) + digestOf('sha256', '')]],
  ['digest-cut', 'Only the beginning of the right digest was given: the rest is missing.',
    'Send all 64 hexadecimal digits: look for a column, a variable or a call that cuts them.',
    digest => Array.from({ length: 48 }, (_, index) => digest.slice(0, 16 + index))]
]

/** Returns the right digests if one of the writers wrote them into a signature; otherwise undefined. */
export function writtenBy (signature: string, context: Context): ParsedSignature | undefined {
  const texts = textsOf(context)
  const right = texts.map(text => digestOf('sha256', text)) as [string, string]
  const of = (changes: Change[]): ParsedSignature =>
    ({ assignments: [{ part1: right[0], part2: right[1], changes: [] }], changes })
  const halves = signature.trim().split('///')
  const hasToken = context.terms.merchantToken !== ''
  // A half may be right: an unpadded digest without a byte below 16 is. Without a token, part 2 is not compared.
  const rows = (halves.length === 2 ? halves : []).map((half, index) => {
    if (half === right[index] || (index === 1 && !hasToken)) return undefined
    return writers.find(([, , , write]) => write(right[index]!, texts[index]!).includes(half)) ?? null
  })
  const wrong = rows.flatMap((row, index) => row == null ? [] : [{ row, index }])
  if (wrong.length > 0 && !rows.includes(null)) {
    const isOfBoth = wrong.length === 2 || !hasToken
    const named = wrong.map(({ row: [name, finding, fix], index }) =>
      change(name, isOfBoth ? finding : `In part ${index + 1}: ${finding}`, fix))
    return of(named[0]!.finding === named[1]?.finding ? named.slice(0, 1) : named)
  }
  const whole = [texts.join(''), texts.join('///'), right.join(''), right.join('///')]
  return hasToken && whole.some(whole => digestOf('sha256', whole) === signature.trim().toLowerCase())
    ? of([change('one-hash', 'Both parts were hashed together.',
      'Hash each part alone, and join the two digests with ///.')])
    : undefined
}
