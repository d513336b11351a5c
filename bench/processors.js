import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const [, allowed] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))
const numbers = allowed.match(/\d+/g) // of a list such as 0-2,5

/** Server and load have a processor each, or they would take turns. */
export const serverProcessor = numbers.at(0)
export const loadProcessor = numbers.at(-1)

/** Moves this process, and what it starts from now on, to the processor of the load. */
export function leaveServerProcessor () {
  spawnSync('taskset', ['-a', '-c', '-p', loadProcessor, String(process.pid)])
}
