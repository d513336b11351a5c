import { nearest } from '../settings/nearest.js'
import { isRequestError } from '../scheme/errors.js'
import { json, visible } from '../text/characters.js'
import { TokenError } from '../token/token-file.js'
import { parse } from './arguments.js'
import { CommandError, exitCodes, type Commands, type Io } from './command.js'
import { programName } from '../text/program.js'

const helpOn = (commands: Commands, program: string): string => `Usage: ${program} COMMAND [options]

${Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`).join('\n')}

Run ${program} COMMAND --help for options and an example.

Exit code: 0 yes or done, 1 no (a mismatch, not found, a failed check), 2 no result (wrong usage, an unreadable file)

Example
  ${program} explain --request request.json
`

async function run (commands: Commands, name: string | undefined, args: string[], io: Io): Promise<number> {
  const program = programName(io.env)
  const seeHelp = `see ${program} --help`
  if (name === undefined) {
    io.stderr.write(helpOn(commands, program))
    return exitCodes.usage
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    const of = args.find(arg => !arg.startsWith('-') && arg !== 'help')
    if (of !== undefined) return run(commands, of, ['--help'], io)
    io.stdout.write(helpOn(commands, program))
    return exitCodes.ok
  }
  if (name === '--version' || name === '-v') return run(commands, 'version', args, io)
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) {
    if (name.startsWith('-')) throw new CommandError('the command comes first, then its options; ' + seeHelp)
    const hint = nearest(name, Object.keys(commands))
    throw new CommandError(`unknown command ${name.slice(0, 40)}${hint === undefined ? `; ${seeHelp}` : `; did you mean ${hint}?`}`)
  }
  const { command } = await entry.load()
  const options = ownOptions(args)
  if (options.includes('--help') || options.includes('-h')) {
    io.stdout.write(command.help)
    return exitCodes.ok
  }
  return await command.run(parse(args, command), io) ? exitCodes.ok : exitCodes.mismatch
}

/** Returns the arguments before `--`: those after it are for another program. */
const ownOptions = (args: readonly string[]) => args.includes('--') ? args.slice(0, args.indexOf('--')) : args

/** Returns a line for standard error. With `--json`, the line is a JSON object. */
export function failureLine (message: string, args: readonly string[], code: string | null = null): string {
  return ownOptions(args).includes('--json') ? json({ error: message, code }) : `payment-signature: ${visible(message)}\n`
}

function exitCodeOf (error: unknown): number {
  if (error instanceof CommandError) return error.exitCode
  return isRequestError(error) ? exitCodes.mismatch : exitCodes.usage
}

/**
 * Runs a command of `payment-signature` and returns the exit code. Each failure is one line on standard error, as JSON
 * with `--json`.
 *
 * @param args - without the program's name
 */
export async function main (commands: Commands, [name, ...args]: string[], io: Io): Promise<number> {
  try {
    return await run(commands, name, args, io)
  } catch (error) {
    const exitCode = exitCodeOf(error)
    if (exitCode === exitCodes.interrupted) return exitCode
    // A deep value overflows the stack.
    const message = (error as Error).message.replace(/^Maximum call stack.*/, 'the input is nested too deeply')
    const code = isRequestError(error) ? error.code : null
    // A file of merchants may have several faults, each with a line of its message.
    const messages = error instanceof TokenError && !args.includes('--json') ? message.split('\n') : [message]
    for (const line of messages) io.stderr.write(failureLine(line, args, code))
    return exitCode
  }
}
