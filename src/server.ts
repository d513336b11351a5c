import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { serveMetrics } from './admin.js'
import { createApp } from './app.js'
import { answer } from './check.js'
import { addressesOf, listen } from './service/listen.js'
import { stdout } from './service/stdout.js'

/** How long requests in flight may take to finish while closing, in milliseconds: longer than the request time-out. */
const grace = 15_000

const args = process.argv.slice(process.argv[2] === 'serve' ? 3 : 2) // of `payment-signature serve`, or our own
if (args.length > 0) process.exit(await answer(args, process))

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

const readsTokenAgain = app.config.MERCHANT_TOKEN_FILE !== ''
if (readsTokenAgain) process.on('SIGHUP', () => app.merchantToken.reload())

closeWithGrace({ delay: SHUTDOWN_DELAY + grace, logger: app.log, skip: readsTokenAgain ? ['SIGHUP'] : [] }, async ({ signal, err }) => {
  if (err) app.log.fatal({ err }, 'unexpected fault, shutting down')
  else {
    if (SHUTDOWN_DELAY > 0) await drain(String(signal))
    app.log.info(`${signal}, shutting down`)
  }
  await app.close()
  app.log.info('closed')
})
