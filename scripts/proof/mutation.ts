import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync,
  writeFileSync
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../test/support/server.js'
import type { Scope } from '../../test/support/server.js'
import { covers, readCoverage } from './mutation/coverage.js'
import type { Covered } from './mutation/coverage.js'
import { equivalents } from './mutation/equivalents.js'
import { mutantsOf } from './mutation/mutants.js'
import type { Mutant } from './mutation/mutants.js'
import { inScope, table } from './part.js'
import type { Context, Part } from './part.js'

const folders = ['src', 'plugins', 'routes', 'tools', 'client']

/** Folders of which at least `minimum` mutants are drawn. */
const weakFolders = {
  scheme: /^src\/scheme\//,
  'request-text': /^tools\/request-text\//,
  'command-line': /\/command-line\//,
  diagnosis: /^tools\/diagnosis\//
}
const minimum = 60
/** Files in which every mutant must be killed. */
const critical = /^(?:src\/(?:scheme|guard|token)|plugins\/signing)\//

/** Tests that read sources or documents, and not what the code does. */
const otherTests = /^test\/(?:system\/|processes\/|lint\.|documents\.|promises\.|examples\/)/

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
    .filter(name => name.endsWith('.test.js') && !otherTests.test(name) && (!short || name.startsWith('test/src/scheme/')))
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

/**
 * Draws mutants with a seed: at most one on each line, and the minimum of each weaker folder. A mutant's place in the
 * order depends on its line and not on other mutants: changes elsewhere in the code hardly change the sample.
 */
function draw (all: Mutant[], count: number, seed: number): Mutant[] {
  const orderOf = (mutant: Mutant) => digest(seed, mutant.file, lineOf(mutant), mutant.original, mutant.replacement)
  const shuffled = all.map(mutant => ({ mutant, order: orderOf(mutant) }))
    .sort((one, other) => one.order < other.order ? -1 : 1).map(({ mutant }) => mutant)
  const lines = new Set<string>()
  const candidates = shuffled.filter(({ file, line }) => {
    const isFirst = !lines.has(`${file}:${line}`)
    lines.add(`${file}:${line}`)
    return isFirst
  })
  const drawn = new Set(Object.values(weakFolders).flatMap(folder =>
    candidates.filter(({ file }) => folder.test(file)).slice(0, Math.min(minimum, count))))
  for (const candidate of candidates) if (drawn.size < count) drawn.add(candidate)
  return [...drawn].slice(0, count)
}

const reasonOf = (mutant: Mutant): string | undefined => equivalents.find(({ file, line, original, replacement }) =>
  file === mutant.file && replacement === mutant.replacement && original === mutant.original &&
  line === lineOf(mutant))?.reason

/** Identifies a mutant for as long as its file does not change. */
const idOf = ({ file, start, end, replacement }: Mutant): string =>
  digest(readFileSync(join(root, 'dist', file), 'utf8'), file, start, end, replacement)

const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').replaceAll('`', '\'')
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}

/** Runs the covering tests of each mutant, and returns the statuses by ID. */
async function judge (mutants: Mutant[], scope: Scope, context: Context): Promise<Map<string, Judged>> {
  const { directory, note, signal } = context
  const path = join(directory, 'results.jsonl')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(line => line !== '') : []
  const earlier: Judged[] = lines.map(line => JSON.parse(line))
  const results = new Map(earlier.filter(({ status }) => status === 'killed').map(result => [result.id, result]))
  const left = mutants.filter(mutant => !results.has(idOf(mutant)))
  note(`${mutants.length - left.length} of ${mutants.length} mutants were killed by an earlier run; ${workers} workers`)
  const copies = Array.from({ length: workers }, (_, worker) => workerFolder(join(scope.testdir(), String(worker))))
  const tests = await testFiles(copies, context)
  note(`${tests.length} test files`)
  let done = 0
  await inParallel(left, signal, async (mutant, worker) => {
    const { file, start, end, replacement } = mutant
    const folder = copies[worker] as string
    const mirror = `test/${dirname(file)}/`
    const isNear = ({ name }: TestFile) => Number(name.startsWith(mirror))
    const found = tests.filter(({ covered }) => covers(covered, file, start))
    // Tests start some programs with an environment of their own, and the coverage is then unknown.
    const covering = (found.length > 0 ? found : tests.filter(({ name }) => name.startsWith(mirror) || !/^test\/.*\//.test(name)))
      .sort((one, other) => isNear(other) - isNear(one) || one.milliseconds - other.milliseconds)
    const copy = join(folder, 'dist', file)
    const text = readFileSync(join(root, 'dist', file), 'utf8')
    writeFileSync(copy, text.slice(0, start) + replacement + text.slice(end))
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

export const mutation: Part = {
  name: 'mutation',
  shows: 'The tests notice changes of the code: of 600 mutants, drawn at random with at most one on each line, they kill ' +
    'at least 97 %, and every one in the scheme, the guards and the token, equivalent mutants excluded. Survivors of seed 31 ' +
    'got tests, so other seeds show more survivors.',
  run: inScope('mutation', async (scope, context) => {
    const { seed, short } = context
    const files = folders.flatMap(folder => readdirSync(join(root, 'dist', folder), { recursive: true })
      .map(name => `${folder}/${name}`).filter(name => name.endsWith('.js') && !/^client\/(?:index|.*global)\.js$/.test(name)))
    const all = files.flatMap(file => mutantsOf(file, readFileSync(join(root, 'dist', file), 'utf8')))
    const drawn = draw(short ? all.filter(({ file }) => file.startsWith('src/scheme/')) : all, short ? 5 : 600, seed)
    const excluded = drawn.filter(mutant => reasonOf(mutant) !== undefined)
    const mutants = drawn.filter(mutant => !excluded.includes(mutant))
    const results = await judge(mutants, scope, context)
    const statusOf = (mutant: Mutant) => results.get(idOf(mutant))?.status
    const killed = mutants.filter(mutant => statusOf(mutant) === 'killed').length
    const survivors = mutants.filter(mutant => statusOf(mutant) !== 'killed')
    const share = killed / mutants.length
    const inCritical = survivors.filter(({ file }) => critical.test(file)).length
    const row = (mutant: Mutant, last: string) =>
      [`${mutant.file}:${mutant.line}`, `\`${shorten(mutant.original)}\``, `\`${shorten(mutant.replacement)}\``, last]
    const head = ['compiled file', 'code', 'mutant']
    return {
      passed: share >= 0.97 && inCritical === 0,
      figures: {
        'possible mutants': all.length,
        drawn: drawn.length,
        ...Object.fromEntries(Object.entries(weakFolders).map(([name, folder]) =>
          [`of ${name}`, drawn.filter(({ file }) => folder.test(file)).length])),
        equivalent: excluded.length,
        killed,
        survivors: survivors.length,
        'of them in scheme, guards and token': inCritical,
        'killed, in percent': Math.floor(share * 1000) / 10
      },
      details: [
        ...survivors.length > 0 ? ['Survivors:', table([...head, 'status'], survivors.map(mutant => row(mutant, statusOf(mutant) ?? 'not run')))] : [],
        ...excluded.length > 0 ? ['Equivalent mutants:', table([...head, 'reason'], excluded.map(mutant => row(mutant, reasonOf(mutant) ?? '')))] : []
      ].join('\n\n')
    }
  })
}
