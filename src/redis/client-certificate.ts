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
export function clientCertificate (
  certFile: string, keyFile: string, log: Pick<Console, 'info' | 'warn'>
): () => SecureContext {
  const read = () => createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) })
  const unusable = `the client certificate for Redis, "${certFile}" with the key "${keyFile}", cannot be used`
  const outage = new Outage()
  let context: SecureContext
  try {
    context = read()
  } catch (cause) {
    throw new Error(`${unusable} (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
  return () => {
    try {
      context = read()
      outage.ends()
    } catch (error) { // possible in the middle of a renewal, which replaces two files
      const { code: reason } = error as NodeJS.ErrnoException
      if (outage.begins(reason)) log.warn({ reason }, `${unusable}; keeping the current one`)
    }
    return context
  }
}
