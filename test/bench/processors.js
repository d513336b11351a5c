import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const [, allowed] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))

/** Numbers of the processors that this process may use. */
export const processors = allowed.split(',').flatMap(range => {
  const [first, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index))
})

/** The servers and the load run on different processors, so that they do not wait for each other. */
export const serverProcessor = processors.at(0)
export const loadProcessor = processors.at(-1)

/** Moves this process, and the programs that it starts from now on, to the processor of the load. */
export function leaveServerProcessor () {
  spawnSync('taskset', ['-a', '-c', '-p', loadProcessor, String(process.pid)])
}
