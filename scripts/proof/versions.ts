import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync
} from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import * as example from '../../test/support/example.js'
import { listening, root, start } from '../../test/support/server.js'
import { scoped } from '../scope.js'
import { table } from './part.js'
import type { Context, Part, Result } from './part.js'
import { send } from './send.js'

/** Versions that are tried: of Node.js in the npm package `node`, and of Fastify. */
const nodeVersions = ['20', '22', '24', '26']
/** The lowest one for apps that embed the route, the lowest one for the service, and the newest. */
const fastifyVersions = ['5.0.0', '5.10.0', '5']

const versionOf = (folder: string): string => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version

function install (folder: string, packageName: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, packageName], { cwd: folder })
}

/** Installs a version of Node.js. Returns the path of its program. */
function installNode (directory: string, version: string): string {
  const folder = join(directory, `node-${version}`)
  const program = join(folder, 'node_modules/node/bin/node')
  if (!existsSync(program)) install(folder, `node@${version}`)
  return program
}

/** Copies this checkout with its build to a folder, and links all dependencies but Fastify. */
function copyWithFastify (directory: string, version: string, copy: string): void {
  const installed = join(directory, `fastify-${version}`)
  install(installed, `fastify@${version}`)
  mkdirSync(join(copy, 'node_modules'))
  execFileSync('sh', ['-c', 'git archive HEAD | tar -x -C "$1"', 'sh', copy], { cwd: root })
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'fastify' && name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  symlinkSync(join(installed, 'node_modules/fastify'), join(copy, 'node_modules/fastify'))
}

interface Row {
  passed: boolean
  cells: string[]
}

/** Runs the test suite of a checkout. Returns its totals. The output is kept in a file. */
async function suite (node: string, folder: string, log: string): Promise<{ isPassed: boolean, totals: string }> {
  const environment = Object.entries(process.env).filter(([name]) => !/^(TAP|NODE_|npm_)/.test(name))
  const child = spawn(node, ['node_modules/tap/dist/esm/run.mjs', '--disable-coverage', '--jobs=3', '--reporter=tap'], {
    cwd: folder,
    env: { ...Object.fromEntries(environment), PATH: `${join(node, '..')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const file = createWriteStream(log)
  child.stdout.pipe(file, { end: false })
  child.stderr.pipe(file, { end: false })
  const [code] = await once(child, 'close')
  file.end()
  await once(file, 'close')
  const totals = [...readFileSync(log, 'utf8').matchAll(/^# \{ total: (.*) \}$/gm)].at(-1)?.[1] ?? `no totals, exit code ${code}`
  return { isPassed: code === 0, totals: code === 0 ? totals : `FAILED: ${totals}` }
}

/** Starts the service of a checkout and requests a signature. Returns true if it is right. */
const smoke = (node: string, folder: string): Promise<boolean> => scoped('versions', async t => {
  const service = start(t, node, [join(folder, 'dist/src/server.js')], {
    cwd: t.testdir(), env: { NODE_ENV: 'test', PORT: '0', HOST: '127.0.0.1' }
  })
  const [, port] = await service.says(listening)
  const { statusCode, body } = await send(Number(port), { agent: new Agent(), body: example.body })
  const isRight = statusCode === 200 && body === JSON.stringify({ signature: example.signature })
  return await service.terminate() === 0 && isRight
})

/** Requests a signature from an app that embeds the route of a checkout. Returns true if it is right. */
function embeddedSmoke (node: string, folder: string): boolean {
  const program = `
    import Fastify from 'fastify'
    import paymentSignature from './dist/src/fastify.js'
    const app = Fastify().register(paymentSignature, { variant: 'A', merchantToken: 'development-only-token' })
    const payload = ${example.body}
    console.log((await app.inject({ method: 'POST', url: '/api/generate-signature', payload })).body)`
  const output = execFileSync(node, ['--input-type=module', '--eval', program], { cwd: folder, encoding: 'utf8' })
  return output.trim() === JSON.stringify({ signature: example.signature })
}

async function run ({ directory, short, note, signal }: Context): Promise<Result> {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const rows: Row[] = []

  /** Tries a version, unless an earlier run has tried it with the same commit. */
  async function attempt (name: string, node: string, folder: string) {
    const path = join(directory, `${name}.json`)
    const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
    if (!short && stored.commit === commit) {
      rows.push(stored.row)
      return
    }
    signal.throwIfAborted()
    const fastifyVersion = versionOf(join(folder, 'node_modules/fastify'))
    const isForService = fastifyVersion !== '5.0.0'
    const isWorking = embeddedSmoke(node, folder) && (!isForService || await smoke(node, folder))
    const log = join(directory, `${name}.log`)
    const { isPassed, totals } = short || !isForService ? { isPassed: true, totals: '' } : await suite(node, folder, log)
    const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    const row = {
      passed: isWorking && isPassed,
      cells: [
        nodeVersion, fastifyVersion, isWorking ? 'signs' : 'FAILED', isForService ? totals || 'not run' : 'not run: only for apps that embed the route'
      ]
    }
    rows.push(row)
    note(row.cells.join(' | '))
    if (!short && row.passed) writeFileSync(path, JSON.stringify({ commit, row }))
  }

  for (const version of short ? ['24'] : nodeVersions) {
    await attempt(`node-${version}`, installNode(directory, version), root)
  }
  for (const version of fastifyVersions) {
    await scoped('versions', async t => { // outside node_modules, whose code tests and lint ignore
      copyWithFastify(directory, version, t.testdir())
      await attempt(`fastify-${version}`, installNode(directory, '24'), t.testdir())
    })
  }
  return {
    passed: rows.every(({ passed }) => passed),
    figures: { combinations: rows.length, failed: rows.filter(({ passed }) => !passed).length },
    details: table(['Node.js', 'Fastify', 'smoke test', 'suite'], rows.map(({ cells }) => cells))
  }
}

export const versions: Part = {
  name: 'versions',
  shows: 'The service works on Node.js 20, 22, 24 and 26, and with Fastify 5.10 and the newest 5. Apps with Fastify 5.0 can embed the route.',
  run
}
