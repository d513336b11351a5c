import { version } from '../../src/service/version.js'
import { parse } from '../../src/command-line/arguments.js'
import type { Command } from '../../src/command-line/command.js'

export const command: Command = {
  help: `Usage: payment-signature version

Prints the version of the package; --version does so too.

Exit code: 0 printed, 2 wrong usage

Example
  payment-signature version
`,

  options: {},

  async run (args, io) {
    parse(args, {})
    io.stdout.write(`${version}\n`)
    return true
  }
}
