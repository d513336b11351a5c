/** Number of consecutive orders with a time-out that opens the circuit breaker. */
const maxTimeouts = 5

/** Maximum number of these orders from one address, so that one address cannot open the circuit breaker. */
const maxTimeoutsOfAddress = 3

/** Time between two probes, in milliseconds. */
const probeInterval = 1000

/** Time for which the presence of several addresses is remembered, in milliseconds. */
const addressMemory = 60_000

/**
 * `answered`: any response, except those of a proxy whose backend does not answer. `down`: no connection. `timeout`: no
 * answer to this request, perhaps because of its order.
 */
export type Outcome = 'answered' | 'down' | 'timeout'

/** Stops requests to a backend that does not answer. Admits one request a second while open. A response closes it. */
export class CircuitBreaker {
  /** Orders that have timed out since the last response, each with its address. */
  readonly #timeouts = new Map<string, string>()
  #isDown = false
  #nextProbe = 0
  #lastAddress: string | undefined
  #hasAddressesUntil = 0

  get isOpen (): boolean {
    return this.#isDown || this.#timeouts.size >= maxTimeouts
  }

  /** Returns true if the backend may be asked about a request from this address. */
  admits (address: string): boolean {
    const now = performance.now() // the wall clock may step back
    this.#lastAddress ??= address
    if (address !== this.#lastAddress) {
      if (now >= this.#hasAddressesUntil) this.#timeouts.clear() // all of them are from one address
      this.#hasAddressesUntil = now + addressMemory
      this.#lastAddress = address
    }
    if (!this.isOpen) return true
    if (now < this.#nextProbe) return false
    this.#nextProbe = now + probeInterval
    return true
  }

  /** Records the outcome of a request. */
  record (outcome: Outcome, order: string, address: string): void {
    if (outcome !== 'timeout') {
      this.#isDown = outcome === 'down'
      this.#timeouts.clear()
    } else if (!this.isOpen) {
      const now = performance.now()
      const ofAddress = [...this.#timeouts.values()].filter(other => other === address).length
      // Behind a proxy without TRUST_PROXY, all requests have one address, which identifies nobody.
      if (now < this.#hasAddressesUntil && ofAddress >= maxTimeoutsOfAddress) return
      this.#timeouts.set(order, address)
      this.#nextProbe = now + probeInterval
    }
  }
}
