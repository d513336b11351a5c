import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { serveAdmin } from './admin.js'
import { createApp } from './app.js'
import { isPassing } from './service/background-faults.js'
import { addressesOf, listen } from './service/listen.js'
import { stdout } from './service/stdout.js'

/** How long requests in flight may take to finish while closing, in milliseconds: longer than the request time-out. */
const grace = 15_000

const app = createApp({ logger: { stream: stdout } })
try {
  await app.ready()
  const addresses = await addressesOf(app.config.HOST)
  const metrics = (await serveAdmin(app)).map(url => `, metrics at ${url}`).join('')
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

const skip = ['uncaughtException' as const, 'unhandledRejection' as const, ...readsTokenAgain ? ['SIGHUP' as const] : []]
const { close } = closeWithGrace({ delay: SHUTDOWN_DELAY + grace, logger: app.log, skip }, async ({ signal }) => {
  if (signal !== undefined) { // otherwise it is a fault
    if (SHUTDOWN_DELAY > 0) await drain(signal)
    app.log.info(`${signal}, shutting down`)
  }
  await app.close()
  app.log.info('closed')
})

let isClosing = false
process.on('unhandledRejection', reason => app.backgroundFaults.report(reason))
process.on('uncaughtException', err => {
  if (isPassing(err)) return app.backgroundFaults.report(err)
  app.log.fatal({ err }, 'unexpected fault, shutting down')
  if (isClosing) process.exit(1)
  isClosing = true
  process.once('exit', () => { process.exitCode = 1 }) // close ends the process with 0
  close()
})
