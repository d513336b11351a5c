import { LineWriter } from './line-writer.js'

/**
 * Standard output, for the log and the audit. Nothing is written through `process.stdout`, but Node makes a pipe
 * non-blocking as soon as it is asked for it.
 */
export const stdout = new LineWriter(process.stdout.fd)

process.once('exit', () => stdout.finish())
