import { commandOf } from './command.js'

export const command = commandOf({
  help: `Usage: payment-signature serve [options]

Runs the service until SIGTERM or SIGINT. The environment and .env configure it; its log goes to standard output.

Options
  --check                     start nothing: print the configuration, without secrets, and what is wrong with it

Exit code: 0 stopped, 1 it could not start or failed, 2 wrong usage

Example
  MERCHANT_TOKEN_FILE=/run/secrets/merchant-token VARIANT=A PORT=3001 payment-signature serve --check
`,

  options: { check: { type: 'boolean' } },

  async run ({ values }, io) {
    if (values.check) {
      const { check } = await import('../check.js')
      return await check(io) === 0
    }
    await import('../server.js')
    return true
  }
})
