import { isIPv6 } from 'node:net'
import { json } from '../text/characters.js'
import { count, urlIn } from './arguments.js'
import { CommandError, commandOf } from './command.js'
import { sendRequest, type NoResponseError } from './send-request.js'

/** Returns the host of a URL that reaches, on this machine, a service that listens on `host`. */
function reachable (host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}

/** Time-out for the response, in milliseconds. */
const defaultTimeout = 5000

export const command = commandOf({
  help: `Usage: payment-signature healthcheck [options] [URL]

Exits with 0 if the health check of the service responds with 200; for container images without curl. URL is requested
as given; the default is http://HOST:PORT/health, with HOST and PORT from the environment, or else localhost and 3001.
For 0.0.0.0 and :: it is the loopback address.

Options
  --ready                     request /ready instead: whether the service takes new requests
  --timeout MILLISECONDS      for the response; default: ${defaultTimeout}
  --json                      { "ok", "status", "reason" }

Exit code: 0 healthy, 1 not healthy, 2 wrong usage. The reason is on standard error.

Example
  HEALTHCHECK CMD ["payment-signature", "healthcheck"]
`,

  options: {
    ready: { type: 'boolean' }, timeout: { type: 'string' }, json: { type: 'boolean' }
  },
  maxPositionals: 1,

  async run ({ values, positionals: [given] }, io) {
    if (given !== undefined && values.ready) throw new CommandError('--ready works only with the default URL: pass the URL of /ready instead')
    const timeout = count('timeout', values.timeout) ?? defaultTimeout
    const port = io.env.PORT || '3001'
    if (given === undefined && !/^\d+$/.test(port)) throw new CommandError('PORT must be a port number')
    const host = reachable(io.env.HOST || 'localhost')
    const url = urlIn(given ?? `http://${host}:${port}/${values.ready ? 'ready' : 'health'}`)

    let status: number | undefined
    let reason = ''
    try {
      ({ status } = await sendRequest(url, { timeout }))
      if (status !== 200) reason = `status ${status}`
    } catch (error) {
      reason = (error as NoResponseError).message
    }
    const ok = reason === ''
    if (values.json) io.stdout.write(json({ ok, status, reason }))
    else if (!ok) io.stderr.write(`payment-signature: not healthy: ${reason}\n`)
    return ok
  }
})
