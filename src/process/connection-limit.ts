import { existsSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { ConfigurationError } from '../settings/environment.js'
import type { Environment } from '../settings/settings.js'

/** Maximum number of open connections to ADMIN_PORT. */
export const maxAdminConnections = 16

/** Maximum number of requests that wait for authorize, each with a connection to the merchant's backend. */
export const maxAsked = 256

/** File descriptors kept free of connections to PORT: 32 for Node.js, log, files and Redis, the rest for ADMIN_PORT. */
const reserved = 32 + maxAdminConnections

/** Memory kept free of connections, in bytes: 96 MiB for the process, 16 for bodies, 16 for pipelined requests. */
const reservedMemory = 128 * 2 ** 20

/** Largest memory of a connection, in bytes: Node.js needs less than this for 16 KiB of headers that it has parsed. */
const memoryOfConnection = 64 * 2 ** 10

/** Bounds of the number of connections. Fewer descriptors than the lower bound make it smaller. */
const bounds = { least: 128, most: 16_384 } as const

/** Returns the memory limit of this process, in bytes: the least of cgroup, machine and twice the heap limit of V8. */
export function memoryLimit (
  constrained = process.constrainedMemory(), total = totalmem(), heap = getHeapStatistics().heap_size_limit
): number {
  return Math.min(constrained || Infinity, total, 2 * heap)
}

/**
 * Returns the limit of open file descriptors of this process, connections included; `Infinity` without the file, as on
 * macOS and Windows.
 *
 * @param path - file of Linux with the limits of the process
 */
export function descriptorLimit (path = '/proc/self/limits'): number {
  const text = existsSync(path) ? readFileSync(path, 'latin1') : ''
  return Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Infinity)
}

/**
 * Returns the maximum number of open connections to PORT.
 *
 * @throws ConfigurationError there are too few descriptors
 */
export function connectionLimitOf (
  { AUTHORIZE_URL }: Pick<Environment, 'AUTHORIZE_URL'>,
  descriptors = descriptorLimit(), memory = memoryLimit()
): number {
  const possible = descriptors - reserved
  if (possible < 1) {
    throw new ConfigurationError(`the limit of open files is ${descriptors}, of which ${reserved} are not for ` +
      'connections: raise it (ulimit -n)')
  }
  const toBackend = AUTHORIZE_URL === '' ? 0 : Math.min(maxAsked, Math.floor(possible / 2))
  const inMemory = Math.max(Math.floor((memory - reservedMemory) / memoryOfConnection), bounds.least)
  return Math.min(possible - toBackend, inMemory, bounds.most)
}
