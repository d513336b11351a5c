import type { Reading } from '../scheme/request.js'
import type { Reader, Signer } from '../scheme/signer.js'
import type { Variant } from '../scheme/variants.js'
import { Redactor } from './redactor.js'

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
  readonly sign: (reading: Reading) => string | Promise<string>
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
  /** Fingerprint of all tokens; empty if only `tokenOf` knows them. */
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
