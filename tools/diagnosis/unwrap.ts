import { fromBase64 } from './bytes.js'
import { change, type Change } from './diagnosis.js'

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

/** Wrong forms around a signature, the outermost first. */
const wrappings: ReadonlyArray<readonly [name: string, finding: string, unwrap: (text: string) => string]> = [
  ['signature-white-space', 'The signature had white space around it.', text => text.trim()],
  ['signature-in-json', 'The whole response was used as the signature, not its field "signature".', signatureInJson],
  ['signature-of-tool', 'The signature had the output of sha256sum or openssl around the digests.', inEachPart(part =>
    part.replace(/^\s*(?:SHA2?-?256)?\s*\([^()]*\)\s*=\s*/i, '').replace(/\s+\*?-\s*$/, ''))],
  ['signature-labelled', 'The signature had its field name before it.', text => text.replace(/^(?:signature|sha-?256)\s*[:=]\s*/i, '')],
  ['signature-quoted', 'The signature was in quotes.', text => text.replace(/^(["'])(.*)\1$/s, '$2')],
  ['signature-escaped', 'Its slashes were escaped, as some JSON libraries do.', text => text.replaceAll('\\/', '/')],
  ['signature-percent-encoded', 'The signature was percent-encoded.',
    text => text.replace(/%2f/gi, '/').replace(/%3d/gi, '=').replace(/%2b/gi, '+')],
  ['signature-base64', 'The hexadecimal digits were written in base64.', text => inEachPart(digitsIn)(digitsIn(text))],
  ['signature-bytes-marked', 'The bytes of the signature were marked, as by 0x or dashes.', inEachPart(part =>
    /^(?:[0-9a-f]{2}[-: ]){15,}[0-9a-f]{2}$/i.test(part) ? part.replace(/[-: ]/g, '') : part.replace(/^0x(?=[0-9a-f]{32})/i, ''))],
  ['signature-inner-white-space', 'The signature had white space or a line break inside.', text => text.replace(/\s+/g, '')]
]

export const plainForm = 'Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.'

/** Removes everything around a signature. Returns a change for each removal. */
export function unwrap (signature: string): { text: string, changes: Change[] } {
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
