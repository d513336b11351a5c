import { fields, type SignatureRequest } from '../../src/scheme/request.js'
import type { Variant } from '../../src/scheme/variants.js'
import { explain, type Explanation } from '../../tools/explain/explain.js'
import { requestIn } from '../../tools/request-text/request-text.js'
import { signedRequestsIn } from '../../tools/request-text/signed-requests.js'
import { wrongOf } from '../../tools/diagnosis/diagnose-all.js'
import { oddityOf, type Oddity } from './characters.js'
import { diagnosePart1, type Part1Diagnosis } from './part1-diagnosis.js'

/** An odd character and its position. */
export interface OddCharacter extends Oddity {
  /** Name of the field, or `the name of …` if the name of the field contains the character. */
  readonly field: string
  /** Position in characters, from 1. */
  readonly position: number
}

export interface Inspection {
  /** Undefined if the service refuses the request. */
  readonly explanation: Explanation | undefined
  /** Reason of the refusal; empty if the service signs the request. */
  readonly refusal: string
  readonly oddCharacters: readonly OddCharacter[]
  /** Undefined without a signature, or if the service refuses the request. */
  readonly diagnosis: Part1Diagnosis | undefined
  /** Command that continues the search with the token; empty without a signature. */
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
 * Returns the text that is hashed for part 1 of a signature, and the possible mistakes behind part 1 of a signature.
 *
 * @param requestText - JSON, a curl command, or a log line
 * @param signatureText - signature in any form. Default: the signature beside the request
 * @throws UnreadableError the text contains no request
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
