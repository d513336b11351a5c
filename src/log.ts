import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { FastifyServerOptions } from 'fastify'
import SonicBoom from 'sonic-boom'
import type { Redactor } from './merchants/redactor.js'

const { default: Stream } = SonicBoom
type Stream = SonicBoom.SonicBoom

/** Time limit of the last lines, in milliseconds: nobody may read them, and the disk may be full. */
const patience = 1000

/**
 * Opens the standard output for the log of the service. Lines that nobody takes are dropped beyond 4 MiB: a full pipe
 * must not stop the signing. The first use of `process.stdout` makes a pipe non-blocking.
 */
export function openStdout (): Stream {
  const stdout = new Stream({ fd: process.stdout.fd, sync: false, maxLength: 4 * 2 ** 20 })
  return stdout.on('error', () => {}) // the lines are written with the next line: a full disk may have space again
}

/** Waits for the last lines. `flushSync` would retry forever on a full disk. */
export async function endLog (stdout: Stream): Promise<void> {
  const written = once(stdout, 'drain').catch(() => {})
  stdout.write('') // makes the event come also if no line waits
  await Promise.race([written, setTimeout(patience)])
}

type Logger = NonNullable<FastifyServerOptions['logger']>

/** Returns logger options that redact every line, after the hook that the options contain. */
export function redactedLogger (logger: Logger, redactor: Redactor): Logger {
  if (!logger) return false
  const given = logger === true ? {} : logger
  const ownHook = given.hooks?.streamWrite ?? (line => line)
  return { ...given, hooks: { ...given.hooks, streamWrite: (line: string) => redactor.redact(ownHook(line)) } }
}
