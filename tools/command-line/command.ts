import type { Readable, Writable } from 'node:stream'
import { parseArgs, styleText } from 'node:util'
import { fieldNames, type Field, type SignatureRequest } from '../../src/scheme/request.js'

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

/** Throws a {@link CommandError}. */
export function fail (message: string): never {
  throw new CommandError(message)
}

/** Throws an error that lists the arguments without a value. */
export function assertGiven (given: Readonly<Record<string, unknown>>): void {
  const missing = Object.entries(given).flatMap(([name, value]) => value === undefined ? [name] : [])
  if (missing.length > 0) fail(`missing ${missing.join(', ')}; see --help`)
}

/** An option with its line of `--help`, as `parseArgs` of Node.js accepts it. */
interface Option { readonly type: 'string' | 'boolean', readonly multiple?: boolean, readonly value?: string, readonly help: string }

type Options = Readonly<Record<string, Option>>

/** Returns an option that has a value. */
export const text = (value: string, help: string) => ({ type: 'string', value, help }) as const

export const json = (help: string) => ({ json: { type: 'boolean', help } }) as const

/** Parsed arguments of a command. */
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ options: T, allowPositionals: true }>> & {
  /** The fields of a request among the arguments. */
  readonly fields: Partial<SignatureRequest>
}

/** A command of the table. */
export interface Command<T extends Options = Options> {
  /** Arguments after the name, for `--help`. */
  readonly usage: string
  /** Text of `--help` above the options. */
  readonly help: string
  readonly options: T
  /** Text of `--help` below the options: exit codes, and an example. */
  readonly end: string
  /** Number of arguments that belong to no option and are no field. Default: 0. */
  readonly maxPositionals?: number
  /** True if arguments such as `amount=100.00` are the fields of a request. */
  readonly hasFields?: boolean

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

/** Refuses an argument that belongs to no option. The argument may be a secret. */
function unexpectedArgument (options: object): never {
  const hints = {
    request: 'did you mean --request FILE, or a field such as amount=100.00?',
    'account-numbers': 'write a list without spaces, such as 102551,102552'
  }
  const [, hint] = Object.entries(hints).find(([name]) => Object.hasOwn(options, name)) ?? []
  fail(`unexpected argument (not shown: it may be a secret); ${hint ?? 'see --help'}`)
}

/** Returns the first line of Node's message, which contains no value, or a message that says what to do. */
function faultIn (message: string): string {
  const [line] = message.split(/\. To specify|\n/) as [string]
  const [, option] = /^Option '(--\S+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(line) ?? []
  return option === undefined ? line : `${option} needs a value; one that begins with a dash is written ${option}=VALUE`
}

const setToken = 'set MERCHANT_TOKEN, or pass --token-file'

/** The fields that arguments can have. */
const argumentNames = fieldNames.filter(name => name !== 'merchantToken')

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')

/** Refuses an argument with an unknown name. It is shown if it consists of letters: a secret may have a `=`, too. */
function unknownField (name: string): never {
  const near = argumentNames.find(known => lettersOf(known) === lettersOf(name))
  const shown = /^[a-z_-]{1,24}$/i.test(name) ? `"${name}"` : 'what stands before = (not shown: it may be a secret)'
  fail(`${shown} is no field of a request: ` +
    (near === undefined ? `the fields are ${argumentNames.join(', ')}` : `did you mean ${near}?`))
}

/**
 * Returns the fields of arguments of the form `name=value`. A time stamp of digits is a number.
 *
 * @throws CommandError a field is unknown, given twice, or the token
 */
function fieldsIn (args: readonly string[]): Partial<SignatureRequest> {
  const fields: Partial<Record<Field, string | number>> = {}
  for (const arg of args) {
    const [name, value] = [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)]
    if (lettersOf(name) === 'merchanttoken') {
      fail(`merchantToken is refused: every user of this machine could read it in the process list; ${setToken}`)
    }
    if (!fieldNames.includes(name as Field)) unknownField(name)
    if (Object.hasOwn(fields, name)) fail(`${name} is given more than once: give it once`)
    const isNumber = name === 'clientTimeStamp' && /^[1-9]\d{0,14}$/.test(value)
    fields[name as Field] = isNumber ? Number(value) : value
  }
  return fields as Partial<SignatureRequest>
}

/**
 * Parses the arguments of a command.
 *
 * @throws CommandError an option is unknown, repeated, lacks its value, or contains a secret; a field is unknown or
 *   repeated; there are too many other arguments
 */
export function parse (args: string[], { options, maxPositionals = 0, hasFields = false }: Command): Parsed<Options> {
  const [, secret] = args.map(arg => secretFlags.exec(arg)).find(found => found !== null) ?? []
  if (secret !== undefined) {
    fail(`--${secret} is refused: every user of this machine could read it in the process list; ` +
      (secret === 'api-key' ? 'pass --api-key-file' : setToken))
  }
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, tokens: true })
  } catch (error) {
    fail(faultIn((error as Error).message))
  }
  const named = parsed.tokens.flatMap(token => token.kind === 'option' && token.value !== undefined ? [token.name] : [])
  const repeated = named.find((name, index) => named.indexOf(name) < index && !options[name]?.multiple)
  if (repeated !== undefined) fail(`--${repeated} is passed more than once: pass it once`)
  const isField = (text: string): boolean => hasFields && /^[^/:]+=/.test(text)
  const positionals = parsed.positionals.filter(text => !isField(text))
  if (positionals.length > maxPositionals) unexpectedArgument(options)
  return { ...parsed, positionals, fields: fieldsIn(parsed.positionals.filter(isField)) }
}

/** Returns the text of `--help`. */
export function helpOn (name: string, { usage, help, options, end }: Command, { env }: Io): string {
  const lines = Object.entries(options).map(([name, { value, help }]) =>
    `  ${`--${name} ${value ?? ''}`.padEnd(27)} ${help.replaceAll('\n', '\n'.padEnd(31))}`.trimEnd())
  return `Usage: ${programName(env)} ${name} ${usage}\n\n${help}\n\nOptions\n${lines.join('\n')}\n\n${end}\n`
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
