import { ConfigurationError } from './configuration.js'
import type { Environment } from './configuration.js'
import { descriptorLimit } from './descriptors.js'

/** How many connections to ADMIN_PORT may be open. */
export const maxAdminConnections = 16

/** File descriptors that are not for connections to PORT: Node.js, log, files and Redis take 25 to 30. */
const reserved = 32 + maxAdminConnections

/** Where no descriptor limits them, memory would. */
const maxByDefault = 16_384

/**
 * How many connections may be open at PORT.
 *
 * @throws ConfigurationError if there are not descriptors enough
 */
export function connectionLimitOf (
  { MAX_CONNECTIONS, AUTHORIZE_URL, AUTHORIZE_MAX_IN_FLIGHT }: Environment, descriptors = descriptorLimit()
): number {
  const possible = descriptors - reserved
  if (possible < Math.max(MAX_CONNECTIONS, 1)) {
    throw new ConfigurationError([`the limit of open files is ${descriptors}, of which ${reserved} are not for ` +
      `connections: raise it (ulimit -n)${possible < 1 ? '' : `, or set MAX_CONNECTIONS to at most ${possible}`}`])
  }
  if (MAX_CONNECTIONS > 0) return MAX_CONNECTIONS
  const toBackend = AUTHORIZE_URL === '' ? 0 : Math.min(AUTHORIZE_MAX_IN_FLIGHT, Math.floor(possible / 2))
  return Math.min(possible - toBackend, maxByDefault)
}
