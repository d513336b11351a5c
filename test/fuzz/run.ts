import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { scoped } from '../support/scope.js'
import { explore, surfaces } from '../support/surfaces.js'

/*
 * Searches for random requests to which service and fetch handler do not respond as the model of the documents
 * predicts, or that they record or report otherwise, and prints those.
 *
 *   node dist/test/fuzz/run.js [--seconds 120] [--seed 1]
 */

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '120' }, seed: { type: 'string', default: String(randomInt(2 ** 31)) } }
})
const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
if (!(seconds > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write('usage: node dist/test/fuzz/run.js [--seconds NUMBER] [--seed INTEGER]\n')
  process.exit(2)
}

process.stdout.write(`node dist/test/fuzz/run.js --seconds ${seconds} --seed ${seed}\n`)
const names = Object.keys(surfaces)
for (const name of names) {
  const end = performance.now() + seconds * 1000 / names.length
  let settings = 0
  const { differences } = await scoped(`fuzz-${name}`, t => explore(t, name, seed, made => {
    settings = made
    return performance.now() > end
  }))
  process.stdout.write(`${name}: ${settings} settings with 50 requests each, ${differences.length} faults\n`)
  for (const difference of differences) process.stdout.write(`FAULT ${difference}\n`)
  if (differences.length > 0) process.exitCode = 1
}
