import { count, parse } from './arguments.js'
import { ask } from './ask.js'
import type { NoAnswerError } from './ask.js'
import { exitCodes } from './command.js'
import type { Command } from './command.js'
import { CommandError } from './command-error.js'
import { json } from './output.js'
import { urlIn } from './service-url.js'

/** How long an answer may take, in milliseconds. */
const defaultTimeout = 5000

export const command: Command = {
  help: `Usage: payment-signature healthcheck [options] [URL]

Exits with 0 if the service answers its health check with 200, for container images without curl. URL is asked as it is;
without one, http://localhost:PORT/health, with PORT from the environment, or else 3001.

Options
  --ready                     ask /ready instead: whether it wants new requests
  --timeout MILLISECONDS      how long the answer may take; ${defaultTimeout}
  --json                      { "ok", "status", "reason" }

Exit code: 0 healthy, 1 not, 2 usage. The reason is on standard error.

Example
  HEALTHCHECK CMD ["payment-signature", "healthcheck"]
`,

  async run (args, io) {
    const { values, positionals: [given] } = parse(args, {
      ready: { type: 'boolean' }, timeout: { type: 'string' }, json: { type: 'boolean' }
    }, 1)
    if (given !== undefined && values.ready) throw new CommandError('--ready is for the default URL: give the URL of /ready')
    const timeout = count('timeout', values.timeout) ?? defaultTimeout
    const url = urlIn(given ?? `http://localhost:${io.env.PORT || 3001}/${values.ready ? 'ready' : 'health'}`,
      given === undefined ? 'http://localhost:PORT, with PORT from the environment,' : 'URL')

    let status: number | undefined
    let reason = ''
    try {
      ({ status } = await ask(url, { timeout }))
      if (status !== 200) reason = `it answers ${status}`
    } catch (error) {
      reason = (error as NoAnswerError).message
    }
    const ok = reason === ''
    if (values.json) io.stdout.write(json({ ok, status, reason }))
    else if (!ok) io.stderr.write(`payment-signature: not healthy: ${reason}\n`)
    return ok ? exitCodes.ok : exitCodes.mismatch
  }
}
