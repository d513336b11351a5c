import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { IdentifiedCaller } from '../guard/policy.js'
import { RefusedError } from '../http/errors.js'
import type { Reading } from '../scheme/request.js'
import type { Signing } from './signing.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The attempt to get a signature; null on other routes, and before it began. */
    signingAttempt: Attempt | null
  }
}

/** An attempt to get a signature: what is known about a request so far, and how far it is. */
export interface Attempt {
  /**
   * - `open`: on arrival
   * - `deciding`: the handler runs
   * - `signed`: the signature is being recorded
   * - `answered`: it is released
   * - `closed`: a refusal, or another answer, has begun: nothing is signed, recorded or released any more
   */
  state: 'open' | 'deciding' | 'signed' | 'answered' | 'closed'
  /** Undefined without a policy, and for an unknown caller. */
  caller?: IdentifiedCaller | undefined
  /** SHA-256 of the API key on arrival; undefined without a header, and without a policy. */
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
  /** Code of the refusal that `strict: 'report'` only reports. */
  wouldRefuse?: string | undefined
}

/** Returns the attempt of a request. A request that is refused before our hook gets it then. */
export const attemptOf = (request: FastifyRequest): Attempt => (request.signingAttempt ??= { state: 'open' })

/** True if the client has hung up, or the headers of a response were sent. */
export const isSent = ({ raw, request }: FastifyReply): boolean => raw.headersSent || request.raw.socket.destroyed

/** True if another answer has begun. After a time-out, the host's `onError` hooks run before our error handler. */
const hasOther = ({ state }: Attempt, reply: FastifyReply): boolean =>
  state === 'closed' || isSent(reply) ||
  (Boolean((reply.server.initialConfig as FastifyServerOptions).handlerTimeout) && // a signal costs time
    (reply.request.signal.reason as { code?: string } | undefined)?.code === 'FST_ERR_HANDLER_TIMEOUT')

/** Statuses of the host that are kept with a signature. The others mean another answer, or cannot have a body. */
const ofSignature: readonly number[] = [200, 201, 202, 203, 206]

/**
 * True if no signature may be released: a refusal has begun, a hook of the host has answered, or the client has hung
 * up. Fastify runs the handler in each of these cases. While a slow `onSend` hook of the host holds an answer, only its
 * status shows it.
 */
export const isOver = (attempt: Attempt, reply: FastifyReply): boolean =>
  !ofSignature.includes(reply.statusCode) || hasOther(attempt, reply)

/** Closes the attempt of a payload that is not our signature, in the hooks that each payload passes. */
export function closeOnPayload <T> (
  request: FastifyRequest, _reply: FastifyReply, payload: T, done: (error: null, payload: T) => void
): void {
  const attempt = attemptOf(request)
  if (attempt.state !== 'answered') attempt.state = 'closed'
  done(null, payload)
}

/** Time in which another answer must follow a status that a hook of the host has set, in milliseconds. */
const patience = 1000

/** Waits for another answer than ours. Throws if a hook of the host has only set a status: nobody would answer. */
export async function otherAnswer (attempt: Attempt, reply: FastifyReply): Promise<void> {
  const { raw, statusCode } = reply
  if (!hasOther(attempt, reply)) await finished(raw, { signal: AbortSignal.timeout(patience) }).catch(() => {})
  if (hasOther(attempt, reply)) return
  const cause = new Error(`a hook has set the status ${statusCode} and sent no response`)
  throw new RefusedError('fault', undefined, { cause })
}
