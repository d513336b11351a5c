import { once } from 'node:events'
import closeWithGrace from 'close-with-grace'
import { destination } from 'pino'
import { createApp } from './app.js'
import { addressesOf, listen } from './listen.js'

/** How long requests in flight may take to finish after SIGTERM, in milliseconds: longer than the request time-out. */
const delay = 15_000

const stdout = destination(1)
const app = createApp({ logger: { stream: stdout } })
try {
  await app.ready()
  const urls = await listen(app, await addressesOf(app.config.HOST), app.config.PORT)
  app.log.info(`listening at ${urls.join(' and ')}, variant ${app.signer.variant}, token from ${app.tokenSource}, ` +
    `key check value ${app.keyCheckValue}`)
} catch (error) {
  const faults = (error as Error).message.split('\n') // a ConfigurationError has a line for each
  process.stderr.write(app.redaction.redact(faults.map(fault => `payment-signature-backend: ${fault}\n`).join('')))
  process.exit(1)
}

process.on('SIGHUP', () => app.reloadToken())

closeWithGrace({ delay, logger: app.log, skip: ['SIGHUP'] }, async ({ signal, err }) => {
  if (err) app.log.fatal({ err }, 'unexpected fault, shutting down')
  else app.log.info(`${signal}, shutting down`)
  await app.close()
  app.log.info('closed')
  stdout.end() // lines are written asynchronously: at exit the last ones would be lost, or change places
  await once(stdout, 'close')
})
