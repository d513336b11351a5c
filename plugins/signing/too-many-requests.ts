import type { FastifyInstance } from 'fastify'
import { RefusedError } from '../../src/service/refused-error.js'

/** How often the log gets the counts, in milliseconds. */
const period = 60_000

/** How many clients are counted apart until then; a flood of others is counted together. */
const maxClients = 1000

/**
 * Makes the refusals of a limit: status 429, with the time to wait. The first one of a client in a period is logged
 * like any other refusal; the others, of which a client could cause any number, as a count when the period ends.
 *
 * @param reason - for the client and the log, such as "Too many requests"
 * @returns a function that gets who is refused and the time until it is let in again, in milliseconds
 */
export function tooManyRequests (app: FastifyInstance, reason: string): (client: string, wait: number) => RefusedError {
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  function log (): void {
    clearTimeout(timer)
    timer = undefined
    for (const [client, count] of counts) {
      if (count > 0) app.log.info({ statusCode: 429, error: reason, client, count }, 'more requests refused')
    }
    counts.clear()
  }
  app.addHook('onClose', async () => log())

  function isRepeated (client: string): boolean {
    timer ??= setTimeout(log, period).unref()
    const isKnown = counts.has(client)
    if (!isKnown && counts.size < maxClients) {
      counts.set(client, 0)
      return false
    }
    const counted = isKnown ? client : 'others'
    counts.set(counted, (counts.get(counted) ?? 0) + 1)
    return true
  }

  return (client, wait) => {
    const seconds = Math.max(1, Math.ceil(wait / 1000))
    const message = `${reason}: try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}`
    return new RefusedError(429, message, { 'retry-after': seconds }, isRepeated(client))
  }
}
