import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { serveMetrics } from './admin.js'
import { createApp } from './app.js'
import { addressesOf, listen } from './service/listen.js'
import { stdout } from './service/stdout.js'

/** How long requests in flight may take to finish while closing, in milliseconds: longer than the request time-out. */
const grace = 15_000

const app = createApp({ logger: { stream: stdout } })
try {
  await app.ready()
  const addresses = await addressesOf(app.config.HOST)
  const metrics = (await serveMetrics(app, addresses)).map(url => `, metrics at ${url}`).join('')
  const urls = await listen(app, addresses, app.config.PORT)
  app.log.info(`listening at ${urls.join(' and ')}, variant ${app.signer.variant}, ` +
    `token from ${app.merchantToken.source}, key check value ${app.merchantToken.keyCheckValue}${metrics}`)
} catch (error) {
  const faults = (error as Error).message.split('\n') // of several each is a line
  process.stderr.write(app.merchantToken.redact(faults.map(fault => `payment-signature-backend: ${fault}\n`).join('')))
  process.exit(1)
}

const { SHUTDOWN_DELAY } = app.config

/** Goes on serving until load balancers have seen that this instance is not ready. */
async function drain (signal: string): Promise<void> {
  app.drain()
  app.log.info(`${signal}, not ready any more, still serving for ${SHUTDOWN_DELAY} ms`)
  await setTimeout(SHUTDOWN_DELAY)
}

const readsAgain = app.watchedFiles.length > 0
if (readsAgain) process.on('SIGHUP', () => { for (const file of app.watchedFiles) file.reload() })

closeWithGrace({ delay: SHUTDOWN_DELAY + grace, logger: app.log, skip: readsAgain ? ['SIGHUP'] : [] }, async ({ signal, err }) => {
  if (err) app.log.fatal({ err }, 'unexpected fault, shutting down')
  else {
    if (SHUTDOWN_DELAY > 0) await drain(String(signal))
    app.log.info(`${signal}, shutting down`)
  }
  await app.close()
  app.log.info('closed')
})
