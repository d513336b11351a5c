import { isRefusal, refusedBy } from './backend.js'
import type { SignerSource, Signing, TokenFunction } from './options.js'
import { strictTokenFault } from '../guard/strict.js'
import { failureOf } from '../http/refused-error.js'
import type { Reading } from '../scheme/request.js'
import { assertArgument } from '../scheme/errors.js'
import type { Signer } from '../scheme/variant.js'
import { isVariant, readerOf, signerOf, type Variant } from '../scheme/variants.js'
import type { Modes } from '../settings/modes.js'
import type { Merchants } from '../token/merchants-in-use.js'
import { isRefusedToken } from '../token/key-check-value.js'

/** Sources of a signature, of which one is given: merchants, a signer, or a variant and its token. */
interface SigningSources {
  merchants?: Merchants | undefined
  signer?: Signer | undefined
  variant?: unknown
  merchantToken?: string | TokenFunction | undefined
}

/**
 * Returns what reads and signs.
 *
 * @throws UsageError `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`
 * @throws TypeError the token is the development token in production, or not allowed under `strict`
 */
export function signingOf (
  { merchants, signer, variant = signer?.variant, merchantToken = '' }: SigningSources, { refusesAmbiguity }: Modes,
  isProduction: boolean
): Signing {
  // The reader is not used: each merchant has its own.
  if (merchants !== undefined) return { variant: 'A,B', reader: readerOf('A'), merchants, signerFor: merchants.signerFor }
  assertArgument(isVariant(variant), 'ERR_VARIANT')
  if (signer !== undefined) return { variant, reader: signer, merchants, signerFor: () => signer }
  return {
    variant,
    reader: readerOf(variant),
    merchants,
    signerFor: signerSource(variant, merchantToken, refusesAmbiguity, isProduction)
  }
}

/**
 * Signs a reading (specification 4.1, step 7). A custom signer may be asynchronous, and may have no types.
 *
 * @throws SigningError `ERR_SIGNING_FAILED`: the signer failed
 */
export async function signWith (signer: Signer, reading: Reading): Promise<string> {
  let signature: unknown
  try {
    signature = await signer.signReading(reading)
  } catch (thrown) {
    throw failureOf(thrown)
  }
  if (typeof signature !== 'string' || signature === '') throw new TypeError('signReading returned no text')
  return signature
}

/**
 * Returns a function that returns the signer of each request, with a fixed token or with that of the request's account.
 *
 * @throws UsageError `ERR_MERCHANT_TOKEN`
 * @throws TypeError the token is the development token in production, or not allowed under `strict`
 */
function signerSource (
  variant: Variant, merchantToken: string | TokenFunction, needsStrictToken: boolean, isProduction: boolean
): SignerSource {
  function signerWith (token: string): Signer {
    const signer = signerOf(variant, token)
    if (isRefusedToken(token, isProduction)) {
      throw new TypeError('merchantToken is the development token, which everybody knows: production refuses it')
    }
    const fault = needsStrictToken ? strictTokenFault(token) : undefined
    if (fault !== undefined) throw new TypeError(`strict ${fault}`)
    return signer
  }

  if (typeof merchantToken === 'function') {
    return async ({ context }, { accountNumber }) => {
      let refusal
      try {
        const token = await merchantToken(accountNumber.toWellFormed(), context)
        if (!isRefusal(token)) return signerWith(token)
        refusal = token
      } catch (cause) {
        // The error of a vault, for example, has a status and a text that are not for the client.
        throw new Error('merchantToken failed', { cause })
      }
      throw refusedBy(refusal)
    }
  }
  const fixed = signerWith(merchantToken)
  return () => fixed
}
