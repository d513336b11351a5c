import type { FastifyInstance } from 'fastify'

/** Time between two logs of the counts, in milliseconds. */
const period = 60_000

/** Maximum number of separate counts in a period. Further clients share one count for each reason. */
const maxLines = 1000

/**
 * Counts a refusal. Returns true if the client had a refusal of the same kind in the same period: the log then has only
 * the count.
 *
 * @param kind - such as status and reason, for the line with the count
 */
export type IsRepeated = (client: string, kind: object) => boolean

/**
 * Returns a function that counts refusals by client and kind. The function returns false for the first
 * refusal in a period, which is logged in full. It returns true for each further one, which the log only counts.
 * The counts are logged at the end of the period. Only log lines are limited, never requests.
 *
 * @param logCount - logs the line with a count
 */
export function repeatedRefusals (
  app: FastifyInstance, logCount = (line: object): void => app.log.info(line, 'more requests refused')
): IsRepeated {
  const lines = new Map<string, { client: string, count: number }>()
  let timer: NodeJS.Timeout | undefined

  function log (): void {
    clearTimeout(timer)
    timer = undefined
    for (const line of lines.values()) if (line.count > 0) logCount(line)
    lines.clear()
  }
  app.addHook('onClose', async () => log())

  const isRepeated: IsRepeated = (client, kind) => {
    timer ??= setTimeout(log, period).unref()
    const key = `${client} ${Object.values(kind).join(' ')}`
    const line = lines.get(key)
    if (line !== undefined) return ++line.count > 0
    const isOthers = client === 'others'
    if (lines.size >= maxLines && !isOthers) return isRepeated('others', kind)
    lines.set(key, { ...kind, client, count: Number(isOthers) })
    return isOthers
  }
  return isRepeated
}
