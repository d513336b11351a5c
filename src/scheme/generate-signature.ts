import { InvalidRequestError, SigningError } from './errors.js'
import type { SignatureRequest } from './signature-request.js'
import type { Signer } from './signer.js'

/**
 * Steps 6 and 7 of specification 4.1, with whatever signs.
 *
 * @throws InvalidRequestError the signer refuses the request
 * @throws SigningError what else the signer threw, with its message and, unless it is a SigningError itself, as `cause`
 */
export function generateSignature (signer: Signer, request: SignatureRequest): string {
  try {
    return signer.sign(request)
  } catch (failure) {
    if (failure instanceof SigningError || failure instanceof InvalidRequestError) throw failure
    const message = failure instanceof Error ? failure.message : 'Signing failed'
    throw new SigningError('ERR_SIGNING_FAILED', message, { cause: failure })
  }
}
