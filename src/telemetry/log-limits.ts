import type { FastifyInstance } from 'fastify'

/**
 * Counts events of one kind, and logs the first one immediately. While more events follow, it logs once in each
 * interval, with the number of events since the last log and the latest subject.
 */
export class ThrottledLog<Subject = void> {
  /** Total number of events. */
  count = 0
  #unlogged = 0
  #latest!: Subject
  #timer: NodeJS.Timeout | undefined

  /** @param interval - time between two logs, in milliseconds */
  constructor (private readonly log: (times: number, latest: Subject) => void, private readonly interval = 10_000) {}

  report (subject: Subject): void {
    this.count++
    this.#unlogged++
    this.#latest = subject
    if (this.#timer === undefined) this.#flush()
  }

  #flush (): void {
    this.#timer = undefined
    if (this.#unlogged === 0) return
    this.log(this.#unlogged, this.#latest)
    this.#unlogged = 0
    this.#timer = setTimeout(() => this.#flush(), this.interval).unref()
  }
}

/** State of a dependency. Callers log only the beginning, a new reason and the end of an outage. */
export class Outage {
  isOut = false
  #reason: string | undefined

  /**
   * Records a failure. Returns true if the failure begins an outage, or has another reason than the failures before.
   *
   * @param reason - undefined if unknown: a known reason stays
   */
  begins (reason?: string): boolean {
    const isNews = !this.isOut || (reason !== undefined && reason !== this.#reason)
    if (isNews) this.#reason = reason
    this.isOut = true
    return isNews
  }

  /** Records a success. Returns true if the success ends an outage. */
  ends (): boolean {
    const isNews = this.isOut
    this.isOut = false
    return isNews
  }
}

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
