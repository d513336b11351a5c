import type { Readable, Writable } from 'node:stream'
import type { ParseArgsConfig } from 'node:util'

/** What somebody types into, and reads from; it is there even if the standard streams go elsewhere. */
export interface Terminal {
  readonly input: Readable & { setRawMode (isRaw: boolean): unknown }
  readonly output: Writable
  close (): void
}

/** Where a command reads from and writes to: the process' own, or a test's. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** The result, and nothing else. */
  readonly stdout: Writable & { readonly isTTY?: boolean }
  /** What went wrong, and warnings: a line each. */
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Rejects if there is none. */
  openTerminal (): Promise<Terminal>
}

/** What a command ends with. */
export const exitCodes = {
  /** Yes; it is so; it was done. */
  ok: 0,
  /** No: it does not match, was not found, cannot be signed, or did not pass. */
  mismatch: 1,
  /** There is no result: wrong usage, an unreadable file, no token. */
  usage: 2,
  /** Ctrl-C, as shells have it. */
  interrupted: 130
} as const

/** A command without a result. The message is one line that says what to do, and contains no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor (message: string, readonly exitCode: number = exitCodes.usage) {
    super(message)
  }
}

/** Options for `parseArgs`. `choices` are the allowed values, for shells to complete. */
export type Options = Record<string, NonNullable<ParseArgsConfig['options']>[string] & { choices?: readonly string[] }>

/** Each module of a command exports one as `command`. */
export interface Command {
  /** For `--help`: usage, options, exit codes, and an example; ends with a newline. */
  readonly help: string
  readonly options: Options
  /** Allowed values of the first argument, for shells to complete. Default: any. */
  readonly words?: readonly string[]

  /**
   * Runs the command. Returns true for exit code 0, and false for exit code 1.
   *
   * @param args - what follows the command's name
   * @param commands - the table that contains this command
   * @throws CommandError the arguments are invalid, or the input that they name
   */
  run (args: string[], io: Io, commands: Commands): Promise<boolean>
}

/** Line of the table of commands. */
interface Entry {
  readonly summary: string
  /** Loads the command on its first use: loading `serve` takes ten times as long as signing. */
  load (): Promise<{ command: Command }>
}

/** The commands by name, in the order of `--help`. */
export type Commands = Readonly<Record<string, Entry>>
