import type { FastifyInstance } from 'fastify'

/** Time between two logs of the counts, in milliseconds. */
const period = 60_000

/** Number of counts that are kept apart in a period. Further clients share one count for each reason. */
const maxCounts = 1000

/**
 * Returns a function that counts refusals by client, status and reason. The function returns false for the first
 * refusal in a period, which is logged in full. It returns true for each further one, which the log only counts.
 * The counts are logged at the end of the period. This limits log lines; it never refuses a request.
 */
export function repeatedRefusals (app: FastifyInstance): (client: string, statusCode: number, error: string) => boolean {
  const counts = new Map<string, { statusCode: number, error: string, client: string, count: number }>()
  let timer: NodeJS.Timeout | undefined

  function log (): void {
    clearTimeout(timer)
    timer = undefined
    for (const line of counts.values()) if (line.count > 0) app.log.info(line, 'more requests refused')
    counts.clear()
  }
  app.addHook('onClose', async () => log())

  return function isRepeated (client, statusCode, error) {
    timer ??= setTimeout(log, period).unref()
    const key = `${statusCode} ${error} ${client}`
    const known = counts.get(key)
    if (known !== undefined) return known.count++ >= 0
    if (client !== 'others' && counts.size >= maxCounts) return isRepeated('others', statusCode, error)
    counts.set(key, { statusCode, error, client, count: client === 'others' ? 1 : 0 })
    return client === 'others'
  }
}
