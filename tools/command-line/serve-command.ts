import { commandOf, fail, type Io } from './command.js'

/**
 * Checks the configuration like a start, without listening, creating files or connecting. Prints what a start would
 * log, and the key check value of each merchant.
 *
 * @throws CommandError the configuration cannot be used: a line for each fault
 */
async function check (io: Io): Promise<void> {
  const { stdout, stderr } = io
  const { checkApp } = await import('../../src/check.js') // slow to load
  const { summaryOf } = await import('../../src/settings/combinations.js')
  const write = (stream: Io['stdout'], text: string): unknown => stream.write(`payment-signature: ${app.redactor.redact(text)}\n`)
  const warn = (line: string): void => {
    const { level, msg } = JSON.parse(line) as { level: number, msg: string }
    if (level >= 40) write(stderr, `warning: ${msg}`)
  }
  const app = checkApp({ logger: { stream: { write: warn } } })
  await app.ready().then(() => {}, (error: Error) => { fail(app.redactor.redact(error.message)) })
  write(stdout, `the configuration can be used: ${summaryOf(app)}`)
  await app.close()
  const { MERCHANTS_FILE } = app.config
  if (MERCHANTS_FILE === '') return
  const { keyCheckValue: valueOf } = await import('../../src/merchants/key-check-value.js')
  const { merchantsFrom } = await import('./input.js')
  for (const { name, token } of await merchantsFrom({ 'merchants-file': MERCHANTS_FILE }, io) ?? []) {
    write(stdout, `merchant ${name}, key check value ${valueOf(token)}`)
  }
}

export const command = commandOf({
  usage: '[--check]',
  help: 'Runs the service until SIGTERM or SIGINT. ' +
    'The environment and .env configure it; its log goes to standard output.',
  options: {
    check: {
      type: 'boolean',
      help: 'start nothing: print the configuration, without secrets, and what is wrong with it;\nof a file of merchants, a line for each'
    }
  },
  end: `Exit code: 0 stopped, or the configuration can be used, 1 it failed, such as when a port is in use, 2 wrong usage, or
the configuration cannot be used

Example
  MERCHANT_TOKEN_FILE=/run/secrets/merchant-token VARIANT=A PORT=3001 payment-signature serve --check`,

  async run ({ values }, io) {
    if (values.check) {
      await check(io)
      return true
    }
    await import('../../src/service.js')
    return process.exitCode === undefined || process.exitCode === 0
  }
})
