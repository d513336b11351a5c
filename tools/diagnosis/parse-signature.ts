import { quote } from '../../src/text/characters.js'
import { fromBase64, toHex } from './bytes.js'
import { change, type Change } from './diagnosis.js'
import { plainForm, unwrap } from './unwrap.js'

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

/** Limit of the length of a signature in any form. In UTF-16 code units. */
const maxLength = 2000

/** Digests of 64, 48, 32, 28, 20 and 16 bytes. 128 digits alone are two digests of SHA-256, not one of SHA-512. */
const oneHexDigest = '[0-9a-f]{128}|[0-9a-f]{96}|[0-9a-f]{64}|[0-9a-f]{56}|[0-9a-f]{40}|[0-9a-f]{32}'
const hexDigest = `[0-9a-f]{64}(?=[0-9a-f]{64}$)|${oneHexDigest}`

/** Digests of 64, 48, 32 and 20 bytes. */
const base64Digest = '[A-Za-z0-9+/_-]{86}(?:==)?|[A-Za-z0-9+/_-]{64}|[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{27}=?'

const hexAlone = new RegExp(`^(?:${oneHexDigest})$`, 'i')
const base64Alone = new RegExp(`^(?:${base64Digest})$`)

/** A digest, or two digests with a separator. */
const hexForm = new RegExp(`^(${hexDigest})(?:([^0-9a-f]{0,8})(${hexDigest}))?$`, 'i')
const base64Form = new RegExp(`^(${base64Digest})(?:([^A-Za-z0-9]{0,8})(${base64Digest}))?$`)

/** True if a text has many characters that are not hexadecimal digits. A typing error has few. */
const mayBeBase64 = (text: string): boolean => text.replace(/[0-9a-f/=]/gi, '').length >= 8

interface Digest {
  /** In lowercase hexadecimal digits. */
  readonly digits: string
  readonly form: 'lower' | 'upper' | 'base64'
}

function digestIn (text: string): Digest | undefined {
  if (hexAlone.test(text)) return { digits: text.toLowerCase(), form: text === text.toLowerCase() ? 'lower' : 'upper' }
  return mayBeBase64(text) && base64Alone.test(text) ? { digits: toHex(fromBase64(text)!), form: 'base64' } : undefined
}

/** Reads one digest, or two with a separator. Each of two with /// may have its own form. */
function digestsIn (text: string): { digests: readonly Digest[], separator: string | undefined } | undefined {
  const halves = text.split('///')
  const [, first, separator, second] = halves.length === 2
    ? [text, halves[0], '///', halves[1]]
    : hexForm.exec(text) ?? (mayBeBase64(text) ? base64Form.exec(text) : null) ?? []
  if (first === undefined) return undefined
  const digests = [first, ...second === undefined ? [] : [second]].map(digestIn)
  const isWhole = digests.every(digest => digest !== undefined)
  return isWhole ? { digests, separator: second === undefined ? undefined : separator } : undefined
}

/** Returns the fault of a text that is not a signature, as the end of a sentence. */
function faultIn (text: string): string {
  if (text === '') return 'it is empty.'
  const halves = text.split('///')
  if (halves.length === 2) {
    const index = halves.findIndex(half => !/^[0-9a-f]{64}$/i.test(half)) // found: otherwise the text would be a signature
    const half = [...halves[index]!]
    const position = half.findIndex(character => !/[0-9a-f]/i.test(character))
    return position === -1
      ? `part ${index + 1} has ${half.length} hexadecimal digits, not 64.`
      : `part ${index + 1} has ${quote(half[position]!)} at position ${position + 1}, which is not a hexadecimal digit.`
  }
  return `a signature is 64 hexadecimal digits, /// and 64 more, 131 characters; this has ${text.length}.`
}

function assignmentsOf (first: string, second: string | undefined): Assignment[] {
  if (second === undefined) {
    const fix = 'Send both parts with /// between them.'
    return [
      { part1: first, part2: undefined, changes: [change('one-part', 'Only part 1 was given.', fix)] },
      { part1: undefined, part2: first, changes: [change('one-part', 'Only part 2 was given.', fix)] }
    ]
  }
  const swapped = change('parts-swapped', 'The parts were in the wrong order.', 'Put part 1, which has the session id, first.')
  const given = { part1: first, part2: second, changes: [] }
  return first.length === second.length ? [given, { part1: second, part2: first, changes: [swapped] }] : [given]
}

/** Returns the digests in a signature of any form, or a sentence with the reason why there are none. */
export function parseSignature (signature: string): ParsedSignature | string {
  if (signature.length > maxLength) return `This is not a signature: it has ${signature.length} characters, not 131.`
  const { text, changes } = unwrap(signature)
  const found = digestsIn(text)
  if (found === undefined) return `This is not a signature: ${faultIn(text)}`
  const [first, second] = found.digests as readonly [Digest, Digest?]
  const { separator } = found
  for (const [form, name, written] of [
    ['base64', 'digest-base64', 'written in base64, not in hexadecimal'], ['upper', 'digest-upper-case', 'written in uppercase']
  ] as const) {
    const parts = [first, second].flatMap((digest, index) => digest?.form === form ? [index + 1] : [])
    const isWhole = parts.length === 2 || second === undefined
    if (parts.length > 0) changes.push(change(name, isWhole ? `The digests were ${written}.` : `The digest of part ${parts[0]} was ${written}.`, plainForm))
  }
  if (separator !== undefined && separator !== '///') {
    const finding = `The parts were separated by ${JSON.stringify(separator)}, not "///".`
    changes.push(change('signature-separator', finding, plainForm))
  }
  return { assignments: assignmentsOf(first.digits, second?.digits), changes }
}
