import { LruMap } from 'toad-cache'

/** Maximum number of counters. Beyond it, the least recently used counter is dropped. */
const maxCounters = 50_000

interface Counter {
  current: number
  /** Beginning of the window, in milliseconds of the monotonic clock. */
  began: number
}

/**
 * Counts requests in memory, in windows of the monotonic clock. With the wall clock, as in `@fastify/rate-limit`, a
 * clock that is set back by an hour would extend a window by an hour.
 */
export class MemoryStore {
  readonly #counters = new LruMap<Counter>(maxCounters)

  /**
   * Counts a request in a window that begins with the first request. Returns the number of requests in the window, and
   * the rest of the window in milliseconds.
   *
   * @param timeWindow - in milliseconds
   */
  count (key: string, timeWindow: number): { current: number, ttl: number } {
    const now = performance.now()
    let counter = this.#counters.get(key)
    if (counter === undefined || counter.began + timeWindow <= now) {
      counter = { current: 0, began: now }
      this.#counters.set(key, counter)
    }
    counter.current++
    return { current: counter.current, ttl: counter.began + timeWindow - now }
  }
}
