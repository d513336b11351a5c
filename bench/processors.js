import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Numbers in a list such as 0-2,5. */
function numbersIn (list) {
  return list.split(',').flatMap(range => {
    const [first, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

const [, list] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))
const processors = numbersIn(list)

/** Whether server and load each have a processor of their own. */
export const isPinned = processors.length > 1 && spawnSync('taskset', ['-V']).status === 0

const serverProcessor = processors.at(0)
const loadProcessor = processors.at(-1)

/** The command, to run where only the server runs. */
export const onServerProcessor = command => isPinned ? ['taskset', '-c', String(serverProcessor), ...command] : command

/** The command, to run wherever there is a processor free. */
export const onAnyProcessor = command => isPinned ? ['taskset', '-c', list, ...command] : command

/** Moves this process, and all that it starts from now on without a word on it, away from the server's processor. */
export function leaveServerProcessor () {
  if (isPinned) spawnSync('taskset', ['-a', '-c', '-p', String(loadProcessor), String(process.pid)])
}
