import { openSync } from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'
import type { Terminal } from './command.js'

/** The terminal that the process belongs to, wherever its standard streams go. Throws if there is none. */
export function openTerminal (): Terminal {
  const input = new ReadStream(openSync('/dev/tty', 'r'))
  const output = new WriteStream(openSync('/dev/tty', 'w'))
  return {
    input,
    output,
    close () {
      input.destroy()
      output.destroy()
    }
  }
}
