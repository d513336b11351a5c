import t from 'tap'
import { runEach } from '../../../src/conformance/command.js'
import { loadVectors } from '../../../src/conformance/vectors.js'

const vectors = loadVectors('A').slice(0, 1)

t.test('a program that does not end is ended', async t => {
  const args = ['-e', 'setInterval(() => {}, 1000)']
  const [outcome] = await runEach({ program: process.execPath, args, env: {}, timeout: 500 }, vectors)
  t.same(outcome, { problem: 'timed out after 0.5 seconds' })
})
