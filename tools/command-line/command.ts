import type { Readable, Writable } from 'node:stream'
import { parseArgs, styleText } from 'node:util'

/**
 * Returns `payment-signature` as the user can call it, for commands to copy. When npm runs the program, it is usually
 * not on the path of the user's shell.
 */
export const programName = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env.npm_command === 'exec' ? 'npx --no -- payment-signature' : 'payment-signature'

/** Streams and environment of a command. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** The result only. */
  readonly stdout: Writable & { readonly isTTY?: boolean }
  /** Errors and warnings, a line each. */
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Exit codes of all commands. */
export const exitCodes = {
  /** Success, or the answer yes. */
  ok: 0,
  /** The answer no: a mismatch, nothing found, a request that cannot be signed, a failed check. */
  mismatch: 1,
  /** No result: wrong usage, an unreadable file, a missing token. */
  usage: 2
} as const

/** Error for a command without a result. The message is one line with the remedy, and contains no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** An option with its line of `--help`, as `parseArgs` of Node.js accepts it. */
interface Option { readonly type: 'string' | 'boolean', readonly value?: string, readonly help: string }

type Options = Readonly<Record<string, Option>>

/** Returns an option that has a value. */
export const text = (value: string, help: string) => ({ type: 'string', value, help }) as const

export const json = (help: string) => ({ json: { type: 'boolean', help } }) as const

/** Parsed arguments of a command. */
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ options: T, allowPositionals: true }>>

/** A command of the table. */
export interface Command<T extends Options = Options> {
  /** Arguments after the name, for `--help`. */
  readonly usage: string
  /** Text of `--help` above the options. */
  readonly help: string
  readonly options: T
  /** Text of `--help` below the options: exit codes, and an example. */
  readonly end: string
  /** Number of arguments that belong to no option. Default: 0. */
  readonly maxPositionals?: number

  /**
   * Runs the command. Returns true for exit code 0, and false for exit code 1.
   *
   * @throws CommandError the arguments are invalid, or their input is
   */
  run (args: Parsed<T>, io: Io): Promise<boolean>
}

/** Returns the command itself. Its options determine the type of the parsed arguments. */
export const commandOf = <const T extends Options>(command: Command<T>): Command<T> => command

const secretFlags = /^--(token|merchant-token|api-key)(?:=|$)/

/** Error for an argument that belongs to no option. The argument may be a secret. */
const unexpectedArgument = (options: object): CommandError => new CommandError(
  `unexpected argument (not shown: it may be a secret); ${Object.hasOwn(options, 'request') ? 'did you mean --request FILE?' : 'see --help'}`)

/** Returns the first line of Node's message, which contains no value, or a message that says what to do. */
function faultIn (message: string): string {
  const [line] = message.split(/\. To specify|\n/) as [string]
  const [, option] = /^Option '(--\S+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(line) ?? []
  return option === undefined ? line : `${option} needs a value; one that begins with a dash is written ${option}=VALUE`
}

/**
 * Parses the arguments of a command.
 *
 * @throws CommandError an option is unknown, repeated, lacks its value, or contains a secret; there are too many other
 *   arguments
 */
export function parse (args: string[], { options, maxPositionals = 0 }: Command): Parsed<Options> {
  const [, secret] = args.map(arg => secretFlags.exec(arg)).find(found => found !== null) ?? []
  if (secret !== undefined) {
    throw new CommandError(`--${secret} is refused: every user of this machine could read it in the process list; ` +
      (secret === 'api-key'
        ? 'set PAYMENT_SIGNATURE_API_KEY, or pass --api-key-file'
        : 'set MERCHANT_TOKEN, or pass --token-file'))
  }
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, tokens: true })
  } catch (error) {
    throw new CommandError(faultIn((error as Error).message))
  }
  const named = parsed.tokens.flatMap(token => token.kind === 'option' && token.value !== undefined ? [token.name] : [])
  const repeated = named.find((name, index) => named.indexOf(name) < index)
  if (repeated !== undefined) throw new CommandError(`--${repeated} is passed more than once: pass it once`)
  if (parsed.positionals.length > maxPositionals) throw unexpectedArgument(options)
  return parsed
}

/** Returns the text of `--help`. */
export function helpOn (name: string, { usage, help, options, end }: Command, { env }: Io): string {
  const lines = Object.entries(options).map(([name, { value, help }]) =>
    `  ${`--${name} ${value ?? ''}`.padEnd(27)} ${help.replaceAll('\n', '\n'.padEnd(31))}`.trimEnd())
  return `Usage: ${programName(env)} ${name} ${usage}\n\n${help}\n\nOptions\n${lines.join('\n')}\n\n${end}\n`
}

/**
 * Returns the positive integer of an option; undefined without the option.
 *
 * @throws CommandError the text is no integer from 1 to 2^53 - 1
 */
export function count (name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : NaN
  if (number <= Number.MAX_SAFE_INTEGER) return number
  throw new CommandError(`--${name} must be an integer greater than 0`)
}

type Colour = 'green' | 'red' | 'yellow' | 'bold' | 'dim'

/** Paints a text for a terminal, or as FORCE_COLOR and NO_COLOR ask for; otherwise returns it as it is. */
export function painter ({ stdout, env }: Io): (colour: Colour, text: string) => string {
  const isPainted = env.FORCE_COLOR
    ? env.FORCE_COLOR !== '0'
    : stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  return (colour, text) => isPainted ? styleText(colour, text, { validateStream: false }) : text
}

/** Returns the marks at the beginning of a report's lines. */
export function marksOf (io: Io) {
  const paint = painter(io)
  return {
    ok: paint('green', '✓'),
    warning: paint('yellow', '!'),
    failed: paint('red', '✗'),
    skipped: paint('dim', '-')
  }
}
