import { strictTokenFault } from '../guard/strict.js'
import { RefusedError } from '../http/errors.js'
import { assertArgument, isRequestError, SigningError, UsageError } from '../scheme/errors.js'
import type { Reading } from '../scheme/request.js'
import type { Reader, Signer } from '../scheme/variant.js'
import { isVariant, readerOf, signerOf, type Variant } from '../scheme/variants.js'
import { isProduction } from '../settings/environment.js'
import { developmentToken } from '../token/key-check-value.js'
import { Redactor } from '../token/redactor.js'
import { isRefusal, refusedBy, type Refusal } from './authorize.js'

/** Returns the token of an account, or a refusal with a status from 400 to 499. */
export type TokenFunction<Context = unknown> =
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

/** @throws UsageError `ERR_MERCHANT_TOKEN`: the development token in production, or a token that `strict` refuses */
function assertToken (token: string, strict: boolean): void {
  if (token === developmentToken && isProduction()) {
    throw new UsageError('ERR_MERCHANT_TOKEN',
      'merchantToken is the development token, which everybody knows: production refuses it')
  }
  const fault = strict ? strictTokenFault(token) : undefined
  if (fault !== undefined) throw new UsageError('ERR_MERCHANT_TOKEN', `strict ${fault}`)
}

/**
 * Returns the signing with a token, or with the token that a function returns for each account.
 *
 * @throws UsageError `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`
 */
export function signingBy (
  variant: Variant | undefined, merchantToken: string | TokenFunction = '', strict = false
): Signing {
  assertArgument(isVariant(variant), 'ERR_VARIANT')
  if (typeof merchantToken !== 'function') {
    const signer = signerOf(variant, merchantToken)
    assertToken(merchantToken, strict)
    return signingWith(signer, merchantToken)
  }

  async function signerFor (reading: Reading, context: unknown): Promise<Signer> {
    const token = await (merchantToken as TokenFunction)(reading.accountNumber.toWellFormed(), context)
    if (isRefusal(token)) throw refusedBy(token)
    const signer = signerOf(variant as Variant, token)
    assertToken(token, strict)
    return signer
  }
  return {
    reader: readerOf(variant),
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
