import { fields, type SignatureRequest } from '../../src/scheme/fields.js'
import type { Variant } from '../../src/scheme/variants.js'
import { explain, type Explanation } from '../../tools/explain/explain.js'
import { requestIn } from '../../tools/request-text/request-text.js'
import { signedRequestsIn } from '../../tools/request-text/signed-requests.js'
import { wrongOf } from '../../tools/diagnosis/diagnose-all.js'
import { oddityOf, type Oddity } from './characters.js'
import { diagnosePart1, type Part1Diagnosis } from './part1-diagnosis.js'

/** An odd character, and where it is. */
export interface OddCharacter extends Oddity {
  /** A field of the request; or `the name of …`, since a name that only looks like a field's is not read. */
  readonly field: string
  /** In characters, from 1. */
  readonly position: number
}

export interface Inspection {
  /** How the signature comes about; undefined if the service refuses the request. */
  readonly explanation: Explanation | undefined
  /** Why it is refused; empty if it is not. */
  readonly refusal: string
  readonly oddCharacters: readonly OddCharacter[]
  /** Undefined if there is no signature, or nothing that it could belong to. */
  readonly diagnosis: Part1Diagnosis | undefined
  /** The command that goes on with the token; empty if there is no signature. */
  readonly command: string
}

const oddCharactersIn = (field: string, text: string): OddCharacter[] => [...text].flatMap((character, index) => {
  const oddity = oddityOf(character)
  return oddity === undefined ? [] : [{ field, position: index + 1, ...oddity }]
})

function oddCharactersOf (request: SignatureRequest): OddCharacter[] {
  return Object.entries(request).flatMap(([name, value]) => {
    if (!fields.some(field => field === name)) return oddCharactersIn(`the name of ${name}`, name)
    return typeof value === 'string' ? oddCharactersIn(name, value) : []
  })
}

function explained (variant: Variant, request: SignatureRequest): Pick<Inspection, 'explanation' | 'refusal'> {
  try {
    return { explanation: explain(request, { variant }), refusal: '' }
  } catch (error) {
    return { explanation: undefined, refusal: (error as Error).message }
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the command that searches both parts. It has no token. */
const commandFor = (variant: Variant, { merchantToken, ...request }: SignatureRequest, signature: string): string =>
  `printf '%s' ${quoted(JSON.stringify(request))} | payment-signature diagnose --variant ${variant} --token-file ./token --signature ${quoted(signature.trim())}`

/**
 * What is hashed for part 1 of a request's signature, and what may be wrong with a signature's part 1, by the code of
 * the library.
 *
 * @param requestText - JSON, a curl command, or a log line
 * @param signatureText - in whatever form; if it is blank, the signature beside the request is used
 * @throws UnreadableError with a message for the user: there is no request in the text
 */
export function inspect (variant: Variant, requestText: string, signatureText: string): Inspection {
  const request = requestIn(requestText, 'The text') as SignatureRequest
  const { signatures = [] } = signedRequestsIn(requestText)[0] ?? {}
  const signature = signatureText.trim() === '' ? wrongOf({ request, signatures }, { variant }) ?? signatures[0] ?? '' : signatureText
  const { explanation, refusal } = explained(variant, request)
  const hasBoth = explanation !== undefined && signature.trim() !== ''
  return {
    explanation,
    refusal,
    oddCharacters: oddCharactersOf(request),
    diagnosis: hasBoth ? diagnosePart1(signature, request, variant) : undefined,
    command: hasBoth ? commandFor(variant, request, signature) : ''
  }
}
