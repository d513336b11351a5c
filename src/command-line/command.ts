import type { Readable, Writable } from 'node:stream'
import type { ParseArgsConfig } from 'node:util'

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
  /** Yes, or done. */
  ok: 0,
  /** No: it does not match, was not found, cannot be signed, or did not pass. */
  mismatch: 1,
  /** No result: wrong usage, an unreadable file, no token. */
  usage: 2,
  /** Ctrl-C. Shells use this code too. */
  interrupted: 130
} as const

/** The command has no result. The message is one line that says what to do, and contains no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor (message: string, readonly exitCode: number = exitCodes.usage) {
    super(message)
  }
}

/** Options for `parseArgs`. */
export type Options = NonNullable<ParseArgsConfig['options']>

/** A command. The module `NAME-command.ts` exports it as `command`. */
export interface Command {
  /** For `--help`: usage, options, exit codes, and an example; ends with a newline. */
  readonly help: string
  readonly options: Options

  /**
   * Runs the command. Returns true for exit code 0, and false for exit code 1.
   *
   * @param args - the arguments after the command's name
   * @throws CommandError the arguments are invalid, or the input that they name
   */
  run (args: string[], io: Io): Promise<boolean>
}

/** Line of the table of commands. */
interface Entry {
  readonly summary: string
  /** Loads the command on its first use: loading `serve` takes ten times as long as signing. */
  load (): Promise<{ command: Command }>
}

/** The commands by name, in the order of `--help`. */
export type Commands = Readonly<Record<string, Entry>>
