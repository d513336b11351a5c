import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { Outage } from '../telemetry/outage.js'

/**
 * Returns a function that reads the client certificate again, so that a renewal is used. While the files cannot be
 * used, the function returns the last certificate and logs one warning.
 *
 * @param certFile - path of a file in PEM
 * @param keyFile - path of a file in PEM
 * @throws Error the files cannot be used now
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
    } catch (error) { // possible in the middle of a renewal, which replaces two files
      if (outage.begins()) {
        log.warn({ reason: (error as NodeJS.ErrnoException).code },
          `the client certificate for Redis, "${certFile}" with the key "${keyFile}", cannot be used; keeping the current one`)
      }
    }
    return context
  }
}
