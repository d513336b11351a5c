import { writeSync } from 'node:fs'

/** How long to wait for a pipe that is full, in milliseconds. */
const pause = 10

const never = new Int32Array(new SharedArrayBuffer(4))

let waiting = ''

/** What cannot be written is lost: neither a full disk nor a reader that has gone should end the signing. */
function flush (): void {
  let rest = Buffer.from(waiting)
  waiting = ''
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(never, 0, 0, pause)
    }
  }
}

process.once('exit', flush)

/**
 * Standard output for the log. What is logged within one turn of the event loop is written at its end, or at exit, in
 * one piece: under load a write for each line would cost as much as a signature.
 */
export const stdout = {
  write (line: string): void {
    if (waiting === '') setImmediate(flush)
    waiting += line
  }
}
