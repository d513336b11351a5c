import { quote } from '../scheme/characters.js'
import type { Change } from './diagnosis.js'

/** What a signature was read as: two digests in lowercase hexadecimal digits, whatever its form was. */
export interface Form {
  readonly algorithm: string
  /** Undefined if there was only one digest, which may be either. */
  readonly part1: string | undefined
  readonly part2: string | undefined
  /** How its form differs from the specification's. */
  readonly changes: readonly Change[]
}

const algorithms: Readonly<Record<number, string>> = {
  32: 'md5', 40: 'sha1', 56: 'sha224', 64: 'sha256', 96: 'sha384', 128: 'sha512'
}

const change = (hypothesis: string, finding: string, fix: string): Change =>
  ({ hypothesis, alsoKnownAs: [], finding, fix })

const plainForm = 'A signature is two times 64 lowercase hexadecimal digits with /// between them, 131 characters.'

/** Longer texts are no signatures, whatever they are wrapped in. In UTF-16 code units. */
const longest = 2000

function signatureInJson (text: string): string {
  try {
    const { signature } = JSON.parse(text)
    return typeof signature === 'string' ? signature : text
  } catch {
    return text
  }
}

interface Wrapping {
  readonly name: string
  readonly unwrap: (text: string) => string
  readonly finding: string
}

/** What signatures get wrapped in on their way, from the outside to the inside. */
const wrappings: readonly Wrapping[] = [
  {
    name: 'signature-white-space',
    unwrap: text => text.trim(),
    finding: 'The signature had white space around it.'
  },
  {
    name: 'signature-in-json',
    unwrap: signatureInJson,
    finding: 'The whole answer was taken for the signature, not its field "signature".'
  },
  {
    name: 'signature-labelled',
    unwrap: text => text.replace(/^signature\s*[:=]\s*/i, ''),
    finding: 'The name of the field stood before the signature.'
  },
  {
    name: 'signature-quoted',
    unwrap: text => text.replace(/^(["'])(.*)\1$/s, '$2'),
    finding: 'The signature was in quotes.'
  },
  {
    name: 'signature-escaped',
    unwrap: text => text.replaceAll('\\/', '/'),
    finding: 'Its slashes were escaped, as some JSON writers do.'
  },
  {
    name: 'signature-percent-encoded',
    unwrap: text => text.replace(/%2f/gi, '/').replace(/%3d/gi, '=').replace(/%2b/gi, '+'),
    finding: 'The signature was percent-encoded.'
  },
  {
    name: 'signature-inner-white-space',
    unwrap: text => text.replace(/\s+/g, ''),
    finding: 'The signature had white space or a line break inside.'
  }
]

const hexDigest = '[0-9a-f]{128}|[0-9a-f]{96}|[0-9a-f]{64}|[0-9a-f]{56}|[0-9a-f]{40}|[0-9a-f]{32}'

/** Of 64, 48, 32 and 20 bytes. */
const base64Digest = '[A-Za-z0-9+/_-]{86}(?:==)?|[A-Za-z0-9+/_-]{64}|[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{27}=?'

/** Digests in base64 have many characters that are no hexadecimal digits; a slip of the pen has few. */
const fewestStrangers = 8

const strangersIn = (text: string): number => text.replace(/[0-9a-f/=]/gi, '').length

/** One digest or two, with what stands between them. */
const hexForm = new RegExp(`^(${hexDigest})(?:([^0-9a-f]{0,8})(${hexDigest}))?$`, 'i')
const base64Form = new RegExp(`^(${base64Digest})(?:([^A-Za-z0-9]{0,8})(${base64Digest}))?$`)

/** Whether a text may be in base64, and not in hexadecimal digits with a slip. */
function mayBeBase64 (text: string): boolean {
  if (strangersIn(text) < fewestStrangers) return false
  const halves = text.split('///')
  return halves.length !== 2 || halves.every(half => half.length >= 27 && half.length === halves[0]!.length)
}

/** What is wrong with a text that is almost a signature. */
function faultIn (text: string): string {
  const halves = text.split('///')
  if (halves.length === 2) {
    for (const [index, half] of halves.entries()) {
      const stranger = [...half].findIndex(character => !/[0-9a-f]/i.test(character))
      if (stranger !== -1) {
        return `part ${index + 1} has ${quote([...half][stranger]!)} at position ${stranger + 1}, which is no hexadecimal digit.`
      }
      if (half.length !== 64) return `part ${index + 1} has ${half.length} hexadecimal digits, not 64.`
    }
  }
  return 'it should be two times 64 hexadecimal digits with /// between them, 131 characters; ' +
    `it has ${text.length}.`
}

/** The digests in a signature, however it is written, or a sentence that says why there are none. */
export function formOf (signature: string): Form | string {
  if (signature.length > longest) return `This is no signature: it has ${signature.length} characters, not 131.`
  const changes: Change[] = []
  let text = signature
  for (const { name, unwrap, finding } of wrappings) {
    const rest = unwrap(text)
    if (rest !== text) changes.push(change(name, finding, plainForm))
    text = rest
  }

  const hex = hexForm.exec(text)
  const base64 = hex === null && mayBeBase64(text) ? base64Form.exec(text) : null
  let [, first, separator, second] = hex ?? base64 ?? []
  if (hex !== null && first?.length === 128 && second === undefined) { // two of SHA-256 rather than one of SHA-512
    [first, separator, second] = [first.slice(0, 64), '', first.slice(64)]
  }
  if (first === undefined || (second !== undefined && second.length !== first.length)) {
    return `This is no signature: ${faultIn(text)}`
  }

  const digits = (digest: string): string =>
    hex === null ? Buffer.from(digest, 'base64').toString('hex') : digest.toLowerCase()
  if (hex === null) {
    changes.push(change('digest-base64', 'The digests were written in base64, not in hexadecimal.', plainForm))
  } else if (text !== text.toLowerCase()) {
    changes.push(change('digest-upper-case', 'The digests were written in uppercase.', plainForm))
  }
  if (second !== undefined && separator !== '///') {
    const finding = `Between the parts stood ${JSON.stringify(separator)}, not "///".`
    changes.push(change('signature-separator', finding, plainForm))
  }
  const part1 = digits(first)
  const algorithm = algorithms[part1.length] as string
  if (algorithm !== 'sha256') {
    const finding = `The digests have ${part1.length * 4} bits, as ${algorithm.toUpperCase()} makes them; the scheme uses SHA-256.`
    changes.push(change('digest-algorithm', finding, 'Use SHA-256.'))
  }
  return { algorithm, part1, part2: second === undefined ? undefined : digits(second), changes }
}
