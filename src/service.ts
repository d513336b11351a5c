import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import Fastify, { type FastifyInstance } from 'fastify'
import errors from '../plugins/errors.js'
import http from '../plugins/http.js'
import probes from '../routes/probes.js'
import { createApp } from './app.js'
import { serverOptions } from './http/server-options.js'
import { endLog, openStdout } from './log.js'
import { addressFor, ConfigurationError } from './settings/environment.js'
import { asksItself, summaryOf } from './settings/combinations.js'
import { version } from './version.js'

const stdout = openStdout()
const app = createApp({ logger: { stream: stdout } })

/** Reports a state to systemd, if it has started the service. Node.js has no Unix datagram sockets. */
function notifySystemd (state: string): void {
  if (process.env.NOTIFY_SOCKET === undefined) return
  spawn('systemd-notify', [state], { stdio: 'ignore' }).on('error', err => app.log.warn({ err }, 'systemd-notify failed'))
}

/** Serves metrics and probes at ADMIN_PORT, which hides the metrics from the service's clients. */
async function serveAdmin (): Promise<string> {
  const { metrics, config: { ADMIN_HOST, ADMIN_PORT } } = app
  if (metrics === undefined) return ''
  const admin = Fastify({ ...serverOptions, loggerInstance: app.log })
  admin.register(http)
  admin.register(errors)
  admin.register(probes, { of: app })
  admin.get('/metrics', { logLevel: 'warn' }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()))
  await admin.ready()
  app.server.once('close', () => {
    admin.server.closeAllConnections()
    admin.close()
  })
  const listenTextResolver = (address: string): string => `metrics and probes at ${address}`
  await admin.listen({ host: addressFor(ADMIN_HOST), port: ADMIN_PORT, listenTextResolver })
    .catch(naming('ADMIN_HOST and ADMIN_PORT'))
  return `, metrics at ${urlOf(admin)}/metrics`
}

/** Adds the variables of the address to an error of `listen`. */
const naming = (variables: string) => ({ message }: Error): never => { throw new Error(`${message}; see ${variables}`) }

/** Returns the URL of a server that listens; Fastify would name one address for `0.0.0.0`. */
function urlOf ({ server }: FastifyInstance): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Continues to serve until load balancers have noticed that this instance is not ready, then closes. */
async function end (signal?: string): Promise<void> {
  notifySystemd('STOPPING=1')
  const { SHUTDOWN_DELAY } = app.config
  app.drain()
  if (signal !== undefined) {
    app.log.info(`${signal}, not ready any more, still serving for ${SHUTDOWN_DELAY} ms`)
    await setTimeout(SHUTDOWN_DELAY)
  }
  await app.close()
  app.log.info('closed')
  await endLog(stdout)
}

async function serve (): Promise<void> {
  const { HOST, PORT, SHUTDOWN_DELAY, AUTHORIZE_TIMEOUT } = app.config
  const faults = asksItself(app.config)
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'))
  let lost = 0
  stdout.on('drop', () => {
    lost++
    app.metrics?.logLost.inc()
  }).on('drain', () => {
    if (lost > 0) app.log.warn({ lost }, 'lines of the log were lost: nobody read them')
    lost = 0
  })
  const metrics = await serveAdmin()
  const delay = SHUTDOWN_DELAY + AUTHORIZE_TIMEOUT + 13_000 // 10 seconds for bodies, and the last lines of the log
  closeWithGrace({ delay, logger: app.log, skip: ['SIGHUP'] }, async ({ err, signal }) => {
    if (err) app.log.fatal({ err }, 'unexpected fault, shutting down')
    await end(signal)
  })
  await app.listen({ host: addressFor(HOST), port: PORT, listenTextResolver: address => `bound to ${address}` })
    .catch(naming('HOST and PORT'))
  app.log.info(`listening at ${urlOf(app)}, version ${version}, ${summaryOf(app)}${metrics}`)
  notifySystemd('READY=1')
}

try {
  await app.ready()
  await serve()
} catch (error) { // one line for each fault, without the token: another variable may contain it by mistake
  process.stderr.write(app.redactor.redact((error as Error).message).replace(/^/gm, 'payment-signature: ') + '\n')
  await endLog(stdout)
  process.exit(error instanceof ConfigurationError ? 2 : 1)
}
