import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IdentifiedCaller } from '../guard/policy.js'
import type { Reading } from '../scheme/request.js'
import type { Signing } from './signing.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The attempt to get a signature; null on other routes, and before it began. */
    signingAttempt: Attempt | null
  }
}

/** An attempt to get a signature: what is known about a request so far, and whether it is decided. */
export interface Attempt {
  /** Undefined without a policy, and for an unknown caller. */
  caller?: IdentifiedCaller | undefined
  /** Undefined before the account was read, and for an unknown or forbidden account. */
  signing?: Signing | undefined
  /** Result of the option `context`. */
  context?: unknown
  hasOwnToken?: boolean
  /** First field that the body has twice, if a strict guard needs to know. */
  duplicate?: string | undefined
  /** Undefined before the body was read, and if the scheme refuses the request. */
  reading?: Reading
  /** Code of the refusal that `strict: 'report'` only reports. */
  wouldRefuse?: string | undefined
  /** The response with the signature, once it is released. */
  answer?: { readonly signature: string }
  /** True once a decision was recorded and counted: the first one, and no other. */
  isRecorded?: boolean
  /** True once another answer has begun: nothing of the request is signed any more. */
  isClosed?: boolean
}

/** Returns the attempt of a request. A request that is refused before our hook gets it then. */
export const attemptOf = (request: FastifyRequest): Attempt => (request.signingAttempt ??= {})

/** True if the client has hung up, or the headers of a response were sent. */
export const isSent = ({ raw, request }: FastifyReply): boolean => raw.headersSent || request.raw.socket.destroyed

/**
 * True if no signature may be released: a refusal has begun, a hook of the host has answered, or the client has hung
 * up. Fastify runs the handler in each of these cases, and `reply.sent` is false while an `onSend` hook waits.
 */
export const isDecided = (attempt: Attempt, reply: FastifyReply): boolean =>
  attempt.isClosed === true || reply.statusCode !== 200 || isSent(reply)

/** Closes the attempt of a payload that is not our signature, in the hooks that each payload passes. */
export function closeOnPayload <T> (
  request: FastifyRequest, _reply: FastifyReply, payload: T, done: (error: null, payload: T) => void
): void {
  const attempt = attemptOf(request)
  if (attempt.answer === undefined) attempt.isClosed = true
  done(null, payload)
}
