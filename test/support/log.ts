import { EventEmitter, once } from 'node:events'

/** How long something is waited for, in milliseconds: far longer than it takes, be the machine at full load. */
const patience = 20_000

/** All that was written so far, to look into and to wait for. Serves as the stream of a logger. */
export class Log extends EventEmitter {
  text = ''

  write (chunk: string): void {
    this.text += chunk
    this.emit('more')
  }

  /**
   * What `find` finds in the text, now or when there is more of it.
   *
   * @param what - what it looks for, for the message
   * @param milliseconds - how long to wait
   * @throws that it was not found in time, with all of the text: what was written instead tells why
   */
  async waitFor<Found> (
    what: string, find: (text: string) => Found | null | undefined, milliseconds = patience
  ): Promise<Found> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), milliseconds)
    try {
      for (;;) {
        const found = find(this.text)
        if (found !== null && found !== undefined) return found
        await once(this, 'more', { signal: deadline.signal }).catch(() => {
          throw new Error(`waited ${milliseconds} ms for ${what} in:\n${this.text}`)
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }
}
