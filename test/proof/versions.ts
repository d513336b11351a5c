import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/server.js'
import { scoped } from '../support/scope.js'
import { table } from './part.js'
import type { Part } from './part.js'

/** Clones the repository with a version of Fastify, and runs the tests. Fails if a command fails. */
const script = `
git clone --quiet "$1" . && npm ci --silent && npm install --silent --no-save "fastify@$2" && npm run --silent build &&
case $3 in short) echo not run;; *) .ci/tap --disable-coverage --jobs=3 --reporter=tap;; esac`

export const versions: Part = {
  name: 'versions',
  shows: 'The test suite passes with the oldest Fastify that the service supports, 5.10, and with the newest 5. CI runs ' +
    'the versions of Node.js.',
  async run ({ short, note, signal }) {
    const rows: string[][] = []
    const failures: string[] = []
    for (const wanted of ['5.10.0', '5']) {
      signal.throwIfAborted()
      await scoped('versions', async t => {
        const folder = t.testdir()
        try {
          const args = ['-c', script, 'sh', root, wanted, short ? 'short' : '']
          const output = execFileSync('sh', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
          const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/fastify/package.json'), 'utf8'))
          rows.push([version, /^# \{ total: (.*) \}$/m.exec(output)?.[1] ?? 'not run'])
        } catch (error) {
          const { stdout = '' } = error as { stdout?: string }
          failures.push(wanted)
          rows.push([wanted, `FAILED: ${/^ *not ok .*/m.exec(stdout)?.[0] ?? error}`])
        }
        note(rows.at(-1)!.join(' | '))
      })
    }
    return {
      passed: failures.length === 0,
      figures: { versions: rows.length, failed: failures.length },
      details: table(['Fastify', 'suite'], rows)
    }
  }
}
