import { digestOf, fromHex, fromUtf8, toHex, utf8 } from './bytes.js'
import { textsOf, type Context } from './context.js'
import { change, type Change } from './diagnosis.js'
import { plainForm, type ParsedSignature } from './signature.js'

/*
 * The right digests in forms that cannot be decoded without them: numbers with nothing between them, or bytes that
 * became text. The digests are written in each form and looked for, whatever a language prints between and around them.
 */

/** The name, the finding and the fix of a wrong way to write a digest. */
type Way = readonly [name: string, finding: string, fix: string]

const bytesOf = (digest: string): number[] => Array.from(fromHex(digest), byte => byte.charCodeAt(0))

/** Returns a digest with the bytes of each word in reverse order. `digits` is the length of a word. */
const reversed = (digest: string, digits: number): string =>
  digest.replace(new RegExp(`.{${digits}}`, 'g'), word => word.match(/../g)!.reverse().join(''))

/** Ways to write an integer of so many bits. */
const integers: ReadonlyArray<(value: bigint, bits: number) => string> = [
  (value, bits) => String(BigInt.asIntN(bits, value)), (value, bits) => value.toString(16).padStart(bits / 4, '0'),
  ...[2, 8, 10, 16, 36].flatMap(radix =>
    [0, 3, 8].map(width => (value: bigint) => value.toString(radix).padStart(width, '0')))
]

/** Yields a digest as numbers of 8 to 256 bits, in both orders of the bytes, with nothing between them. */
function * numbersOf (digest: string): Generator<string> {
  for (const digits of [2, 4, 8, 16, 64]) {
    for (const order of [digest, reversed(digest, digits)]) {
      const values = order.match(new RegExp(`.{${digits}}`, 'g'))!.map(word => BigInt(`0x${word}`))
      for (const write of integers) yield values.map(value => write(value, digits * 4)).join('')
    }
  }
}

/** Returns bytes as text: those above 0x7f are kept, cut to seven bits, decoded, replaced or lost. */
const decodedBytes = (bytes: string): string[] => [
  bytes, bytes.replace(/[\x80-\xff]/g, byte => String.fromCharCode(byte.charCodeAt(0) & 0x7f)),
  ...['', '?', '\ufffd'].map(instead => bytes.replace(/[\x80-\xff]/g, instead)),
  ...[/$^/, /(?<=\ufffd)\ufffd+/g, /\ufffd/g].map(lost => fromUtf8(bytes).replace(lost, ''))
]

const small = 'abcdefghijklmnopqrstuvwxyz'
const capitals = small.toUpperCase()
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32)).join('')

/** Encodings by their characters, and by the bits that are written together: 256 for one number. */
const alphabets: ReadonlyArray<readonly [name: string, characters: string, bits: number, base: bigint]> = [
  ['base32', `${small}234567`, 5, 32n], ['base32hex', `0123456789${small}`, 5, 32n],
  ['base58', `123456789${capitals.replace(/[IO]/g, '')}${small.replace('l', '')}`, 256, 58n],
  ['base62', `0123456789${small}${capitals}`, 256, 62n], ['base62', `0123456789${capitals}${small}`, 256, 62n],
  ['base85', `0123456789${capitals}${small}!#$%&()*+-;<=>?@^_\`{|}~`, 32, 85n], ['ascii85', ascii.slice(1), 32, 85n],
  ['uuencode', ascii, 6, 64n]
]

/** Returns a digest in an encoding. */
function encoded (digest: string, characters: string, bits: number, base: bigint): string {
  const binary = bytesOf(digest).map(byte => byte.toString(2).padStart(8, '0')).join('')
  return binary.match(new RegExp(`.{1,${bits}}`, 'g'))!.map(group => {
    let text = ''
    for (let rest = BigInt(`0b${group.padEnd(bits, '0')}`); rest > 0n; rest /= base) {
      text = characters.charAt(Number(rest % base)) + text
    }
    return text.padStart(bits === 32 ? 5 : 1, characters.charAt(0))
  }).join('')
}

/** Wrong ways to write a digest, with all texts that they make. */
const writers: ReadonlyArray<readonly [...Way, write: (digest: string, text: string) => Iterable<string>]> = [
  ['digest-unpadded', 'The digests were written without leading zeros: of each byte below 16, or of the whole.',
    'Write two hexadecimal digits for each byte: %02x, padStart(2, \'0\').',
    digest => [bytesOf(digest).map(byte => byte.toString(16)).join(''), digest.replace(/^0+/, '')]],
  ['digest-signed', 'The digests were written as signed numbers, of which half are negative.',
    'Write two hexadecimal digits for each byte; in Java with HexFormat, not with new BigInteger(digest).',
    digest => [BigInt.asIntN(256, BigInt(`0x${digest}`)).toString(16)]],
  ['digest-sign-extended', 'The digests were written from signed bytes, which become ffffff80 to ffffffff.',
    'Mask each byte: String.format("%02x", b & 0xff).', digest => [0, 2].map(width =>
      bytesOf(digest).map(byte => (byte << 24 >> 24 >>> 0).toString(16).padStart(width, '0')).join(''))],
  ['digest-bytes', 'The right digests were written as numbers, as bytes or as text, not in hexadecimal digits.',
    'Write them in hexadecimal: with hex() or hexdigest() in Python, with toString(\'hex\') in Node.js.',
    function * (digest) {
      yield * decodedBytes(fromHex(digest))
      yield * numbersOf(digest)
    }],
  ...alphabets.map(([name, ...alphabet]) => ['digest-encoded', `The digests were written in ${name}.`, plainForm,
    (digest: string) => [encoded(digest, ...alphabet).replace(/[ `]/g, '')]] as const),
  ['digest-appended', 'The text itself was written, with the digest of nothing after it, as Go\'s Sum(text) does.',
    'Write the text to the hash, and call Sum(nil); or call sha256.Sum256([]byte(text)).',
    (_digest, text) => [toHex(utf8(text)) + digestOf('sha256', '')]]
]
const cutFix = 'Send all 64 hexadecimal digits: look for a column, a variable or a call that cuts them.'
const cut: Way = ['digest-cut', 'Only the beginning of the right digest was given: the rest is missing.', cutFix]
const shortened: Way = ['digest-cut', 'Only the beginning and the end of the right digest were given.', cutFix]
const otherOrder: Way = ['digest-bytes', 'The bytes of the right digests were written in another order.', plainForm]
const dumped: Way = ['digest-bytes', 'The right digests were written as a dump, with other text in it.', plainForm]

/** Escapes in programs, in URLs, and in quoted-printable text, with hexadecimal digits, octal digits or a letter. */
const escapes = [
  /\\(?:(?:x|u00|u\{)([0-9a-f]{2})(?:(?<=\{..)\})?|([0-7]{1,3})|([^]))/gi, /%([0-9a-f]{2})()()/gi, /=(?:([0-9A-F]{2})|\r?\n)()()/g
]
const controls: Readonly<Record<string, string>> =
  { a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const unescaped = (text: string, escape: RegExp): string =>
  text.replace(escape, (_all, hex = '', octal = '', letter = '') => hex + octal === ''
    ? controls[letter] ?? letter
    : String.fromCharCode(Number.parseInt(hex || octal, hex === '' ? 8 : 16)))

/** Returns the words of a text joined: all, each second or each third, which leaves out indexes and types. */
function joinedWords (text: string): string[] {
  const words = (text.toLowerCase().match(/-?[0-9a-z]+/g) ?? []).map(word => word.replace(/^(?:0?x|0o|0b(?=[01]+$))/, ''))
  const joined = [1, 2, 3].flatMap(step => Array.from({ length: step }, (_, start) =>
    words.filter((_word, index) => index % step === start).join('')))
  return [...joined, joined[0]!.replaceAll('-', '')]
}

/** True if a text has the beginning and the end of a digest, with an ellipsis between them. */
function isShortened (text: string, digest: string): boolean {
  const [start = '', end = ''] = text.split(/\u2026|\.{2,}/).map(piece => joinedWords(piece)[0]!)
  const lengths = Array.from({ length: 64 }, (_, index) => 63 - index)
  const first = lengths.find(length => start.endsWith(digest.slice(0, length)))!
  const last = lengths.find(length => end.startsWith(digest.slice(64 - length)))!
  return last > 0 && first + last >= 16
}

/**
 * Returns the way in which a digest was written into a text.
 *
 * @param hashed - the text of the digest
 * @returns undefined if the digest is there as it is; null if it is not there
 */
function wayOf (text: string, digest: string, hashed: string): Way | undefined | null {
  if (/^[0-9a-f]{64}$/.test(text)) {
    return [4, 8, 16, 64].some(length => reversed(digest, length) === text) ? otherOrder : null
  }
  const shown = [
    text, text.replace(/[\s`]/g, ''), ...joinedWords(text),
    ...[text, utf8(text)].flatMap(text => escapes.map(escape => unescaped(text, escape)))
  ].map(text => text.toLowerCase())
  const has = (...pieces: string[]): boolean =>
    shown.some(text => pieces.every(piece => text.includes(piece.toLowerCase())))
  if (has(digest)) return undefined
  for (const [name, finding, fix, write] of writers) {
    for (const written of write(digest, hashed)) if (has(written)) return [name, finding, fix]
  }
  if (has(digest.slice(0, 32), digest.slice(32))) return dumped
  if (text.length >= 16 && digest.startsWith(text)) return cut
  return isShortened(text, digest) ? shortened : null
}

/** Returns the right digests if they were written into a signature in wrong ways; otherwise undefined. */
export function writtenBy (signature: string, context: Context): ParsedSignature | undefined {
  const texts = textsOf(context)
  const right = texts.map(text => digestOf('sha256', text)) as [string, string]
  const of = (changes: Change[]): ParsedSignature =>
    ({ assignments: [{ part1: right[0], part2: right[1], changes: [] }], changes })
  const halves = signature.split('///')
  const hasToken = context.terms.merchantToken !== ''
  // A half may be right: an unpadded digest without a byte below 16 is. Without a token, part 2 is not compared.
  const ways = (halves.length === 2 ? halves : []).map((half, index) =>
    half.trim() === right[index] || (index === 1 && !hasToken) ? undefined : wayOf(half, right[index]!, texts[index]!))
  const wrong = ways.flatMap((way, index) => way == null ? [] : [{ way, index }])
  if (wrong.length > 0 && !ways.includes(null)) {
    const isOfBoth = wrong.length === 2 || !hasToken
    const named = wrong.map(({ way: [name, finding, fix], index }) =>
      change(name, isOfBoth ? finding : `In part ${index + 1}: ${finding}`, fix))
    return of(named[0]!.finding === named[1]?.finding ? named.slice(0, 1) : named)
  }
  const whole = [texts.join(''), texts.join('///'), right.join(''), right.join('///')]
  return hasToken && whole.some(whole => digestOf('sha256', whole) === signature.trim().toLowerCase())
    ? of([change('one-hash', 'Both parts were hashed together.',
      'Hash each part alone, and join the two digests with ///.')])
    : undefined
}
