import { InvalidRequestError, SigningError } from './errors.js'
import type { SignatureRequest } from './signature-request.js'
import type { Signer } from './signer.js'

/** What failed while deriving or computing, as the error that specification 4.1, step 7, has answered with 500. */
function signingError (failure: unknown): SigningError {
  if (failure instanceof SigningError) return failure
  const message = failure instanceof Error ? failure.message : 'Signing failed'
  return new SigningError('ERR_SIGNING_FAILED', message, { cause: failure })
}

/** Step 1 of specification 4.1. */
function amountText ({ amount }: SignatureRequest): string {
  try {
    return String(amount)
  } catch (failure) {
    throw signingError(failure)
  }
}

/**
 * Steps 1 to 5 of specification 4.1. Their order is the order of the answers.
 *
 * @throws InvalidRequestError a required field is missing, or the amount is not positive
 * @throws SigningError the amount cannot be converted to text
 */
export function checkRequest (request: SignatureRequest): void {
  // parseFloat reads the leading decimal prefix; an absent amount is the text "undefined", which is not a number.
  if (Number.parseFloat(amountText(request)) <= 0) throw new InvalidRequestError('ERR_AMOUNT_NOT_POSITIVE')
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
 * Steps 6 and 7 of specification 4.1, for a request that {@link checkRequest} has passed.
 *
 * @throws SigningError what the signer threw, with its message and, unless it is a SigningError itself, as `cause`
 */
export function generateSignature (signer: Signer, request: SignatureRequest): string {
  try {
    return signer.sign(request)
  } catch (failure) {
    throw signingError(failure)
  }
}
