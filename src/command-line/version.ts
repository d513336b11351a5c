import { version } from '../service/version.js'
import { parse } from './arguments.js'
import { exitCodes } from './command.js'
import type { Command } from './command.js'

const options = {} as const

export const command: Command = {
  help: `Usage: payment-signature version

Prints the version of the package; --version does so too.

Exit code: 0 printed, 2 wrong usage

Example
  payment-signature version
`,

  options,

  async run (args, io) {
    parse(args, options)
    io.stdout.write(`${version}\n`)
    return exitCodes.ok
  }
}
