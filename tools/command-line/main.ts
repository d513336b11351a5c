import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { isRequestError } from '../../src/scheme/errors.js'
import { json, visible } from '../explain/characters.js'
import { version } from '../../src/version.js'
import { reasonOf } from '../../src/text/read-file.js'
import { exitCodes, fail, helpOn, parse, programName, type Command, type Io } from './command.js'

/** A line of `--help`, and a function that loads the command: no command loads the files of another one. */
type Listed = readonly [summary: string, load: () => Promise<unknown>]

/** All commands, in the order of `--help`. */
export const commands: Readonly<Record<string, Listed>> = {
  init: ['make the files for a shop behind nginx', async () => (await import('./init-command.js')).command],
  serve: ['run the service, or check its configuration', async () => (await import('./serve-command.js')).command],
  'new-key': ['make an API key and its entry in the policy', async () => (await import('./new-key-command.js')).command],
  'check-policy': ['check a policy, and a request against it', async () => (await import('./check-policy-command.js')).command],
  doctor: ['check a running service, or the shop\'s route', async () => (await import('./doctor-command.js')).command],
  sign: ['print the signature of a request', async () => (await import('./sign-command.js')).command],
  explain: ['show how a signature is made', async () => (await import('./explain-command.js')).command],
  diagnose: ['check a signature, and find the mistake behind a wrong one', async () => (await import('./diagnose-command.js')).command]
}

/** Loads a command of the table. */
export const load = async (name: string): Promise<Command> => await commands[name]![1]() as Command

const list = (program: string): string => `Usage: ${program} COMMAND [options]

${Object.entries(commands).map(([name, [summary]]) => `  ${name.padEnd(14)}${summary}`).join('\n')}

Run ${program} COMMAND --help for options and an example; --version prints the version.

Exit code: 0 yes or done, 1 no (a mismatch, not found, a failed check), 2 no result (wrong usage, an unreadable file)

Example
  ${program} explain --request request.json amount=100.00
`

/** Variables of the commands that are read from `.env`, too. */
const variables = ['MERCHANT_TOKEN', 'MERCHANT_TOKEN_FILE', 'MERCHANTS_FILE', 'VARIANT', 'ACCOUNT_NUMBER_DIGITS']

/**
 * Returns an environment with the variables of `.env` in the working directory, as the service has it.
 *
 * @throws CommandError the file cannot be read
 */
function withEnvFile (env: Io['env']): Io['env'] {
  try {
    const file = parseEnv(readFileSync('.env', 'utf8').replace(/^\ufeff/, ''))
    return { ...Object.fromEntries(Object.entries(file).filter(([name]) => variables.includes(name))), ...env }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return env
    fail(`.env cannot be read (${reasonOf(error)})`)
  }
}

async function run (name: string | undefined, args: string[], io: Io): Promise<number> {
  const program = programName(io.env)
  if (name === undefined) {
    io.stderr.write(list(program))
    return exitCodes.usage
  }
  if (name === '--help' || name === '--version') {
    io.stdout.write(name === '--help' ? list(program) : `${version}\n`)
    return exitCodes.ok
  }
  if (!Object.hasOwn(commands, name)) {
    const fault = name.startsWith('-') ? 'the command comes first, then its options' : 'unknown command (not shown: it may be a secret)'
    fail(`${fault}; see ${program} --help`)
  }
  const command = await load(name)
  if (args.includes('--help')) {
    io.stdout.write(helpOn(name, command, io))
    return exitCodes.ok
  }
  const parsed = parse(args, command)
  const env = /^(?:serve|init)$/.test(name) ? io.env : withEnvFile(io.env) // serve reads it itself
  return await command.run(parsed, { ...io, env }) ? exitCodes.ok : exitCodes.mismatch
}

/** Returns a line for standard error. With `--json`, the line is a JSON object. */
export const failureLine = (message: string, args: readonly string[], code: string | null = null): string =>
  args.includes('--json') ? json({ error: message, code }) : `payment-signature: ${visible(message)}\n`

/**
 * Runs a command of `payment-signature` and returns the exit code. Each failure is one line on standard error, as JSON
 * with `--json`.
 *
 * @param args - without the program's name
 */
export async function main ([name, ...args]: string[], io: Io): Promise<number> {
  try {
    return await run(name, args, io)
  } catch (error) {
    // A deep value overflows the stack. A file of merchants may have several faults, each with a line of its message.
    const message = (error as Error).message.replace(/^Maximum call stack.*/, 'the input is nested too deeply')
    const code = isRequestError(error) ? error.code : null
    const lines = args.includes('--json') ? [message] : message.split('\n')
    for (const line of lines) io.stderr.write(failureLine(line, args, code))
    return isRequestError(error) ? exitCodes.mismatch : exitCodes.usage
  }
}
