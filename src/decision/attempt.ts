import type { FastifyRequest } from 'fastify'
import type { IdentifiedCaller } from '../guard/policy.js'
import type { Reading } from '../scheme/request.js'
import type { Signing } from './signing.js'

/** An attempt to get a signature: what is known about a request so far. */
export interface Attempt {
  /** True once the decision is recorded. A failure after it must not record a second one. */
  isRecorded?: boolean
  /** Undefined without a policy, and for an unknown caller. */
  caller?: IdentifiedCaller | undefined
  /** SHA-256 of the API key; undefined without a header, and without a policy. */
  keyDigest?: string | undefined
  /** Undefined before the account was read, and for an unknown or forbidden account. */
  signing?: Signing | undefined
  /** Result of the option `context`. */
  context?: unknown
  hasOwnToken?: boolean
  /** First field that the body has twice, if a strict guard needs to know. */
  duplicate?: string | undefined
  /** Undefined before the body was read, and if the scheme refuses the request. */
  reading?: Reading
  /** Code of the refusal that STRICT=report only reports. */
  wouldRefuse?: string | undefined
}

/** Returns the attempt of a request. A request that is refused before our first hook gets it then. */
export const attemptOf = (request: FastifyRequest): Attempt => (request.attempt ??= {})
