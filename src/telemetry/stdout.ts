import { LineWriter } from './line-writer.js'

/**
 * Standard output, for the log and the audit. Lines bypass `process.stdout`, whose first use makes a pipe
 * non-blocking.
 */
export const stdout = new LineWriter(process.stdout.fd)

process.once('exit', () => stdout.finish())
