import closeWithGrace from 'close-with-grace'
import { createApp } from './app.js'
import { ConfigurationError } from './configuration.js'
import { addressesOf, listen } from './listen.js'

/** How long requests in flight may take to finish after SIGTERM, in milliseconds: longer than the request time-out. */
const delay = 15_000

const listenFaults: Record<string, string> = {
  EADDRINUSE: 'the port is in use; stop the other program or set PORT',
  EACCES: 'not permitted; set PORT to 1024 or above, or grant the right',
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  ENOTFOUND: 'HOST cannot be resolved'
}

function fail (...lines: string[]): never {
  for (const line of lines) process.stderr.write(`payment-signature-backend: ${line}\n`)
  process.exit(1)
}

const app = createApp()
try {
  await app.ready()
} catch (error) {
  if (error instanceof ConfigurationError) fail(...error.faults)
  throw error
}

const { HOST, PORT } = app.config
try {
  const urls = await listen(app, await addressesOf(HOST), PORT)
  app.log.info(`listening at ${urls.join(' and ')}, variant ${app.signer.variant}, token from ${app.tokenSource}`)
} catch (error) {
  const { code = '', message } = error as NodeJS.ErrnoException
  fail(`cannot listen on ${HOST}:${PORT}: ${listenFaults[code] ?? message}`)
}

closeWithGrace({ delay, logger: app.log }, async ({ signal, err }) => {
  if (err) app.log.fatal({ err }, 'unexpected fault, shutting down')
  else app.log.info(`${signal}, shutting down`)
  await app.close()
  app.log.info('closed')
})
