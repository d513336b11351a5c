import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { ConfigurationError } from '../configuration/configuration.js'
import type { Environment } from '../configuration/settings.js'

/** Maximum number of open connections to ADMIN_PORT. */
export const maxAdminConnections = 16

/** File descriptors kept free of connections to PORT: 32 for Node.js, log, files and Redis, the rest for ADMIN_PORT. */
const reserved = 32 + maxAdminConnections

/** Memory kept free of connections, in bytes: 96 MiB for the process, 16 for bodies, 16 for pipelined requests. */
const reservedMemory = 128 * 2 ** 20

/** Largest memory of a connection, in bytes: Node.js needs less than this for 16 KiB of headers that it has parsed. */
const memoryOfConnection = 64 * 2 ** 10

/** Bounds of the default of MAX_CONNECTIONS. Fewer descriptors than the lower bound make the default smaller. */
const bounds = { least: 128, most: 16_384 } as const

/** Returns the memory limit of this process, in bytes: the least of cgroup, machine and twice the heap limit of V8. */
export function memoryLimit (
  constrained = process.constrainedMemory(), total = totalmem(), heap = getHeapStatistics().heap_size_limit
): number {
  return Math.min(constrained || Infinity, total, 2 * heap)
}

interface Report {
  /** Missing on Windows. */
  userLimits?: { open_files: { soft: number | 'unlimited' } }
}

/** Returns Node.js' report on its process, without the network: the report would ask the DNS for each peer. */
function reportOf ({ report }: NodeJS.Process): Report {
  const settings = report as typeof report & { excludeNetwork: boolean } // missing in @types/node 20
  const { excludeNetwork } = settings
  settings.excludeNetwork = true
  try {
    return settings.getReport() as Report
  } finally {
    settings.excludeNetwork = excludeNetwork
  }
}

/** The report of the first call. A report takes milliseconds, and the limits do not change. */
let ownReport: Report | undefined

/** Returns the limit of open file descriptors of this process, connections included. */
export function descriptorLimit (report = ownReport ??= reportOf(process)): number {
  const soft = report.userLimits?.open_files.soft
  return typeof soft === 'number' ? soft : Infinity
}

/**
 * Returns the maximum number of open connections to PORT.
 *
 * @throws ConfigurationError there are too few descriptors
 */
export function connectionLimitOf (
  { MAX_CONNECTIONS, AUTHORIZE_URL, AUTHORIZE_MAX_IN_FLIGHT }: Environment,
  descriptors = descriptorLimit(), memory = memoryLimit()
): number {
  const possible = descriptors - reserved
  if (possible < Math.max(MAX_CONNECTIONS, 1)) {
    throw new ConfigurationError(`the limit of open files is ${descriptors}, of which ${reserved} are not for ` +
      `connections: raise it (ulimit -n)${possible < 1 ? '' : `, or set MAX_CONNECTIONS to at most ${possible}`}`)
  }
  if (MAX_CONNECTIONS > 0) return MAX_CONNECTIONS
  const toBackend = AUTHORIZE_URL === '' ? 0 : Math.min(AUTHORIZE_MAX_IN_FLIGHT, Math.floor(possible / 2))
  const inMemory = Math.max(Math.floor((memory - reservedMemory) / memoryOfConnection), bounds.least)
  return Math.min(possible - toBackend, inMemory, bounds.most)
}
