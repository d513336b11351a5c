import { InvalidRequestError } from './errors.js'
import type { SignatureRequest } from './request.js'
import { toText } from './text.js'

/**
 * Steps 1 to 5 of specification 4.1. Their order is the order of the responses.
 *
 * @throws InvalidRequestError a required field is missing, or the amount is not positive
 * @throws SigningError `ERR_NOT_TEXT`: the amount cannot be converted to text
 */
export function checkRequest (request: SignatureRequest): void {
  // parseFloat reads the leading decimal prefix; an absent amount is the text "undefined", which is not a number.
  if (Number.parseFloat(toText(request.amount)) <= 0) throw new InvalidRequestError('ERR_AMOUNT_NOT_POSITIVE')
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
