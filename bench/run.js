import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const usage = `npm run bench [-- PART...] [-- OPTIONS]

  PART         signer, http, start or growth; without one, all of them
               report: fills the tables of bench/README.md and draws docs/bench.svg from the results
  --rounds N   instead of each part's own number
  --seconds S  for each measurement; a fraction is for autocannon only
  --smoke      one short round of everything, to see that it runs; the figures are worth nothing
  --out DIR    where results are written to and read from instead of bench/results; a report goes there, too
`

const parts = {
  signer: async options => (await import('./signer.js')).signer(options),
  http: async options => (await import('./http.js')).http(options),
  start: async options => (await import('./start.js')).start(options),
  growth: async options => (await import('./growth.js')).growth(options)
}

/** @returns {never} */
function fail (message) {
  process.stderr.write(`${message}\n\n${usage}`)
  process.exit(2)
}

function commandLine () {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        smoke: { type: 'boolean', default: false },
        out: { type: 'string' }
      }
    })
  } catch (error) {
    return fail(error.message)
  }
}

/** A number of the command line, or nothing, so that each part's own default holds. */
function numberOf (name, text) {
  if (text === undefined) return {}
  if (!(Number(text) > 0)) fail(`--${name} is ${text}; it must be a number above 0`)
  return { [name]: Number(text) }
}

const { values: { smoke, rounds, seconds, out }, positionals } = commandLine()
const unknown = positionals.find(part => part !== 'report' && !Object.hasOwn(parts, part))
if (unknown !== undefined) fail(`${unknown} is no part`)
const results = out ?? join(import.meta.dirname, 'results')

async function runParts (names) {
  const { leaveServerProcessor } = await import('./processors.js')
  const { machine } = await import('./machine.js')
  const { tables } = await import('./tables.js')
  const directory = mkdtempSync(join(tmpdir(), 'payment-signature-bench-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const conditions = machine() // before the results change the working tree
  leaveServerProcessor()

  const options = {
    ...(smoke && { rounds: 1, seconds: 0.2, warmUp: 0, smoke }),
    ...numberOf('rounds', rounds),
    ...numberOf('seconds', seconds),
    directory,
    say: line => process.stderr.write(`${line}\n`)
  }
  for (const name of names) {
    const result = await parts[name](options)
    if (out !== undefined || !smoke) {
      mkdirSync(results, { recursive: true })
      writeFileSync(join(results, `${name}.json`), JSON.stringify({ machine: conditions, result }, null, 1) + '\n')
    }
    process.stdout.write(`\n${name}\n\n${tables[name](result)}`)
  }
}

if (positionals.includes('report')) {
  const { report } = await import('./report.js')
  report(results, out)
} else if (process.platform !== 'linux') {
  fail('processor time and memory are read from /proc, so this needs Linux')
} else {
  await runParts(positionals.length > 0 ? positionals : Object.keys(parts))
}
