import { stat } from 'node:fs/promises'
import fp from 'fastify-plugin'
import { loadMerchantToken } from '../src/token/merchant-token.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads MERCHANT_TOKEN_FILE again, and says in the log what came of it. Never rejects. */
    reloadToken (): Promise<void>
  }
}

/** How often the file is read, in milliseconds. */
const pollInterval = 10_000

export interface TokenReloadOptions {
  /** Used instead of 10 seconds, in milliseconds; for tests. */
  tokenPollInterval?: number | undefined
}

/**
 * Signs with what MERCHANT_TOKEN_FILE holds now. Its content is polled, because a watcher misses what Kubernetes does:
 * it swaps a symlink further up the path. A file that cannot be used leaves the token as it is.
 */
export default fp<TokenReloadOptions>(async function tokenReload (app, { tokenPollInterval = pollInterval }) {
  const { config, log, useToken } = app

  if (useToken === null || config.MERCHANT_TOKEN_FILE === '') {
    app.decorate('reloadToken', async () => log.info('there is no MERCHANT_TOKEN_FILE to read again'))
    return
  }
  if (!(await stat(config.MERCHANT_TOKEN_FILE)).isFile()) { // a pipe has nothing more to give, and might block
    app.decorate('reloadToken', async () => log.info('MERCHANT_TOKEN_FILE is not a regular file: it is read only once'))
    return
  }

  const use = useToken
  let fault = ''
  let closed = false

  /** @param asked - somebody waits for an answer; otherwise only news are logged */
  async function read (asked: boolean): Promise<void> {
    const outcome = await loadMerchantToken(config).catch((error: Error) => error)
    if (closed) return
    if (outcome instanceof Error) {
      const { message } = outcome
      if (asked || message !== fault) {
        log.error(`${message}; the merchant token stays as it was, key check value ${app.keyCheckValue}`)
      }
      fault = message
      return
    }
    if (use(outcome)) log.info(`the merchant token was replaced, key check value ${app.keyCheckValue}`)
    else if (asked || fault !== '') log.info(`the merchant token is unchanged, key check value ${app.keyCheckValue}`)
    fault = ''
  }

  // One after the other: an older reading must not win, nor a file system that hangs take all of Node's threads.
  let reading = Promise.resolve()
  const readAfterwards = (asked: boolean): Promise<void> => {
    reading = reading.then(() => read(asked))
    return reading
  }

  app.decorate('reloadToken', () => readAfterwards(true))
  const timer = setInterval(() => readAfterwards(false), tokenPollInterval).unref()

  app.addHook('onClose', async () => {
    closed = true
    clearInterval(timer)
  })
}, { name: 'token-reload', dependencies: ['env', 'signer'] })
