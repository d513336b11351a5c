import { InvalidRequestError, isRequestError, SigningError } from '../scheme/errors.js'

/** Converts a value that a signer threw to an error whose message the client gets (specification 4.1, step 7). */
export function failureOf (thrown: unknown): InvalidRequestError | SigningError {
  if (isRequestError(thrown)) return thrown
  return new SigningError('ERR_SIGNING_FAILED', thrown instanceof Error ? thrown.message : 'Signing failed', { cause: thrown })
}
