import { assertMerchantToken, assertRequest, UsageError } from './errors.js'
import type { Field, OperationFields, SignatureRequest } from './fields.js'
import { checkRequest, frozenReading, ownTokenOf, withTexts, type Derivation, type Reading } from './reading.js'
import { join, signatureOf, type Parts, type PreImages } from './signature.js'

/** Reads requests under a variant. Reading needs no token. */
export interface Reader {
  /** The variant's letter, as `GET /health` reports it. */
  readonly variant: string

  /** Returns the reading of a request. The route responds to errors as specification 4.1 requires. */
  read (request: SignatureRequest): Reading
}

/** Signs readings: {@link VariantA}, {@link VariantB}, a subclass of them, or a custom signer. */
export interface Signer extends Reader {
  /**
   * Returns `<part1>///<part2>`, two lowercase hexadecimal SHA-256 digests, or a promise of it.
   * The response to an error has status 500 and the error's message, which must not contain a secret.
   */
  signReading (reading: Reading): string | Promise<string>
}

/** Argument of a variant's constructor for a variant that reads but does not sign. */
export const noToken = Symbol('no token')

const tokenOf = Symbol('merchantToken')

/** The steps that all variants share: check, read, join, hash (specification 4.1 and 4.2). */
export abstract class VariantSigner implements Signer {
  abstract readonly variant: string
  /** The fields that each operation reads. */
  abstract readonly operations: Readonly<Record<string, OperationFields>>
  abstract readonly parts: Parts

  /**
   * Returns the token. A function hides the token when the object is printed. A private field would not work through a
   * Proxy.
   */
  declare private readonly [tokenOf]: () => string

  /**
   * @param merchantToken - the merchant's secret token; a request's own `merchantToken` takes precedence
   * @throws UsageError `ERR_MERCHANT_TOKEN`: the token is empty, or not a string
   */
  constructor (merchantToken: string | typeof noToken) {
    if (merchantToken === noToken) return
    assertMerchantToken(merchantToken)
    Object.defineProperty(this, tokenOf, { value: () => merchantToken })
  }

  /** Derives the terms of a request that has passed step 5 (specification 4.3 and 4.4). */
  protected abstract derive (request: SignatureRequest): Derivation

  /** Returns the text under which a field of the operation is signed. */
  protected abstract textOf (field: Field, value: unknown): string

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
   * @throws InvalidRequestError a required field is missing, or the amount is not positive (4.1, steps 2 to 5)
   * @throws SigningError `ERR_SID_INVALID` (4.3, rule 4; 4.4); `ERR_NOT_TEXT`: a value cannot be converted to text
   * @throws UsageError `ERR_REQUEST`: the request is not an object
   */
  read (request: SignatureRequest): Reading {
    assertRequest(request)
    const texts = withTexts(request)
    checkRequest(texts)
    const derivation = this.derive(texts)
    this.checkSid(request.sid)
    return frozenReading(this.variant, request, texts, derivation, (field, value) => this.textOf(field, value))
  }

  /** Reads a request that {@link read} may refuse. Returns undefined if a value cannot be converted to text. */
  readLoosely (request: SignatureRequest): Reading | undefined {
    try {
      const texts = withTexts(request)
      const derivation = this.derive(texts)
      return frozenReading(this.variant, request, texts, derivation, (field, value) => this.textOf(field, value))
    } catch {
      return undefined
    }
  }

  /**
   * Returns the signature of a reading of the same variant: step 7 of specification 4.1.
   *
   * @throws UsageError `ERR_MERCHANT_TOKEN`: the variant has no token
   */
  signReading (reading: Reading): string {
    const merchantToken = ownTokenOf(reading) ?? this[tokenOf]?.()
    if (merchantToken === undefined) throw new UsageError('ERR_MERCHANT_TOKEN')
    return signatureOf(this.preImagesOf(reading, merchantToken))
  }

  /** Returns the two texts that are hashed (specification 4.2). The second contains the token. */
  preImagesOf (reading: Reading, merchantToken: string): PreImages {
    const { part1, part2 } = this.parts
    return { part1: join(part1, reading, merchantToken), part2: join(part2, reading, merchantToken) }
  }
}
