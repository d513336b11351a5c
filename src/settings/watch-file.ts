import type { FastifyInstance } from 'fastify'

/** Interval in which files are read again, in milliseconds. Tests shorten it. */
export const polling = { interval: 10_000 }

/**
 * Reads a file again and again until the app closes. `fs.watch` would miss an update by Kubernetes, which swaps a
 * symlink in the path. Content that cannot be used is logged once, and the current content stays.
 *
 * @param use - reads the file and uses a new content; returns true if the content has changed
 */
export function watchFile (app: FastifyInstance, setting: string, use: () => Promise<boolean>): void {
  const { metrics } = app
  let fault = ''
  async function reload (): Promise<void> {
    try {
      if (await use()) app.log.info(`${setting} was read again: its content was replaced`)
      else if (fault !== '') app.log.info(`${setting} can be used again`)
      fault = ''
    } catch (error) {
      const { message } = error as Error
      if (message !== fault) app.log.error(`${message}; the current content stays`)
      fault = message
    }
    metrics?.unusable.set({ setting }, Number(fault !== ''))
    if (!isClosed) timer = setTimeout(reload, polling.interval).unref() // one reading at a time
  }
  let isClosed = false
  let timer = setTimeout(reload, polling.interval).unref()
  metrics?.unusable.set({ setting }, 0)
  app.addHook('onClose', async () => {
    isClosed = true
    clearTimeout(timer)
  })
}
