import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { isPinned } from './processors.js'

const root = join(import.meta.dirname, '..')
const packages = ['fastify', '@fastify/cors', 'pino', 'express', 'cors', 'hono', '@hono/node-server', 'autocannon']

const versionOf = name => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

function commit () {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

/** What the figures depend on. */
export function machine () {
  return {
    date: new Date().toISOString(),
    commit: commit(),
    cpu: cpus()[0]?.model,
    processors: cpus().length,
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
    system: `Linux ${release()}`,
    pinned: isPinned,
    node: process.version,
    go: spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout?.trim() || null,
    packages: Object.fromEntries(packages.map(name => [name, versionOf(name)]))
  }
}
