import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { Outage } from './outage.js'

/**
 * What proves to a server who we are, from files in PEM that may be renewed: what it returns reads them again, and
 * keeps to what was read last while they cannot be used, of which the log has a line once.
 *
 * @throws that they cannot be used now
 */
export function clientCertificate (certFile: string, keyFile: string, log: Pick<Console, 'info' | 'warn'>): () => SecureContext {
  const read = () => createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) })
  let context: SecureContext
  try {
    context = read()
  } catch (error) {
    throw new Error(`the client certificate for Redis, "${certFile}" with the key "${keyFile}", cannot be used ` +
      `(${(error as NodeJS.ErrnoException).code})`, { cause: error })
  }
  const outage = new Outage()
  return () => {
    try {
      context = read()
      outage.ends()
    } catch (error) { // perhaps half of a renewal, which comes in two files
      if (outage.begins()) {
        log.warn({ reason: (error as NodeJS.ErrnoException).code },
          `the client certificate for Redis, "${certFile}" with the key "${keyFile}", cannot be read again: the last is kept`)
      }
    }
    return context
  }
}
