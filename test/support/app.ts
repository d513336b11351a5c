import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { createApp, type AppOptions } from '../../src/app.js'
import { Log } from './log.js'

/** Token of the first vectors. Tests do not read the environment. */
export const token = 'development-only-token'

interface TestApp {
  app: FastifyInstance
  /** Returns the log so far. `NODE_ENV=test` silences the warning about the development token. */
  log: () => string
  /** Resolves once the log contains a pattern `count` times. Rejects with the log after a time-out. */
  says: (text: string, times?: number) => Promise<void>
}

/**
 * Returns the app with a readable log, and the token of the tests unless another source is given. The test closes the
 * app at its end. A backend has 10 seconds: the default is too short on a busy machine.
 */
export function testApp (t: Pick<Test, 'teardown'>, { config = {}, ...options }: AppOptions = {}): TestApp {
  const log = new Log()
  const hasSource = options.signer !== undefined || 'MERCHANT_TOKEN_FILE' in config || 'MERCHANTS_FILE' in config
  const source = hasSource ? {} : { MERCHANT_TOKEN: token }
  const app = createApp({
    config: { ...source, NODE_ENV: 'test', AUTHORIZE_TIMEOUT: 10_000, ...config }, logger: { stream: log }, ...options
  })
  t.teardown(() => app.close())

  async function says (text: string, times = 1): Promise<void> {
    await log.waitFor(`${JSON.stringify(text)}, ${times} times,`, all => all.split(text).length > times || undefined)
  }

  return { app, log: () => log.text, says }
}
