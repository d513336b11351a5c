import type { Readable, Writable } from 'node:stream'
import type { Options } from './arguments.js'

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

/** Each module of a command exports one as `command`. */
export interface Command {
  /** For `--help`: usage, options, exit codes, and an example; ends with a newline. */
  readonly help: string
  /** Those that it takes, for `parse`, and for shells to complete. */
  readonly options: Options

  /**
   * @param args - what follows the command's name
   * @returns the exit code
   * @throws CommandError what is wrong with the arguments, or with what they name: one line on standard error
   */
  run (args: string[], io: Io): Promise<number>
}

/** Line of the table of commands. */
export interface Entry {
  readonly summary: string
  /** Loads the command on its first use: loading `serve` takes ten times as long as signing. */
  load (): Promise<{ command: Command }>
}

/** The commands by name, in the order of `--help`. */
export type Commands = Readonly<Record<string, Entry>>
