import { commandOf } from './command.js'

export const command = commandOf({
  usage: '[--check]',
  help: 'Runs the service until SIGTERM or SIGINT. ' +
    'The environment and .env configure it; its log goes to standard output.',
  options: {
    check: {
      type: 'boolean',
      help: 'start nothing: print the configuration, without secrets, and what is wrong with it'
    }
  },
  end: `Exit code: 0 stopped, 1 it could not start or failed, 2 wrong usage

Example
  MERCHANT_TOKEN_FILE=/run/secrets/merchant-token VARIANT=A PORT=3001 payment-signature serve --check`,

  async run () {
    for (const signal of ['SIGHUP', 'SIGUSR1']) process.on(signal, () => {}) // before the slow import, like src/server.ts
    await import('../../src/service.js') // reads --check from the arguments of the process
    return process.exitCode === undefined || process.exitCode === 0
  }
})
