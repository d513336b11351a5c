import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../support/server.js'
import { table } from './part.js'
import type { Part } from './part.js'

/** Installs a version of Node.js from the npm package `node`. Returns the path of its program. */
function installNode (directory: string, version: string): string {
  const folder = join(directory, `node-${version}`)
  mkdirSync(folder)
  const options = ['--silent', '--no-audit', '--no-fund', '--prefix', folder]
  execFileSync('npm', ['install', ...options, `node@${version}`], { cwd: folder })
  return join(folder, 'node_modules/node/bin/node')
}

export const disconnects: Part = {
  name: 'disconnects',
  shows: 'Clients that hang up at random moments end no app that embeds the route, with 25 sets of hooks, 14 sets of options ' +
    'and Node.js 20, 22 and 24.',
  async run ({ seed, short, directory, note, signal }) {
    const script = [join(root, 'dist/test/proof/hang-ups.js'), String(seed), short ? '1000' : '10000']
    const rows: Array<Array<string | number>> = []
    const faults: string[] = []
    for (const version of short ? ['24'] : ['20', '22', '24']) {
      const node = installNode(directory, version)
      const { stdout } = await promisify(execFile)(node, script, { signal, maxBuffer: 2 ** 26 })
      const result = JSON.parse(stdout)
      faults.push(...result.faults.map((fault: string) => `- ${version}: ${fault}`))
      rows.push([version, result.apps, result.disconnected, result.faults.length])
      note(`Node.js ${rows.at(-1)!.join(' | ')}`)
    }
    return {
      passed: faults.length === 0,
      figures: { 'disconnected clients': rows.reduce((sum, [,, count]) => sum + Number(count), 0), faults: faults.length },
      details: [table(['Node.js', 'apps', 'disconnected clients', 'faults'], rows), ...faults.slice(0, 20)].join('\n\n')
    }
  }
}
