import type { Readable, Writable } from 'node:stream'
import type { parseArgs } from 'node:util'

/** The terminal of the process. The standard streams may be redirected. */
export interface Terminal {
  readonly input: Readable & { setRawMode (isRaw: boolean): unknown }
  readonly output: Writable
  close (): void
}

/** Streams and environment of a command. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** The result only. */
  readonly stdout: Writable & { readonly isTTY?: boolean }
  /** Errors and warnings, a line each. */
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Rejects if the process has no terminal. */
  openTerminal (): Promise<Terminal>
}

/** Exit codes of all commands. */
export const exitCodes = {
  /** Success, or the answer yes. */
  ok: 0,
  /** The answer no: a mismatch, nothing found, a request that cannot be signed, a failed check. */
  mismatch: 1,
  /** No result: wrong usage, an unreadable file, a missing token. */
  usage: 2,
  /** Ctrl-C. Shells use this code too. */
  interrupted: 130
} as const

/** Error for a command without a result. The message is one line with the remedy, and contains no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor (message: string, readonly exitCode: number = exitCodes.usage) {
    super(message)
  }
}

/** Options of a command, as `parseArgs` of Node.js expects them. */
export type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean', readonly multiple?: boolean }>>

/** Parsed arguments of a command. */
export type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ options: T, allowPositionals: true }>> & {
  /** The arguments after `--`. They are also the last positionals. */
  readonly rest: readonly string[]
}

/** A command. The module `NAME-command.ts` exports it as `command`. */
export interface Command<T extends Options = Options> {
  /** Text of `--help`: usage, options, exit codes, and an example, with a trailing newline. */
  readonly help: string
  readonly options: T
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
export const commandOf = <const T extends Options>(command: Command<T>): Command => command

/** Row of the table of commands. */
interface Entry {
  readonly summary: string
  /** Loads the command on its first use: loading `serve` takes ten times as long as signing. */
  load (): Promise<{ command: Command }>
}

/** The commands by name, in the order of `--help`. */
export type Commands = Readonly<Record<string, Entry>>
