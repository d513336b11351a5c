import type { FastifyInstance } from 'fastify'
import { RefusedError } from '../../src/service/refused-error.js'
import { repeatedRefusals } from '../http/repeated-refusals.js'

/**
 * Returns a function that makes the refusals of a limit: status 429 with `Retry-After`. The log has the first refusal
 * of a client in a minute, and a count of the others.
 *
 * @param reason - for the client and the log, such as "Too many requests"
 * @returns a function of the client's key and of the time until the client is let in again, in milliseconds
 */
export function tooManyRequests (app: FastifyInstance, reason: string): (client: string, wait: number) => RefusedError {
  const isRepeated = repeatedRefusals(app)
  return (client, wait) => {
    const seconds = Math.max(1, Math.ceil(wait / 1000))
    const message = `${reason}: try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}`
    return new RefusedError(429, message, { 'retry-after': seconds }, isRepeated(client, 429, reason))
  }
}
