import { EventEmitter, once } from 'node:events'

/** Time-out of a wait in milliseconds. Far above the usual duration, for a machine under full load. */
const patience = 120_000

/** Collects written text, and lets tests wait for a text. Serves as the stream of a logger. */
export class Log extends EventEmitter {
  text = ''

  write (chunk: string): void {
    this.text += chunk
    this.emit('more')
  }

  /**
   * Resolves with the result of `find` as soon as the result is not null.
   *
   * @param what - name of the expected text, for the error
   * @throws an error with the whole text after the time-out
   */
  async waitFor<Found> (what: string, find: (text: string) => Found | null | undefined): Promise<Found> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), patience)
    try {
      for (;;) {
        const found = find(this.text)
        if (found !== null && found !== undefined) return found
        await once(this, 'more', { signal: deadline.signal }).catch(() => {
          throw new Error(`waited ${patience} ms for ${what} in:\n${this.text}`)
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }
}
