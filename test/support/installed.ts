import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const folders = `${process.env.PATH}:/usr/sbin`.split(':')

/** Returns the path of a program, or undefined. An absolute path stands for itself, and may be that of any file. */
export const pathOf = (program: string): string | undefined =>
  folders.map(folder => resolve(folder, program)).find(path => existsSync(path))

/**
 * Value for a test's `skip`: the reason why one of its programs is missing, or false.
 *
 * @throws if a program is missing and REQUIRE_PROGRAMS is 1, because CI must not skip a test
 */
export function lacking (...programs: string[]): string | false {
  const missing = programs.filter(program => pathOf(program) === undefined)
  if (missing.length === 0) return false
  const reason = `not installed: ${missing.join(', ')}`
  if (process.env.REQUIRE_PROGRAMS === '1') throw new Error(`${reason}; REQUIRE_PROGRAMS is 1`)
  return reason
}
