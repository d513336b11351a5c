import type { FastifyInstance } from 'fastify'
import type { ErrorCodeName } from '../../src/service/error-codes.js'
import { RefusedError } from '../../src/service/refused-error.js'

/** Time between two logs of the counts, in milliseconds. */
const period = 60_000

/** Maximum number of separate counts in a period. Further clients share one count for each reason. */
const maxLines = 1000

type IsRepeated = (client: string, statusCode: number, error: string) => boolean

/**
 * Returns a function that counts refusals by client, status and reason. The function returns false for the first
 * refusal in a period, which is logged in full. It returns true for each further one, which the log only counts.
 * The counts are logged at the end of the period. Only log lines are limited, never requests.
 */
export function repeatedRefusals (app: FastifyInstance): IsRepeated {
  const lines = new Map<string, { statusCode: number, error: string, client: string, count: number }>()
  let timer: NodeJS.Timeout | undefined

  function log (): void {
    clearTimeout(timer)
    timer = undefined
    for (const line of lines.values()) if (line.count > 0) app.log.info(line, 'more requests refused')
    lines.clear()
  }
  app.addHook('onClose', async () => log())

  const isRepeated: IsRepeated = (client, statusCode, error) => {
    timer ??= setTimeout(log, period).unref()
    const key = `${statusCode} ${error} ${client}`
    const line = lines.get(key)
    if (line !== undefined) return ++line.count > 0
    const isOthers = client === 'others'
    if (lines.size >= maxLines && !isOthers) return isRepeated('others', statusCode, error)
    lines.set(key, { statusCode, error, client, count: Number(isOthers) })
    return isOthers
  }
  return isRepeated
}

/**
 * Returns a function that creates the refusals of a limit: status 429 with `Retry-After`. The log has the first refusal
 * of a client in a minute, and a count of the others.
 *
 * @param reason - for the client and the log, such as "Too many requests"
 * @returns a function of the client's key and of the time until the client is let in again, in milliseconds
 */
export function tooManyRequests (
  app: FastifyInstance, code: ErrorCodeName, reason: string
): (client: string, wait: number) => RefusedError {
  const isRepeated = repeatedRefusals(app)
  return (client, wait) => {
    const seconds = Math.max(1, Math.ceil(wait / 1000))
    const message = `${reason}: try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}`
    return new RefusedError(code, message, { 'retry-after': seconds }, isRepeated(client, 429, reason))
  }
}
