import { RefusedError, refusedBy, type Refusal } from '../http/refusals.js'
import { within } from '../http/within.js'
import type { Reading } from '../scheme/request.js'
import type { Reader, Signer } from '../scheme/signer.js'
import type { Variant } from '../scheme/variants.js'
import { Redactor } from './redactor.js'

/** Returns the token of an account, or a refusal with a status from 400 to 499. Has AUTHORIZE_TIMEOUT for it. */
export type TokenOf<Context = unknown> =
  (accountNumber: string, context: Context) => string | Refusal | Promise<string | Refusal>

/** The class of each variant. */
export type Signers = Readonly<Record<Variant, new (merchantToken: string) => Signer>>

/** A merchant, whose reader and token are for the requests for its accounts. */
export interface Merchant {
  /** Name in the file of merchants. */
  readonly name?: string | undefined
  /** False for the merchant of unknown and forbidden accounts. */
  readonly isKnown: boolean
  readonly reader: Reader
  /** Returns the signature of a reading of its reader (specification 4.1, step 7). */
  readonly sign: (reading: Reading, context: unknown) => string | Promise<string>
  /** Returns a text without the token. One that only `tokenOf` knows is not hidden. */
  readonly redact: (text: string) => string
}

/** The merchants of the service, in one state of their file. */
export interface Merchants {
  /**
   * Returns the merchant of an account.
   *
   * @param allowed - the accounts that the caller may use. Default: all.
   */
  readonly merchantOf: (accountNumber: string, allowed?: readonly string[]) => Merchant
  /** `A`, `B`, or `A,B`. */
  readonly variant: Variant | 'A,B'
  /** Origin of the token, for the log. */
  readonly tokenSource: string
  /** Fingerprint of all tokens; empty without a configured one. */
  readonly keyCheckValue: string
}

/** Returns the merchants of a service with one merchant, who has all accounts. */
export const onlyMerchant = (merchant: Merchant, rest: Omit<Merchants, 'merchantOf'>): Merchants =>
  ({ merchantOf: () => merchant, ...rest })

export const unchanged = (text: string): string => text

/** Returns the merchant of a signer with its token. */
export function merchantWith (signer: Signer, token: string, name?: string): Merchant {
  const redactor = new Redactor()
  redactor.hide(token)
  return {
    name,
    isKnown: true,
    reader: signer,
    sign: reading => signer.sign(reading),
    redact: text => redactor.redact(text)
  }
}

/**
 * Returns the merchant whose token depends on the account, by a custom function.
 *
 * @param timeout - time for the function, in milliseconds
 * @param signerWith - returns the signer with a token, and throws for one that cannot be used
 */
export function merchantWithTokenOf (
  tokenOf: TokenOf, timeout: number, reader: Reader, signerWith: (token: string) => Signer
): Merchant {
  const late = new Error(`tokenOf has no result within ${timeout} ms`)
  return {
    isKnown: true,
    reader,
    async sign (reading, context) {
      let refusal: RefusedError | undefined
      try {
        const token = await within(timeout, () => tokenOf(reading.accountNumber.toWellFormed(), context), late)
        refusal = refusedBy(token)
        if (refusal === undefined) return signerWith(token as string).sign(reading)
      } catch (cause) { // the error of a vault, for example, has a status and a text that are not for the client
        throw new RefusedError('fault', undefined, { cause })
      }
      throw refusal
    },
    redact: unchanged
  }
}
