import { writeSync } from 'node:fs'

/** How long to wait for a pipe that is full, in milliseconds. */
const pause = 10

const never = new Int32Array(new SharedArrayBuffer(4))

/**
 * Standard output for the log. It is synchronous: at exit the last lines would be lost or change places. What cannot be
 * written is lost, since neither a full disk nor a reader that has gone should end the signing of payments.
 */
export const stdout = {
  write (line: string): void {
    let rest = Buffer.from(line)
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(1, rest))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
        Atomics.wait(never, 0, 0, pause)
      }
    }
  }
}
