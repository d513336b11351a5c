import { fromHex, toHex, utf8 } from './bytes.js'
import type { Context } from './context.js'
import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'
import { digestOf } from './digest.js'
import { textsOf } from './scenarios.js'
import type { Part } from './scenarios.js'
import { plainForm } from './wrappings.js'

const bytesOf = (digest: string): number[] => Array.from(fromHex(digest), byte => byte.charCodeAt(0))
const signedBytesOf = (digest: string): number[] => bytesOf(digest).map(byte => byte > 127 ? byte - 256 : byte)
const lists = ['…', '[…]', '{…}', '<Buffer …>', '{"type":"Buffer","data":[…]}']
const listed = (items: ReadonlyArray<string | number>): string[] =>
  [',', ', ', ' '].flatMap(separator => lists.map(list => list.replace('…', items.join(separator))))

/** Wrong ways to write a digest. They cannot be read back, so the right digests are written in each way. */
export const writers: ReadonlyArray<readonly [
  name: string, finding: string, fix: string, write: (digest: string, text: string) => readonly string[]
]> = [
  ['digest-unpadded', 'The digests were written without the zero of bytes below 16.',
    'Write two hexadecimal digits for each byte: %02x, padStart(2, \'0\').',
    digest => [bytesOf(digest).map(byte => byte.toString(16)).join('')]],
  ['digest-sign-extended', 'The digests were written from signed bytes, which become ffffff80 to ffffffff.',
    'Mask each byte: String.format("%02x", b & 0xff).',
    digest => [0, 2].map(width => signedBytesOf(digest).map(byte => (byte >>> 0).toString(16).padStart(width, '0')).join(''))],
  ['digest-bytes', 'The digests were written as lists of bytes.', plainForm,
    digest => [bytesOf(digest), signedBytesOf(digest), digest.match(/../g)!].flatMap(listed)],
  ['digest-hex-twice', 'The digests were written in hexadecimal twice.', plainForm, digest => [toHex(digest), toHex(digest).toUpperCase()]],
  ['digest-appended', 'The text itself was written, with the digest of nothing after it, as Go\'s Sum(text) does.',
    'Write the text to the hash, and call Sum(nil); or call sha256.Sum256([]byte(text)).',
    (_digest, text) => [toHex(utf8(text)) + digestOf('sha256', '')]]
]

/** Returns the change by which a right signature became this one; undefined if none of the writers did it. */
export function writtenBy (
  signature: string, context: Context
): { change: Change, parts: readonly Part[] } | undefined {
  const { terms } = context
  const [one, two] = textsOf(context)
  const text = signature.trim()
  const right = [one, two].map(text => digestOf('sha256', text))
  // Without a byte below 16 an unpadded digest is the right one.
  if (text.startsWith(`${right[0]}///`) && (terms.merchantToken === '' || text.endsWith(`///${right[1]}`))) return undefined
  for (const [name, finding, fix, write] of writers) {
    const parts = [one, two].map(text => write(digestOf('sha256', text), text)) as [readonly string[], readonly string[]]
    const index = parts[0].findIndex((first, index) => terms.merchantToken === ''
      ? text.startsWith(`${first}///`)
      : text === `${first}///${parts[1][index]}`)
    if (index !== -1) return { change: change(name, finding, fix), parts: terms.merchantToken === '' ? ['part1'] : ['part1', 'part2'] }
  }
  const whole = [one + two, `${one}///${two}`, right.join(''), right.join('///')]
  return terms.merchantToken !== '' && whole.some(whole => digestOf('sha256', whole) === text.toLowerCase())
    ? { change: change('one-hash', 'Both parts were hashed together.', 'Hash each part alone, and join the two digests with ///.'), parts: ['part1', 'part2'] }
    : undefined
}
