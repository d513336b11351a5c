import { once } from 'node:events'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { AppOptions } from '../../src/app.js'
import { createApp } from '../../src/app.js'

/** The token of the first vectors; no test reads the environment. */
export const token = 'development-only-token'

export interface TestApp {
  app: FastifyInstance
  /** All that was logged so far. Of the tests' token, which is the development token, NODE_ENV=test says nothing. */
  log: () => string
  /** Resolves once the log has it, as many times as that. */
  says: (text: string, times?: number) => Promise<void>
}

/** The app with a log to look into, closed when the test ends. */
export function testApp (t: Test, { config = {}, ...options }: AppOptions = {}): TestApp {
  let log = ''
  const stream = new Writable({
    write (chunk, _encoding, done) {
      log += chunk
      done()
      stream.emit('line')
    }
  })
  const app = createApp({ config: { MERCHANT_TOKEN: token, NODE_ENV: 'test', ...config }, logger: { stream }, ...options })
  t.teardown(() => app.close())

  async function says (text: string, times = 1): Promise<void> {
    while (log.split(text).length <= times) await once(stream, 'line')
  }

  return { app, log: () => log, says }
}
