import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { scoped } from '../../dist/test/support/scope.js'
import { previousBuild } from '../../dist/test/support/previous-build.js'
import { drawCharts } from './charts.js'
import { modesIn } from './modes.js'
import { parts } from './parts.js'
import { leaveServerProcessor } from './processors.js'
import { replaceTables, say } from './report.js'
import { isNoisy } from './statistics.js'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '16' },
    seconds: { type: 'string', default: '1' }
  }
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
if (!(rounds >= 1 && seconds > 0)) throw new Error('--rounds and --seconds must be numbers above 0')
const names = positionals.length === 0 ? Object.keys(parts) : positionals
const unknown = names.find(name => !(name in parts))
if (unknown !== undefined) throw new Error(`unknown part ${unknown}: choose from ${Object.keys(parts).join(', ')}`)

const root = join(import.meta.dirname, '../..')
leaveServerProcessor()

/** Returns the server file of a checkout that is built already, or of a commit, which is built now. */
function otherBuild (scope, name) {
  const built = join(resolve(name), 'dist/src/server.js')
  if (existsSync(built)) return built
  const { script, skip } = previousBuild(scope, name)
  if (skip !== false) throw new Error(skip)
  return join(root, script)
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
const machine = `${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${cpus().length} × ${cpus()[0].model}, Node ${process.version}`
const results = {}
await scoped('bench', async scope => {
  const directory = scope.testdirName
  const modes = modesIn(directory)
  const here = join(root, 'dist/src/server.js')
  const other = options.against === undefined ? undefined : otherBuild(scope, options.against)
  for (const name of names) {
    say(`part ${name}`)
    const isForPage = options.write
    results[name] = await parts[name]({ scope, root, directory, here, other, modes, rounds, seconds, isForPage })
    process.stdout.write(`\n## ${name}\n${results[name].text}`)
  }
})
process.stdout.write(`\n${machine}\n`)

const noisy = Object.entries(results).filter(([, { noise = [1] }]) => noise.some(isNoisy))
for (const [name, { noise }] of noisy) {
  say(`${name}: too noisy, the service against itself was ${noise.map(ratio => ratio.toFixed(2)).join(', ')}`)
}
if (options.write && noisy.length > 0) {
  say('no document was written: repeat the run on a quiet machine')
  process.exit(1)
}
if (options.write) {
  const document = join(root, 'docs/speed.md')
  writeFileSync(document, replaceTables(readFileSync(document, 'utf8'), results, machine))
  await drawCharts(results, join(root, 'docs'))
}
process.exit()
