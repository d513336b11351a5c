import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../../support/server.js'

const hasPython = spawnSync('python3', ['--version']).status === 0

t.test('the stored digests are those of another SHA-256', { skip: !hasPython && 'python3 is not installed' }, async t => {
  const { status, stdout, stderr } = spawnSync('python3', [join(root, 'vectors/digests.py'), '--check'], { encoding: 'utf8' })
  t.equal(status, 0, stdout + stderr)
})
