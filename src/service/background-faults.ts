import type { FastifyBaseLogger } from 'fastify'
import { throttled } from './throttled.js'

/** System errors that say nothing of the state of this process: something is used up, or a peer is not there. */
const passing = new Set([
  'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENOSPC', 'EAGAIN', 'EADDRNOTAVAIL',
  'EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'
])

/** Whether the process can go on after an error that nobody has caught. */
export const isPassing = (error: unknown): boolean => passing.has(String((error as { code?: unknown } | null)?.code))

/** Faults of timers, of accepting connections, or of a library's own work: those that are no request's. */
export class BackgroundFaults {
  /** How many there were. */
  count = 0
  readonly #say: (error: unknown) => void

  constructor (log: FastifyBaseLogger) {
    this.#say = throttled((times, err) => log.error({ err, times }, 'fault in background work, going on'))
  }

  /** Counts and logs it; if there are many, with how often it happened since the last line. */
  report (error: unknown): void {
    this.count++
    this.#say(error)
  }
}
