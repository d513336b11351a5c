import type { FastifyBaseLogger } from 'fastify'

/** Says once when an outage begins, and once when it is over. */
export class OutageLog {
  #isOut = false

  begins (log: FastifyBaseLogger, details: object): void {
    if (!this.#isOut) log.error(details, 'authorization is unavailable')
    this.#isOut = true
  }

  ends (log: FastifyBaseLogger): void {
    if (this.#isOut) log.info('authorization is back')
    this.#isOut = false
  }
}
