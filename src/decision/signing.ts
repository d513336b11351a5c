import { RefusedError } from '../http/errors.js'
import { isRequestError, SigningError } from '../scheme/errors.js'
import type { Reading } from '../scheme/request.js'
import type { Reader, Signer } from '../scheme/signer.js'
import { Redactor } from '../token/redactor.js'
import { isRefusal, refusedBy, type Refusal } from './authorize.js'

/** Returns the token of an account, or a refusal with a status from 400 to 499. */
export type TokenOf<Context = unknown> =
  (accountNumber: string, context: Context) => string | Refusal | Promise<string | Refusal>

/** Reads and signs the requests of an account. */
export interface Signing {
  readonly reader: Reader
  /** Returns the signer of a reading of this reader. */
  readonly signerFor: (reading: Reading, context: unknown) => Signer | Promise<Signer>
  /** Name in the file of merchants. */
  readonly name?: string | undefined
  /** Returns a text without the token. Default: the text. */
  readonly redact?: ((text: string) => string) | undefined
}

/** Returns the signing of an account; undefined for an account that is not known. */
export type SigningOf = (accountNumber: string) => Signing | undefined

/** Returns the signing by one object: a variant with its token, or a custom signer. */
export function signingWith (signer: Signer, token = '', name?: string): Signing {
  const redactor = new Redactor()
  redactor.hide(token)
  return { reader: signer, signerFor: () => signer, name, redact: text => redactor.redact(text) }
}

/**
 * Returns the signing with the token that a function returns for each account.
 *
 * @param signerWith - returns the signer with a token, and throws for one that cannot be used
 */
export function signingBy (tokenOf: TokenOf, reader: Reader, signerWith: (token: string) => Signer): Signing {
  async function signerFor ({ accountNumber }: Reading, context: unknown): Promise<Signer> {
    const token = await tokenOf(accountNumber.toWellFormed(), context)
    if (isRefusal(token)) throw refusedBy(token)
    return signerWith(token)
  }
  return {
    reader,
    // The error of a vault, for example, has a status and a text that are not for the client.
    signerFor: (reading, context) => signerFor(reading, context).catch(error => {
      throw error instanceof RefusedError ? error : new RefusedError('fault', undefined, { cause: error })
    })
  }
}

/** Runs a step of a signer. The client gets the message of its error (specification 4.1, step 7). */
export async function asSigner<T> (step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (thrown) {
    if (thrown instanceof RefusedError || isRequestError(thrown)) throw thrown
    const message = thrown instanceof Error ? thrown.message : 'Signing failed'
    throw new SigningError('ERR_SIGNING_FAILED', message, { cause: thrown })
  }
}

/** Signs a reading (specification 4.1, step 7). A custom signer may be asynchronous, and may have no types. */
export async function sign (signer: Signer, reading: Reading): Promise<string> {
  const signature: unknown = await asSigner(() => signer.signReading(reading))
  if (typeof signature === 'string' && signature !== '') return signature
  throw new RefusedError('signing-failed', undefined, { cause: new TypeError('signReading returned no text') })
}
