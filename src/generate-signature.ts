import { InvalidRequestError, SigningError } from './errors.js'
import type { SignatureRequest } from './signature-request.js'
import type { Signer } from './signer.js'

/** Steps 1 to 5 of specification 4.1. Their order is the order of the answers. */
function checkRequest (request: SignatureRequest): void {
  // parseFloat reads the leading decimal prefix; an absent amount is the text "undefined", which is not a number.
  if (Number.parseFloat(String(request.amount)) <= 0) throw new InvalidRequestError('ERR_AMOUNT_NOT_POSITIVE')
  if (!request.merchantAccountNumber && !request.accountNumber) {
    throw new InvalidRequestError('ERR_ACCOUNT_NUMBER_REQUIRED')
  }
  if (request.sid === undefined || request.sid === null || request.sid === '') {
    throw new InvalidRequestError('ERR_SID_REQUIRED')
  }
  if (request.clientTimeStamp === undefined || request.clientTimeStamp === null) {
    throw new InvalidRequestError('ERR_CLIENT_TIMESTAMP_REQUIRED')
  }
}

/**
 * Checks a request and signs it: the processing order of specification 4.1.
 *
 * @throws InvalidRequestError a required field is missing, or the amount is not positive
 * @throws SigningError anything else that failed, with the failure's own message and, as `cause`, the failure
 */
export function generateSignature (signer: Signer, request: SignatureRequest): string {
  try {
    checkRequest(request)
    return signer.sign(request)
  } catch (failure) {
    if (failure instanceof InvalidRequestError || failure instanceof SigningError) throw failure
    const message = failure instanceof Error ? failure.message : 'Signing failed'
    throw new SigningError('ERR_SIGNING_FAILED', message, { cause: failure })
  }
}
