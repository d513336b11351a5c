import { handleHangUp, hangUp } from './process/hang-up.js'

handleHangUp() // before the slow imports below

const args = process.argv.slice(2)
if (args.length > 0 && args[0] !== 'serve') { // `payment-signature serve` has parsed its own arguments
  const { runArguments } = await import('./check.js')
  process.exit(await runArguments(args, process))
}

/** Ends the process at once: no request is in progress. */
function endWhileStarting (signal: string): void {
  process.stderr.write(`payment-signature-backend: ${signal} while starting\n`)
  process.exit(0)
}

// Before the slow imports: in a container the process has the ID 1, and gets only signals that it handles.
process.once('SIGTERM', endWhileStarting).once('SIGINT', endWhileStarting)

const { default: fastify } = await import('fastify')
if (!('LogController' in fastify)) {
  process.stderr.write('payment-signature-backend: the service needs Fastify 5.10 or newer, and the project that it is ' +
    'installed in has an older one: install it in a folder of its own\n')
  process.exit(1)
}

const { setTimeout } = await import('node:timers/promises')
const { default: closeWithGrace } = await import('close-with-grace')
const { serveAdmin } = await import('../plugins/operation/admin.js')
const { createApp } = await import('./app.js')
const { listen } = await import('./process/listen.js')
const { stdout } = await import('../plugins/operation/line-writer.js')
const { feedWatchdog, notifySystemd } = await import('./process/systemd.js')
const { version } = await import('./text/program.js')

/** Time for the rest of the shutdown after the last request in flight, in milliseconds. */
const grace = 3000

const app = createApp()
stdout.onRecovery = lost => app.log.warn({ lost }, 'lines of the log were lost: standard output did not take them')

/** Continues to serve until load balancers have noticed that this instance is not ready. */
async function drain (signal: string): Promise<void> {
  const { SHUTDOWN_DELAY } = app.config
  app.drain()
  app.log.info(`${signal}, not ready any more, still serving for ${SHUTDOWN_DELAY} ms`)
  await setTimeout(SHUTDOWN_DELAY)
}

/** Codes of system errors that leave this process intact: a resource is used up, or a peer is absent. */
const harmlessCodes = new Set<unknown>([
  'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENOSPC', 'EAGAIN', 'EADDRNOTAVAIL',
  'EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'
])

/** Starts the graceful shutdown on signals and uncaught faults. */
function handleSignals (): void {
  const { config: { SHUTDOWN_DELAY }, watchedFiles, backgroundFaults } = app
  hangUp.answer = () => {
    app.log.info(`SIGHUP, files to read again: ${watchedFiles.length}`)
    for (const file of watchedFiles) file.reload()
  }

  const delay = SHUTDOWN_DELAY + app.finishingTime() + grace
  const skip = ['uncaughtException' as const, 'unhandledRejection' as const, 'SIGHUP' as const]
  const { close } = closeWithGrace({ delay, logger: app.log, skip }, async ({ signal }) => {
    notifySystemd('STOPPING=1', app.log)
    if (signal !== undefined) { // undefined for a fault
      if (SHUTDOWN_DELAY > 0) await drain(signal)
      app.log.info(`${signal}, shutting down`)
    }
    await app.close()
    app.log.info('closed')
  })
  process.off('SIGTERM', endWhileStarting)
  process.off('SIGINT', endWhileStarting)

  let isClosing = false
  process.on('unhandledRejection', reason => backgroundFaults.report(reason))
  process.on('uncaughtException', (err: NodeJS.ErrnoException | null) => {
    if (harmlessCodes.has(err?.code)) return backgroundFaults.report(err)
    app.log.fatal({ err }, 'unexpected fault, shutting down')
    if (isClosing) process.exit(1)
    isClosing = true
    process.once('exit', () => { process.exitCode = 1 }) // close-with-grace exits with 0
    close()
  })
}

try {
  await app.ready()
  const metrics = await serveAdmin(app)
  handleSignals()
  const url = await listen(app, app.config.HOST, app.config.PORT)
  app.log.info(`listening at ${url}, version ${version}, variant ${app.variant}, ` +
    `token from ${app.merchantToken.source}, key check value ${app.merchantToken.keyCheckValue}${metrics === undefined ? '' : `, metrics at ${metrics}`}`)
  notifySystemd('READY=1', app.log)
  feedWatchdog(app.log)
} catch (error) {
  const faults = (error as Error).message.split('\n') // one line for each fault
  process.stderr.write(app.merchantToken.redact(faults.map(fault => `payment-signature-backend: ${fault}\n`).join('')))
  process.exit(1)
}
