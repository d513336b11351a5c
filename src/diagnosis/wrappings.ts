import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'

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
    finding: 'The whole response was used as the signature, not its field "signature".'
  },
  {
    name: 'signature-labelled',
    unwrap: text => text.replace(/^signature\s*[:=]\s*/i, ''),
    finding: 'The signature had its field name before it.'
  },
  {
    name: 'signature-quoted',
    unwrap: text => text.replace(/^(["'])(.*)\1$/s, '$2'),
    finding: 'The signature was in quotes.'
  },
  {
    name: 'signature-escaped',
    unwrap: text => text.replaceAll('\\/', '/'),
    finding: 'Its slashes were escaped, as some JSON libraries do.'
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

export const plainForm = 'Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.'

/** What is inside of everything that a signature was wrapped in, and a change for each wrapping. */
export function unwrap (signature: string): { text: string, changes: Change[] } {
  const changes: Change[] = []
  let text = signature
  for (const { name, unwrap, finding } of wrappings) {
    const rest = unwrap(text)
    if (rest !== text) changes.push(change(name, finding, plainForm))
    text = rest
  }
  return { text, changes }
}
