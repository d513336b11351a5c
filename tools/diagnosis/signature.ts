import { quote } from '../explain/characters.js'
import { fromBase64, fromHex, toHex } from './bytes.js'
import { change, type Change } from './diagnosis.js'

/** The digest of each part in lowercase hexadecimal digits. Undefined for a missing part. */
export interface Assignment {
  readonly part1: string | undefined
  readonly part2: string | undefined
  readonly changes: readonly Change[]
}

export interface ParsedSignature {
  /** The most likely first. */
  readonly assignments: readonly Assignment[]
  /** Differences of the form from the specification's. */
  readonly changes: readonly Change[]
}

export const plainForm = 'Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.'

function signatureInJson (text: string): string {
  try {
    const { signature } = JSON.parse(text)
    return typeof signature === 'string' ? signature : text
  } catch {
    return text
  }
}

/** Returns the digits of a digest that were encoded again, any number of times. Returns other texts unchanged. */
const decodedBy = (decode: (text: string) => string | undefined) => function digitsIn (text: string): string {
  const decoded = decode(text.replace(/\s+/g, ''))
  // The bytes of a digest are never all letters and digits.
  return decoded !== undefined && /^[\w+/=\s-]{32,}$/.test(decoded) ? digitsIn(decoded) : text
}
const fromDigits = (text: string): string | undefined => /^(?:[0-9a-f]{2})+$/i.test(text) ? fromHex(text) : undefined

const inEachPart = (change: (part: string) => string) => (text: string): string => text.split('///').map(change).join('///')
const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/s, '$2')
const encodedAgain = (decode: (text: string) => string | undefined) => (text: string): string =>
  inEachPart(decodedBy(decode))(decodedBy(decode)(text))

/** Returns the digest of a part that has other text around it. */
function withoutText (part: string): string {
  const [digest, ...others] = part.match(/(?<![0-9a-z-])[0-9a-f]{64}(?![0-9a-z])/gi) ?? []
  return digest === undefined || others.length > 0 || /^[\s/]*$/.test(part.replace(digest, '')) ? part : digest
}

/** Returns the digest of a part whose bytes have 0x, spaces, dashes or a name between or around them. */
function withoutMarks (part: string): string {
  const words = (part.match(/[0-9a-z]+/gi) ?? []).map(word => word.replace(/^0?x/i, ''))
  const digits = words.filter(word => /^[0-9a-f]+$/i.test(word)).join('')
  return digits.length === 64 && /[^0-9a-f\s/]/i.test(part.replace(/^-/, '')) ? digits : part
}

/** Wrong forms around a signature, the outermost first. */
const wrappings: ReadonlyArray<readonly [name: string, finding: string, unwrap: (text: string) => string]> = [
  ['signature-white-space', 'The signature had white space around it.', text => text.trim()],
  ['signature-in-json', 'The whole response was used as the signature, not its field "signature".', signatureInJson],
  ['signature-quoted', 'The signature was in quotes.', text => unquoted(inEachPart(unquoted)(text))],
  ['signature-escaped', 'Its slashes were escaped, as some JSON libraries do.', text => text.replaceAll('\\/', '/')],
  ['signature-percent-encoded', 'The signature was percent-encoded.',
    text => text.replace(/%2f/gi, '/').replace(/%3d/gi, '=').replace(/%2b/gi, '+')],
  ['signature-labelled', 'The digests had other text around them: a name, or what a tool or a language prints.',
    inEachPart(withoutText)],
  ['digest-hex-twice', 'The digests were written in hexadecimal more than once.', encodedAgain(fromDigits)],
  ['signature-base64', 'The digests were encoded again, in base64.', encodedAgain(fromBase64)],
  ['signature-bytes-marked', 'The bytes of the digests were marked, as by 0x, dashes or a name.', inEachPart(withoutMarks)],
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
