import { hash } from 'node:crypto'
import { assertArgument, UsageError } from './errors.js'
import {
  accountFieldOf, checkRequest, toText,
  type Derivation, type Reading, type SignatureRequest, type TermName, type Variant
} from './request.js'

/**
 * Returns the SHA-256 of the UTF-8 bytes of `text` as 64 lowercase hexadecimal digits (specification 4.2).
 * A lone surrogate is hashed as U+FFFD.
 */
export const hash256 = (text: string): string => hash('sha256', text, 'hex')

/** The definition of a variant of the scheme (specification 4.2 to 4.4). */
export interface Rules {
  /** The variant's letter, as `GET /health` reports it. */
  readonly variant: Variant
  /** The fields that each operation reads. */
  readonly operations: Readonly<Record<string, Derivation['sources']>>
  /** The terms of both parts in the order in which they are joined, with nothing between them. */
  readonly parts: Readonly<Record<'part1' | 'part2', readonly TermName[]>>
  /** Derives the terms of a request that has passed step 5 of specification 4.1. */
  readonly derive: (request: SignatureRequest) => Derivation
  /** @throws SigningError `ERR_SID_INVALID` */
  readonly checkSid: (sid: unknown) => void
}

/** The request's own token of each reading, or an empty text. A reading that is printed does not show it. */
const ownTokens = new WeakMap<Reading, string>()

/** @throws UsageError `ERR_READING`: not a result of `read`, such as a request or a copy */
function ownTokenOf (reading: Reading): string {
  const token = ownTokens.get(reading)
  if (token === undefined) throw new UsageError('ERR_READING')
  return token
}

/** True if the request of a reading has a token of its own, which signs instead of the configured one. */
export const hasOwnToken = (reading: Reading): boolean => ownTokenOf(reading) !== ''

/** Completes a derivation with the fields that all variants read in the same way, and freezes the result. */
export function readingFrom (variant: Reading['variant'], derivation: Derivation, request: SignatureRequest): Reading {
  const accountNumberField = accountFieldOf(request)
  const clientTimeStamp = toText(request.clientTimeStamp)
  const ownToken = request.merchantToken ? toText(request.merchantToken) : ''
  const reading = Object.freeze({
    variant,
    ...derivation,
    clientTimeStamp,
    hasNumericTimeStamp: Number.isSafeInteger(request.clientTimeStamp),
    sid: toText(request.sid ?? ''),
    accountNumber: toText(request[accountNumberField]),
    accountNumberField
  })
  ownTokens.set(reading, ownToken)
  return reading
}

/**
 * Returns the two texts that are hashed (specification 4.2). The second contains the merchant token: never log it or
 * send it anywhere.
 */
export function preImagesOf ({ parts }: Rules, reading: Reading, merchantToken: string): Record<'part1' | 'part2', string> {
  const joined = (names: readonly TermName[]): string => {
    let text = ''
    for (const name of names) text += name === 'merchantToken' ? merchantToken : reading[name]
    return text
  }
  return { part1: joined(parts.part1), part2: joined(parts.part2) }
}

/** Reads requests under the rules of a variant. Reading needs no token. */
export class Reader {
  protected readonly rules: Rules

  constructor (rules: Rules) { this.rules = rules }

  get variant (): Variant { return this.rules.variant }

  /**
   * Reads a request: steps 1 to 6 of specification 4.1.
   *
   * @throws InvalidRequestError a required field is missing, or the amount is not positive (4.1, steps 2 to 5)
   * @throws SigningError `ERR_SID_INVALID`: variant A: `sid` is not a string, or blank; variant B: it is not a UUID
   * version 4 (4.3, rule 4; 4.4); `ERR_NOT_TEXT`: a value cannot be converted to text
   * @throws UsageError `ERR_REQUEST`: the request is not an object
   */
  read (request: SignatureRequest): Reading {
    const derivation = this.rules.derive(checkRequest(request))
    this.rules.checkSid(request.sid)
    return readingFrom(this.variant, derivation, request)
  }
}

/** Reads requests, and signs the readings with the merchant's token: {@link VariantA} or {@link VariantB}. */
export abstract class Signer extends Reader {
  readonly #merchantToken: string

  /** @throws UsageError `ERR_MERCHANT_TOKEN`: the token is empty, or not a string */
  constructor (rules: Rules, merchantToken: string) {
    super(rules)
    // Without this check `undefined` would be signed as the token.
    assertArgument(typeof merchantToken === 'string' && merchantToken !== '', 'ERR_MERCHANT_TOKEN')
    this.#merchantToken = merchantToken
  }

  /**
   * Returns the signature of a reading: `<part1>///<part2>`, two SHA-256 digests as 64 lowercase hexadecimal digits
   * each (specification 2.2, and 4.1, step 7). A request's own token takes precedence.
   *
   * @throws UsageError `ERR_READING`: not a result of `read` in the same variant, such as a request, or a copy
   */
  sign (reading: Reading): string {
    // Without these checks the terms of a request would be signed as `undefined`, and a copy without its own token.
    const ownToken = ownTokenOf(reading)
    if (reading.variant !== this.variant) throw new UsageError('ERR_READING')
    const { part1, part2 } = preImagesOf(this.rules, reading, ownToken || this.#merchantToken)
    return `${hash256(part1)}///${hash256(part2)}`
  }
}
