import { readFileSync } from 'node:fs'

/** Limit of the connections, which take 28 KiB each with the largest body: 110 MiB. */
const most = 4000

/** Number of descriptors for all else: files, the backend, Redis, the log. */
const reserve = 100

/** Returns the limit of open files of this process; undefined outside Linux, and for no limit. */
function openFiles (): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

/**
 * Returns the limit of connections, and the limit of open files if this one determines it. A connection beyond the
 * limit is counted and logged. A connection for which there is no descriptor would be closed without a line in the log.
 */
export function connectionLimit (files = openFiles()): { maxConnections: number, files?: number } {
  if (files === undefined || files - reserve >= most) return { maxConnections: most }
  return { maxConnections: Math.max(files - reserve, Math.floor(files / 2)), files }
}
