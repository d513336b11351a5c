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
