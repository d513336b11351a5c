import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')

/** Returns the memory in use after a garbage collection, in bytes. */
export async function memoryInUse (): Promise<number> {
  gc()
  await turn()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
