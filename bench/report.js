import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { plot } from './plot.js'
import { tables } from './tables.js'

const root = join(import.meta.dirname, '..')

/** Where, when and with what it was measured, in a sentence. */
function conditions (machine, { loader, seconds }) {
  const { date, commit, cpu, processors, memory, system, pinned, node, go, packages } = machine
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`).join(', ')
  return `${date.slice(0, 10)}, commit ${commit}, ${processors} × ${cpu}, ${memory}, ${system}, ` +
    `${pinned ? 'pinned' : '**not pinned**'}, Node ${node}${go ? `, ${go}` : ''}, ${versions}` +
    `${loader ? `; load from ${loader}` : ''}${seconds ? `, ${seconds} s each` : ''}.\n`
}

/** What stands between the part's two comments in the page, replaced. */
function filled (page, part, text) {
  const [start, end] = [`<!-- ${part} -->\n`, `<!-- end of ${part} -->`]
  const [before, rest] = page.split(start)
  if (rest === undefined || !rest.includes(end)) throw new Error(`bench/README.md has no place for ${part}`)
  return before + start + text + rest.slice(rest.indexOf(end))
}

/**
 * Fills the tables of bench/README.md from the results in a directory, and draws docs/bench.svg; what has no result
 * stays as it is. With `output`, the filled page and the plot go to that directory instead.
 */
export function report (results, output = root) {
  let page = readFileSync(join(root, 'bench/README.md'), 'utf8')
  for (const [part, tablesOf] of Object.entries(tables)) {
    const file = join(results, `${part}.json`)
    if (!existsSync(file)) {
      process.stdout.write(`no results for ${part}\n`)
      continue
    }
    const { machine, result } = JSON.parse(readFileSync(file, 'utf8'))
    page = filled(page, part, `\n${conditions(machine, result)}\n${tablesOf(result)}\n`)
    if (part === 'http') write(join(output, 'docs/bench.svg'), plot(result))
  }
  write(join(output, 'bench/README.md'), page)
}

function write (file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  process.stdout.write(`${file}\n`)
}
