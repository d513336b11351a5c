import type { FastifyRequest } from 'fastify'

/** A refused request: the thrown value, the message for the client, and true if the log has only a count. */
interface Refusal {
  readonly error: unknown
  readonly message: string
  readonly isRepeated: boolean
}

const refusals = new WeakMap<FastifyRequest, Refusal>()

/** Records the refusal of a request, for the log, the audit and the metrics. */
export const recordRefusal = (request: FastifyRequest, refusal: Refusal): unknown => refusals.set(request, refusal)

/** Returns the message for the client of a refused request; undefined if the request was not refused. */
export const refusalOf = (request: FastifyRequest): string | undefined => refusals.get(request)?.message

/** Returns the value that was thrown to refuse a request; undefined if the request was not refused. */
export const errorOf = (request: FastifyRequest): unknown => refusals.get(request)?.error

/** True for a refusal that is logged only as part of a count. */
export const isRepeatedRefusal = (request: FastifyRequest): boolean => refusals.get(request)?.isRepeated === true
