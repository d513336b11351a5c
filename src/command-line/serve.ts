import { parse } from './arguments.js'
import { exitCodes } from './command.js'
import type { Command } from './command.js'

export const command: Command = {
  help: `Usage: payment-signature serve

Runs the service: configured by the environment and .env, with its log on standard output, until SIGTERM or SIGINT.

Exit code: 0 stopped, 1 it could not start or had a fault, 2 usage

Example
  MERCHANT_TOKEN_FILE=/run/secrets/merchant-token VARIANT=A PORT=3001 payment-signature serve
`,

  async run (args) {
    parse(args, {})
    await import('../server.js')
    return exitCodes.ok
  }
}
