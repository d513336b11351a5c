import { readingOf } from '../plugins/signing/request-reader.js'
import type { GenerateSignatureOptions } from '../routes/generate-signature.js'
import { isRefusal, refusedBy } from './backend/backend.js'
import type { TokenFunction } from './configuration/guard-options.js'
import { strictTokenFault } from './guard/strict.js'
import type { Signer } from './scheme/variant.js'
import { signerOf, type Variant } from './scheme/variants.js'
import { isRefusedToken } from './token/development-token.js'

/**
 * Returns a function that returns the signer of each request, with a fixed token or with that of the request's account.
 *
 * @throws UsageError `ERR_MERCHANT_TOKEN`
 * @throws TypeError the token is the development token in production, or not allowed under `strict`
 */
export function signerSource (
  variant: Variant, merchantToken: string | TokenFunction, needsStrictToken: boolean, isProduction: boolean
): GenerateSignatureOptions['signer'] {
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
    return async request => {
      let refusal
      try {
        const token = await merchantToken(readingOf(request).accountNumber.toWellFormed(), request.signingContext)
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
