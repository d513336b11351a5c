import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync,
  writeFileSync
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../support/server.js'
import type { Scope } from '../support/server.js'
import { covers, readCoverage } from './mutation/coverage.js'
import type { Covered } from './mutation/coverage.js'
import { mutantsOf } from './mutation/mutants.js'
import type { Mutant } from './mutation/mutants.js'
import { inScope, table } from './part.js'
import type { Context, Part } from './part.js'

/** Folders that are drawn and judged apart: number of mutants to draw, and the least share of killed ones. */
const groups = {
  'src, plugins, routes and client': { files: /^(?:src|plugins|routes|client)\//, count: 400, least: 0.95 },
  tools: { files: /^tools\//, count: 200, least: 0.85 }
}

/** Files of the short form, and their tests. */
const quick = /^(?:test\/)?(?:src\/scheme|tools\/request-text)\//

/** Tests that read sources or documents, and not what the code does, and those that need minutes or other programs. */
const otherTests = /^test\/(?:system\/(?!disconnects\.|programs\.|signals\.)|documents\.|promises\.)/

/** A mutant as it is stored. `code` is its compiled line, trimmed. */
type Survivor = Pick<Mutant, 'file' | 'line' | 'original' | 'replacement'> & { code: string }

/** Outcome of a group as it was drawn. */
interface Outcome {
  group: keyof typeof groups
  /** Number of drawn mutants that were judged: fewer with `--minutes`. */
  drawn: number
  survivors: Survivor[]
}

/** A survivor that no test can kill, because the program behaves the same. It was judged after the run. */
type Equivalent = Omit<Survivor, 'line'> & { reason: string }

/** A test file that passes without a mutant. */
interface TestFile {
  name: string
  milliseconds: number
  covered: Covered
}

type Status = 'killed' | 'survived'
interface Judged {
  id: string
  status: Status
  by?: string
}

const workers = Number(process.env.PROOF_WORKERS ?? availableParallelism())

/** Runs a function for each item, so many at a time. */
async function inParallel<Item> (
  items: Item[], signal: AbortSignal, run: (item: Item, worker: number) => Promise<void>
): Promise<void> {
  const queue = items.values()
  await Promise.all(Array.from({ length: workers }, async (_, worker) => {
    for (const item of queue) {
      if (signal.aborted) return
      await run(item, worker)
    }
  }))
}

/** Creates a folder with its own compiled files, and with links to everything else. */
function workerFolder (folder: string): string {
  mkdirSync(folder)
  for (const name of readdirSync(root)) {
    if (!['dist', '.tap', '.git'].includes(name)) symlinkSync(join(root, name), join(folder, name))
  }
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  return realpathSync(folder)
}

/** Runs a test file. Resolves with true if it passes. */
async function passes (
  folder: string, name: string, timeout: number, environment: Record<string, string> = {}
): Promise<boolean> {
  const child = spawn(process.execPath, [join('dist', name)], {
    cwd: folder,
    env: { ...process.env, TAP_BAIL: '1', TAP_TIMEOUT: '240', ...environment },
    stdio: 'ignore',
    detached: true // so that its own processes end with it
  })
  const end = () => { try { process.kill(-(child.pid as number), 'SIGKILL') } catch { /* ended */ } }
  const timer = setTimeout(end, timeout)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  end()
  return code === 0
}

/** Runs each test file without a mutant, and returns those that pass, with their coverage. */
async function testFiles (folders: string[], { directory, note, signal, short }: Context): Promise<TestFile[]> {
  const names = readdirSync(join(root, 'dist/test'), { recursive: true }).map(name => `test/${name}`)
    .filter(name => name.endsWith('.test.js') && !otherTests.test(name) && (!short || quick.test(name)))
  const all: TestFile[] = []
  await inParallel(names, signal, async (name, worker) => {
    const folder = folders[worker] as string
    const coverage = join(directory, `coverage-${worker}`)
    rmSync(coverage, { recursive: true, force: true })
    mkdirSync(coverage)
    const start = performance.now()
    if (!await passes(folder, name, 240_000, { NODE_V8_COVERAGE: coverage })) {
      note(`${name} fails without a mutant, and is left out`)
      return
    }
    all.push({ name, milliseconds: performance.now() - start, covered: readCoverage(coverage, join(folder, 'dist')) })
  })
  return all
}

const linesOf = new Map<string, string[]>()
function lineOf ({ file, line }: Mutant): string {
  const lines = linesOf.get(file) ?? readFileSync(join(root, 'dist', file), 'utf8').split('\n')
  linesOf.set(file, lines)
  return (lines[line - 1] as string).trim()
}

const digest = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

/** Draws mutants with a seed, at most one on each line. */
function draw (all: Mutant[], count: number, seed: number): Mutant[] {
  const orderOf = (mutant: Mutant) => digest(seed, mutant.file, mutant.line, mutant.original, mutant.replacement)
  const shuffled = all.map(mutant => ({ mutant, order: orderOf(mutant) }))
    .sort((one, other) => one.order < other.order ? -1 : 1).map(({ mutant }) => mutant)
  const byLine = new Map(shuffled.toReversed().map(mutant => [`${mutant.file}:${mutant.line}`, mutant]))
  return shuffled.filter(mutant => byLine.get(`${mutant.file}:${mutant.line}`) === mutant).slice(0, count)
}

/** Identifies a mutant for as long as its file does not change. */
const idOf = ({ file, start, end, replacement }: Mutant): string =>
  digest(readFileSync(join(root, 'dist', file), 'utf8'), file, start, end, replacement)

const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').replaceAll('`', '\'')
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}

/** Runs the covering tests of each mutant, and returns the statuses by ID. */
async function judge (mutants: Mutant[], scope: Scope, context: Context): Promise<Map<string, Judged>> {
  const { directory, commit, note, signal, minutes = Infinity } = context
  const end = performance.now() + minutes * 60_000
  const path = join(directory, `${commit}.jsonl`)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(line => line !== '') : []
  const earlier: Judged[] = lines.map(line => JSON.parse(line))
  const results = new Map(earlier.map(result => [result.id, result]))
  const left = mutants.filter(mutant => !results.has(idOf(mutant)))
  note(`${mutants.length - left.length} of ${mutants.length} mutants were judged by an earlier run of this commit; ${workers} workers`)
  if (left.length === 0) return results
  const copies = Array.from({ length: workers }, (_, worker) => workerFolder(join(scope.testdir(), String(worker))))
  const tests = await testFiles(copies, context)
  note(`${tests.length} test files`)
  let done = 0
  await inParallel(left, signal, async (mutant, worker) => {
    if (performance.now() > end) return
    const { file, start, end: after, replacement } = mutant
    const folder = copies[worker] as string
    const mirror = `test/${dirname(file)}/`
    const isNear = ({ name }: TestFile) => Number(name.startsWith(mirror))
    const found = tests.filter(({ covered }) => covers(covered, file, start))
    // Tests start some programs with an environment of their own, and the coverage is then unknown.
    const covering = (found.length > 0 ? found : tests.filter(({ name }) => name.startsWith(mirror) || !/^test\/.*\//.test(name)))
      .sort((one, other) => isNear(other) - isNear(one) || one.milliseconds - other.milliseconds)
    const copy = join(folder, 'dist', file)
    const text = readFileSync(join(root, 'dist', file), 'utf8')
    writeFileSync(copy, text.slice(0, start) + replacement + text.slice(after))
    const result: Judged = { id: idOf(mutant), status: 'survived' }
    for (const { name, milliseconds } of covering) {
      if (signal.aborted) break
      if (await passes(folder, name, 5 * milliseconds + 20_000)) continue
      result.status = 'killed'
      result.by = name
      break
    }
    writeFileSync(copy, text)
    if (signal.aborted && result.status !== 'killed') return
    results.set(result.id, result)
    appendFileSync(path, `${JSON.stringify(result)}\n`)
    done++
    if (result.status !== 'killed') note(`${result.status}: ${file}:${mutant.line} ${shorten(mutant.original)} → ${shorten(replacement)}`)
    if (done % 50 === 0) note(`${done} of ${left.length}`)
  })
  return results
}

/** Path of the judgements. They are a result, because the page's commit changes no code. */
const equivalents = join(root, 'test/proof/results/equivalents.json')

const percent = (part: number, whole: number): number => whole === 0 ? 0 : Math.floor(1000 * part / whole) / 10

export const mutation: Part = {
  name: 'mutation',
  shows: 'The tests kill at least 95 % of random mutants in `src`, `plugins`, `routes` and `client`, and 85 % in `tools`, ' +
    'at most one on each line. Equivalent mutants, which no test can kill, are excluded after the run, and no others are ' +
    'drawn instead.',
  run: inScope('mutation', async (scope, context) => {
    const { seed, short } = context
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.js') && !/^client\/(?:index|.*global)\.js$/.test(name))
    const chosen = Object.entries(groups).map(([group, { files: pattern, count }]) => {
      const own = files.filter(file => pattern.test(file) && (!short || quick.test(file)))
      const all = own.flatMap(file => mutantsOf(file, readFileSync(join(root, 'dist', file), 'utf8')))
      return { group: group as Outcome['group'], possible: all.length, mutants: draw(all, short ? 5 : count, seed) }
    })
    const results = await judge(chosen.flatMap(({ mutants }) => mutants), scope, context)
    const outcomes = chosen.map(({ group, mutants }): Outcome => {
      const judged = mutants.filter(mutant => results.has(idOf(mutant)))
      const survivors = judged.filter(mutant => results.get(idOf(mutant))?.status !== 'killed').map(mutant => {
        const { file, line, original, replacement } = mutant
        return { file, line, code: lineOf(mutant), original, replacement }
      })
      return { group, drawn: judged.length, survivors }
    })
    const [possible, drawn] = [chosen.map(({ possible }) => possible), chosen.map(({ mutants }) => mutants.length)]
      .map(counts => counts.reduce((sum, count) => sum + count, 0))
    const isWhole = outcomes.reduce((sum, { drawn }) => sum + drawn, 0) === drawn
    return { passed: isWhole, figures: { 'possible mutants': possible!, drawn: drawn! }, data: outcomes }
  }),
  complete (result) {
    const judged: Equivalent[] = JSON.parse(readFileSync(equivalents, 'utf8'))
    const reasonOf = (survivor: Survivor) => judged.find(equivalent =>
      (['file', 'code', 'original', 'replacement'] as const).every(name => equivalent[name] === survivor[name]))?.reason
    const all = result.data as Outcome[]
    const survivors = all.flatMap(outcome => outcome.survivors)
    const excluded = survivors.filter(survivor => reasonOf(survivor) !== undefined)
    const rows = all.map(({ group, drawn, survivors: { length } }) => {
      const equivalent = excluded.filter(({ file }) => groups[group].files.test(file)).length
      const killed = drawn - length
      const [share, adjusted] = [percent(killed, drawn), percent(killed, drawn - equivalent)]
      return { group, drawn, killed, survivors: length, share, equivalent, adjusted }
    })
    const cells = ({ file, line, original, replacement }: Survivor) =>
      [`${file}:${line}`, `\`${shorten(original)}\``, `\`${shorten(replacement)}\``]
    const head = ['compiled file', 'code', 'mutant']
    return {
      ...result,
      passed: result.passed && rows.every(({ group, adjusted }) => adjusted >= 100 * groups[group].least),
      figures: { ...result.figures, ...Object.fromEntries(rows.map(({ group, killed, drawn }) => [group, `${killed} of ${drawn} killed`])) },
      details: [
        table(['', 'drawn', 'killed', 'survived', 'killed, %', 'of the survivors equivalent', 'killed without these, %'],
          rows.map(row => Object.values(row))),
        ...survivors.length > 0 ? ['Survivors, as drawn:', table(head, survivors.map(cells))] : [],
        ...excluded.length > 0
          ? ['Judged afterwards as equivalent:', table([...head, 'reason'], excluded.map(survivor => [...cells(survivor), reasonOf(survivor) ?? '']))]
          : []
      ].join('\n\n')
    }
  }
}
