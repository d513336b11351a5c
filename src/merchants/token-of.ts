import { contexts } from '../http/context.js'
import { RefusedError, refusedBy, type Refusal } from '../http/refusals.js'
import { within } from '../http/within.js'
import type { Reader, Signer } from '../scheme/signer.js'
import { unchanged, type Merchant } from './merchant.js'

/** Returns the token of an account, or a refusal with a status from 400 to 499. Has AUTHORIZE_TIMEOUT for it. */
export type TokenOf<Context = unknown> =
  (accountNumber: string, context: Context) => string | Refusal | Promise<string | Refusal>

/**
 * Returns the merchant whose token depends on the account, by a custom function.
 *
 * @param timeout - time for the function, in milliseconds
 * @param signerWith - returns the signer with a token, and throws for one that cannot be used
 */
export function merchantWithTokenOf (
  tokenOf: TokenOf, timeout: number, reader: Reader, signerWith: (token: string) => Signer
): Merchant {
  const late = () => new Error(`tokenOf has no result within ${timeout} ms`)
  return {
    isKnown: true,
    reader,
    async sign (reading) {
      let refusal: RefusedError | undefined
      try {
        const account = reading.accountNumber.toWellFormed()
        const token = await within(timeout, () => tokenOf(account, contexts.getStore()), late)
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
