import { RefusedError } from './refused-error.js'
import { InvalidRequestError, isRequestError, SigningError } from '../scheme/errors.js'

/** Converts a value that a signer threw to an error whose message the client gets (specification 4.1, step 7). */
export function failureOf (thrown: unknown): InvalidRequestError | SigningError | RefusedError {
  if (isRequestError(thrown) || thrown instanceof RefusedError) return thrown
  return new SigningError('ERR_SIGNING_FAILED', thrown instanceof Error ? thrown.message : 'Signing failed', { cause: thrown })
}
