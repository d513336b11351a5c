import type { FastifyRequest } from 'fastify'

/** A refused request. */
interface Refusal {
  /** The thrown value. */
  readonly error: unknown
  /** The message for the client. */
  readonly message: string
  /** True for a refusal that is logged only as part of a count. */
  readonly isRepeated: boolean
}

const refusals = new WeakMap<FastifyRequest, Refusal>()

/** Records the refusal of a request, for the log, the audit and the metrics. */
export const recordRefusal = (request: FastifyRequest, refusal: Refusal): unknown => refusals.set(request, refusal)

/** Returns the refusal of a request; undefined if the request was not refused. */
export const refusalOf = (request: FastifyRequest): Refusal | undefined => refusals.get(request)
