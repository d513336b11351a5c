import { digestOf, fromHex, toHex, utf8 } from './bytes.js'
import { textsOf, type Context } from './context.js'
import { change, type Change } from './diagnosis.js'
import type { ParsedSignature } from './parse-signature.js'
import { plainForm } from './unwrap.js'

const bytesOf = (digest: string): number[] => Array.from(fromHex(digest), byte => byte.charCodeAt(0))
const signedBytesOf = (digest: string): number[] => bytesOf(digest).map(byte => byte > 127 ? byte - 256 : byte)
const lists = ['…', '[…]', '{…}', '<Buffer …>', '{"type":"Buffer","data":[…]}']
const listed = (items: ReadonlyArray<string | number>): string[] =>
  [',', ', ', ' '].flatMap(separator => lists.map(list => list.replace('…', items.join(separator))))

/** Wrong ways to write a digest. The output cannot be decoded, so the right digests are written in each way. */
const writers: ReadonlyArray<readonly [
  name: string, finding: string, fix: string, write: (digest: string, text: string) => readonly string[]
]> = [
  ['digest-unpadded', 'The digests were written without leading zeros: of each byte below 16, or of the whole.',
    'Write two hexadecimal digits for each byte: %02x, padStart(2, \'0\').',
    digest => [bytesOf(digest).map(byte => byte.toString(16)).join(''), digest.replace(/^0+/, '')]],
  ['digest-sign-extended', 'The digests were written from signed bytes, which become ffffff80 to ffffffff.',
    'Mask each byte: String.format("%02x", b & 0xff).',
    digest => [0, 2].map(width => signedBytesOf(digest).map(byte => (byte >>> 0).toString(16).padStart(width, '0')).join(''))],
  ['digest-bytes', 'The digests were written as lists of bytes.', plainForm,
    digest => [bytesOf(digest), signedBytesOf(digest), digest.match(/../g)!].flatMap(listed)],
  ['digest-hex-twice', 'The digests were written in hexadecimal twice.', plainForm, digest => [toHex(digest), toHex(digest).toUpperCase()]],
  ['digest-appended', 'The text itself was written, with the digest of nothing after it, as Go\'s Sum(text) does.',
    'Write the text to the hash, and call Sum(nil); or call sha256.Sum256([]byte(text)).',
    (_digest, text) => [toHex(utf8(text)) + digestOf('sha256', '')]],
  ['digest-cut', 'Only the beginning of the right digest was given: the rest is missing.',
    'Send all 64 hexadecimal digits: look for a column, a variable or a call that cuts them.',
    digest => Array.from({ length: 48 }, (_, index) => digest.slice(0, 16 + index))]
]

/** Returns the right digests if one of the writers wrote them into a signature; otherwise undefined. */
export function writtenBy (signature: string, context: Context): ParsedSignature | undefined {
  const hasToken = context.terms.merchantToken !== ''
  const texts = textsOf(context)
  const text = signature.trim()
  const [part1 = '', part2 = ''] = texts.map(text => digestOf('sha256', text))
  const of = (...changes: Change[]): ParsedSignature =>
    ({ assignments: [{ part1, part2, changes: [] }], changes })
  const halves = text.split('///')
  // A half may be right: an unpadded digest without a byte below 16 is. Without a token, part 2 is not compared.
  const rows = (halves.length === 2 ? halves : []).map((half, index) => {
    if (half === [part1, part2][index] || (index === 1 && !hasToken)) return undefined
    return writers.find(([, , , write]) => write([part1, part2][index]!, texts[index]!).includes(half)) ?? null
  })
  const wrong = rows.flatMap((row, index) => row == null ? [] : [{ row, index }])
  if (wrong.length > 0 && !rows.includes(null)) {
    const isOfBoth = wrong.length === 2 || !hasToken
    const named = wrong.map(({ row: [name, finding, fix], index }) => change(name, isOfBoth ? finding : `In part ${index + 1}: ${finding}`, fix))
    return of(...named.slice(0, named[0]!.finding === named[1]?.finding ? 1 : 2))
  }
  const whole = [texts.join(''), texts.join('///'), part1 + part2, `${part1}///${part2}`]
  return hasToken && whole.some(whole => digestOf('sha256', whole) === text.toLowerCase())
    ? of(change('one-hash', 'Both parts were hashed together.', 'Hash each part alone, and join the two digests with ///.'))
    : undefined
}
