import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { ConfigurationError } from './configuration.js'
import type { Environment } from './settings.js'

/** Connections to ADMIN_PORT that may be open. */
export const maxAdminConnections = 16

/** File descriptors that are not for connections to PORT: Node.js, log, files and Redis take 25 to 30. */
const reserved = 32 + maxAdminConnections

/** Bytes that are not for connections: 96 MiB for the process, 16 for bodies, 16 for pipelined requests. */
const reservedMemory = 128 * 2 ** 20

/** Bytes that a connection costs at worst, rounded up: 16 KiB of headers, as parsed by Node.js. */
const memoryOfConnection = 64 * 2 ** 10

/** Connections that are possible by default, however little memory and however many descriptors there are. */
const bounds = { least: 128, most: 16_384 } as const

/** Bytes that this process may use, by its cgroup, its machine and V8, whose heap has at most half of them. */
export function memoryLimit (
  constrained = process.constrainedMemory(), total = totalmem(), heap = getHeapStatistics().heap_size_limit
): number {
  return Math.min(constrained || Infinity, total, 2 * heap)
}

interface Report {
  /** Missing on Windows. */
  userLimits?: { open_files: { soft: number | 'unlimited' } }
}

/** What Node.js knows of its process, without the names of its peers, each of which it would ask the DNS for. */
function reportOf ({ report }: NodeJS.Process): Report {
  const settings = report as typeof report & { excludeNetwork: boolean } // @types/node 20 does not know it yet
  const { excludeNetwork } = settings
  settings.excludeNetwork = true
  try {
    return settings.getReport() as Report
  } finally {
    settings.excludeNetwork = excludeNetwork
  }
}

/** The report of the first call: it takes milliseconds, and the limits do not change. */
let ownReport: Report | undefined

/** Returns how many file descriptors this process may have open, connections included. */
export function descriptorLimit (report = ownReport ??= reportOf(process)): number {
  const soft = report.userLimits?.open_files.soft
  return typeof soft === 'number' ? soft : Infinity
}

/**
 * Returns how many connections may be open at PORT.
 *
 * @throws ConfigurationError if there are too few descriptors
 */
export function connectionLimitOf (
  { MAX_CONNECTIONS, AUTHORIZE_URL, AUTHORIZE_MAX_IN_FLIGHT }: Environment,
  descriptors = descriptorLimit(), memory = memoryLimit()
): number {
  const possible = descriptors - reserved
  if (possible < Math.max(MAX_CONNECTIONS, 1)) {
    throw new ConfigurationError([`the limit of open files is ${descriptors}, of which ${reserved} are not for ` +
      `connections: raise it (ulimit -n)${possible < 1 ? '' : `, or set MAX_CONNECTIONS to at most ${possible}`}`])
  }
  if (MAX_CONNECTIONS > 0) return MAX_CONNECTIONS
  const toBackend = AUTHORIZE_URL === '' ? 0 : Math.min(AUTHORIZE_MAX_IN_FLIGHT, Math.floor(possible / 2))
  const inMemory = Math.max(Math.floor((memory - reservedMemory) / memoryOfConnection), bounds.least)
  return Math.min(possible - toBackend, inMemory, bounds.most)
}
