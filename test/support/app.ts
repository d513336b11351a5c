import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { createApp, type AppOptions } from '../../src/embed.js'
import type { PolicyCaller } from '../../src/guards/policy/policy-schema.js'
import { polling } from '../../src/settings/watch-file.js'
import { Log } from './log.js'
import { temporaryFolder } from './scope.js'
import type { Scope } from './server.js'

polling.interval = 5 // files are read again every few milliseconds

/** Token of the first vectors. Tests do not read the environment. */
export const token = 'development-only-token'

export interface TestApp {
  app: FastifyInstance
  /** Returns the log so far. `NODE_ENV=test` silences the warning about the development token. */
  log: () => string
  /** Resolves once the log contains a pattern `count` times. Rejects with the log after a time-out. */
  says: (text: string, times?: number) => Promise<void>
}

/** Options of an app, and the callers of its policy, for which the tests write a file. */
export type TestOptions<Context = unknown> = AppOptions<Context> & { callers?: readonly PolicyCaller[] | undefined }

/** Writes a policy to a file, and returns its path. */
export function policyFile (t: Scope, callers: readonly PolicyCaller[]): string {
  const path = join(temporaryFolder(t, 'policy-'), 'policy.json')
  writeFileSync(path, JSON.stringify({ callers }))
  return path
}

/**
 * Returns the app with a readable log, and the token of the tests unless another source is given. The test closes the
 * app at its end. A backend has 10 seconds: the default is too short on a busy machine.
 */
export function testApp<Context = unknown> (
  t: Scope, { config = {}, callers, ...options }: TestOptions<Context> = {}
): TestApp {
  const log = new Log()
  const hasSource = options.tokenOf !== undefined || 'MERCHANT_TOKEN_FILE' in config || 'MERCHANTS_FILE' in config
  const source = hasSource ? {} : { MERCHANT_TOKEN: token }
  const policy = callers && { POLICY_FILE: policyFile(t, callers) }
  const app = createApp<Context>({
    config: { ...source, NODE_ENV: 'test', AUTHORIZE_TIMEOUT: 10_000, ...policy, ...config },
    logger: { stream: log },
    ...options
  })
  t.teardown(() => app.close())

  async function says (text: string, times = 1): Promise<void> {
    await log.waitFor(`${JSON.stringify(text)}, ${times} times,`, all => all.split(text).length > times || undefined)
  }

  return { app, log: () => log.text, says }
}

/** Stops the monotonic clock. Returns a function that moves it forward by milliseconds. */
export function clock (t: Test): (milliseconds: number) => void {
  let now = Math.ceil(performance.now()) // fractions would not add up
  t.intercept(performance, 'now', { value: () => now })
  return milliseconds => { now += milliseconds }
}
