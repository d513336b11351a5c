import { RefusedError, refusedBy, type Refusal } from '../http/refusals.js'
import { isRequestError } from '../scheme/errors.js'
import type { Reading, SignatureRequest } from '../scheme/request.js'
import type { Reader, Signer } from '../scheme/signer.js'
import { Redactor } from './redactor.js'

/** Returns the token of an account, or a refusal with a status from 400 to 499. */
export type TokenOf<Context = unknown> =
  (accountNumber: string, context: Context) => string | Refusal | Promise<string | Refusal>

/** A merchant reads and signs the requests for its accounts. */
export interface Merchant {
  /** Name in the file of merchants. */
  readonly name?: string | undefined
  /** True if a request's own token may sign. */
  readonly allowsOwnToken: boolean
  readonly read: (request: SignatureRequest, isStrict: boolean) => Reading | Promise<Reading>
  /** Returns the signature of a reading of this merchant (specification 4.1, step 7). */
  readonly sign: (reading: Reading, context: unknown) => Promise<string>
  /** Returns a text without the token. */
  readonly redact: (text: string) => string
}

/** The merchants of the service, in one state of their file. A service with one token has one, for every account. */
export interface Merchants {
  /** Returns the merchant of an account; undefined for an unknown account. */
  readonly merchantOf: (accountNumber: string) => Merchant | undefined
  /** Reads the requests for refused accounts. All are of one variant: messages about sid would show which exist. */
  readonly reader: Reader
  /** `A`, `B`, `A,B`, or that of a custom signer. */
  readonly variant: string
  /** Origin of the token, for the log. */
  readonly tokenSource: string
  /** Fingerprint of all tokens; empty without a configured one. */
  readonly keyCheckValue: string
}

/** Returns the error of a signer with its message, which the client gets (specification 4.1, step 7). */
function signingError (thrown: unknown): unknown {
  if (thrown instanceof RefusedError || isRequestError(thrown)) return thrown
  const message = thrown instanceof Error ? thrown.message : 'Signing failed'
  return new RefusedError('signing-failed', message, { cause: thrown })
}

/** Signs a reading. A custom signer may be asynchronous, and may have no types. */
async function sign (signer: Signer, reading: Reading): Promise<string> {
  try {
    const signature: unknown = await signer.signReading(reading)
    if (typeof signature === 'string' && signature !== '') return signature
    throw new RefusedError('signing-failed', undefined, { cause: new TypeError('signReading returned no text') })
  } catch (thrown) {
    throw signingError(thrown)
  }
}

/**
 * Returns the merchant of a signer: a variant with the merchant's token, or a custom signer.
 *
 * @param name - name in the file of merchants. In a file, an account has one token: a request's own one is refused.
 */
export function merchantWithSigner (signer: Signer, token = '', name?: string): Merchant {
  const redactor = new Redactor()
  redactor.hide(token)
  return {
    name,
    allowsOwnToken: name === undefined,
    async read (request, isStrict) {
      try {
        return await signer.read(request, isStrict)
      } catch (thrown) {
        throw signingError(thrown)
      }
    },
    sign: reading => sign(signer, reading),
    redact: text => redactor.redact(text)
  }
}

/**
 * Returns the merchant whose token depends on the account, by a custom function.
 *
 * @param signerWith - returns the signer with a token, and throws for one that cannot be used
 */
export function merchantWithTokenOf (
  tokenOf: TokenOf, reader: Reader, signerWith: (token: string) => Signer
): Merchant {
  async function signerFor ({ accountNumber }: Reading, context: unknown): Promise<Signer> {
    try {
      const token = await tokenOf(accountNumber.toWellFormed(), context)
      const refusal = refusedBy(token)
      if (refusal !== undefined) throw refusal
      return signerWith(token as string)
    } catch (error) { // that of a vault, for example, has a status and a text that are not for the client
      throw error instanceof RefusedError ? error : new RefusedError('fault', undefined, { cause: error })
    }
  }
  return {
    allowsOwnToken: true,
    read: (request, isStrict) => reader.read(request, isStrict),
    sign: async (reading, context) => sign(await signerFor(reading, context), reading),
    redact: text => text
  }
}
