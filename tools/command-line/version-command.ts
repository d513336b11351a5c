import { version } from '../../src/text/program.js'
import { commandOf } from '../../src/command-line/command.js'

export const command = commandOf({
  help: `Usage: payment-signature version

Prints the version of the package; --version does so too.

Exit code: 0 printed, 2 wrong usage

Example
  payment-signature version
`,

  options: {},

  async run (_args, io) {
    io.stdout.write(`${version}\n`)
    return true
  }
})
