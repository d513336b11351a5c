import { isRefusal, refusedBy } from './backend.js'
import type { TokenFunction } from './guard-options.js'
import { strictTokenFault } from '../guard/strict.js'
import type { Reading } from '../scheme/request.js'
import type { Signer } from '../scheme/variant.js'
import { signerOf, type Variant } from '../scheme/variants.js'
import { isRefusedToken } from '../token/key-check-value.js'
import type { Asked } from './asked.js'
import type { DecideSettings } from './decide.js'

/**
 * Returns a function that returns the signer of each request, with a fixed token or with that of the request's account.
 *
 * @throws UsageError `ERR_MERCHANT_TOKEN`
 * @throws TypeError the token is the development token in production, or not allowed under `strict`
 */
export function signerSource (
  variant: Variant, merchantToken: string | TokenFunction, needsStrictToken: boolean, isProduction: boolean
): DecideSettings['signerOf'] {
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
    return async ({ reading, context }: Asked) => {
      let refusal
      try {
        const token = await merchantToken((reading as Reading).accountNumber.toWellFormed(), context)
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
