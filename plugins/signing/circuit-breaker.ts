/** After how many failures in a row it opens. */
const maxFailures = 5

/** How often one is let through while it is open, in milliseconds. */
const interval = 1000

/** Stops asking someone who does not answer, but for one request a second, and until one of these is answered. */
export class CircuitBreaker {
  #failures = 0
  #next = 0

  get isOpen (): boolean {
    return this.#failures >= maxFailures
  }

  /** Whether to ask now. While it is open, a yes is for one request. */
  admits (): boolean {
    if (!this.isOpen) return true
    const now = performance.now() // not the wall clock, which may step back
    if (now < this.#next) return false
    this.#next = now + interval
    return true
  }

  /** There was an answer. */
  succeeded (): void {
    this.#failures = 0
  }

  /** There was none. */
  failed (): void {
    this.#failures += 1
    if (this.#failures === maxFailures) this.#next = performance.now() + interval
  }
}
