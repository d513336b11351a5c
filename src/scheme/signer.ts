import { hash } from 'node:crypto'
import { assertArgument } from './errors.js'
import { checkRequest, toText, type Derivation, type Reading, type SignatureRequest, type TermName } from './request.js'

/** Signs readings: {@link VariantA}, {@link VariantB}, a subclass of them, or a custom signer. */
export interface Signer {
  /** The variant's letter, as `GET /health` reports it. */
  readonly variant: string

  /**
   * Returns the reading of a request. The route responds to errors as specification 4.1 requires.
   *
   * @param isStrict - true if the strict rule judges the reading: it knows `clear-cache`
   */
  read (request: SignatureRequest, isStrict?: boolean): Reading

  /**
   * Returns `<part1>///<part2>`, two lowercase hexadecimal SHA-256 digests, or a promise of it.
   * The response to an error has status 500 and the error's message, which must not contain a secret.
   */
  signReading (reading: Reading): string | Promise<string>
}

/** Reads requests under a variant. Reading needs no token. */
export type Reader = Pick<Signer, 'variant' | 'read'>

/** Argument of a variant's constructor for a variant that reads but does not sign. */
export const noToken = Symbol('no token')

/**
 * Name of a function that returns a token: that of a variant, or a request's own one. The function hides the token when
 * the object is printed, and a copy of a reading has it, too.
 */
const hidden = Symbol('merchantToken')

/**
 * Returns the SHA-256 of the UTF-8 bytes of `text` as 64 lowercase hexadecimal digits (specification 4.2).
 * A lone surrogate is hashed as U+FFFD.
 */
export const hash256 = (text: string): string => hash('sha256', text, 'hex')

/** The steps that all variants share: check, read, join, hash (specification 4.1 and 4.2). */
export abstract class VariantSigner implements Signer {
  abstract readonly variant: string
  /** The fields that each operation reads. */
  abstract readonly operations: Readonly<Record<string, Derivation['sources']>>
  /** The terms of both parts in the order in which they are joined, with nothing between them. */
  abstract readonly parts: Readonly<Record<'part1' | 'part2', readonly TermName[]>>

  declare private readonly [hidden]: () => string

  /**
   * @param merchantToken - the merchant's secret token; a request's own `merchantToken` takes precedence
   * @throws UsageError `ERR_MERCHANT_TOKEN`: the token is empty, or not a string
   */
  constructor (merchantToken: string | typeof noToken) {
    if (merchantToken === noToken) return
    // Without this check `undefined` would be signed as the token.
    assertArgument(typeof merchantToken === 'string' && merchantToken !== '', 'ERR_MERCHANT_TOKEN')
    Object.defineProperty(this, hidden, { value: () => merchantToken })
  }

  /** Derives the terms of a request that has passed step 5 (specification 4.3 and 4.4). */
  protected abstract derive (request: SignatureRequest, isStrict: boolean): Derivation

  /** @throws SigningError `ERR_SID_INVALID` */
  protected abstract checkSid (sid: unknown): void

  /**
   * Returns the signature of a request, whose `clientTimeStamp` is in epoch milliseconds: `<part1>///<part2>`, two
   * SHA-256 digests as 64 lowercase hexadecimal digits each (specification 2.2 and 4.1).
   *
   * @throws InvalidRequestError a required field is missing, or the amount is not positive
   * @throws SigningError `ERR_SID_INVALID`: variant A: `sid` is not a string, or blank; variant B: it is not a UUID
   * version 4; `ERR_NOT_TEXT`: a value cannot be converted to text
   * @throws UsageError `ERR_REQUEST`: the request is not an object
   */
  sign (request: SignatureRequest): string {
    return this.signReading(this.read(request))
  }

  /**
   * Reads a request: steps 1 to 6 of specification 4.1.
   *
   * @param isStrict - true: the reading of a clear cache has this operation; it is signed like the purchase
   * @throws InvalidRequestError a required field is missing, or the amount is not positive (4.1, steps 2 to 5)
   * @throws SigningError `ERR_SID_INVALID` (4.3, rule 4; 4.4); `ERR_NOT_TEXT`: a value cannot be converted to text
   * @throws UsageError `ERR_REQUEST`: the request is not an object
   */
  read (request: SignatureRequest, isStrict = false): Reading {
    const derivation = this.derive(checkRequest(request), isStrict)
    this.checkSid(request.sid)
    return this.readingWith(derivation, request)
  }

  /** Completes a derivation with the fields that all variants read in the same way, and freezes the result. */
  protected readingWith (derivation: Derivation, request: SignatureRequest): Reading {
    const clientTimeStamp = toText(request.clientTimeStamp)
    const ownToken = request.merchantToken ? toText(request.merchantToken) : undefined
    const accountNumberField = request.merchantAccountNumber ? 'merchantAccountNumber' : 'accountNumber'
    return Object.freeze({
      variant: this.variant,
      ...derivation,
      clientTimeStamp,
      hasNumericTimeStamp: Number.isSafeInteger(request.clientTimeStamp),
      sid: toText(request.sid ?? ''),
      accountNumber: toText(request[accountNumberField]),
      accountNumberField,
      ...ownToken !== undefined && { [hidden]: () => ownToken }
    })
  }

  /**
   * Returns the signature of a reading of the same variant: step 7 of specification 4.1.
   *
   * @throws UsageError `ERR_MERCHANT_TOKEN`: the variant has no token
   */
  signReading (reading: Reading): string {
    const merchantToken = ((reading as { [hidden]?: () => string })[hidden] ?? this[hidden])?.()
    assertArgument(merchantToken !== undefined, 'ERR_MERCHANT_TOKEN')
    const { part1, part2 } = this.preImagesOf(reading, merchantToken)
    return `${hash256(part1)}///${hash256(part2)}`
  }

  /**
   * Returns the two texts that are hashed (specification 4.2). The second contains the merchant token: never log it or
   * send it anywhere.
   */
  preImagesOf (reading: Reading, merchantToken: string): Readonly<Record<'part1' | 'part2', string>> {
    const join = (names: readonly TermName[]): string => {
      let text = ''
      for (const name of names) text += name === 'merchantToken' ? merchantToken : reading[name]
      return text
    }
    return { part1: join(this.parts.part1), part2: join(this.parts.part2) }
  }
}
