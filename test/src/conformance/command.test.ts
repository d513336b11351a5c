import t from 'tap'
import { answersOfCommand } from '../../../src/conformance/command.js'
import { loadVectors } from '../../../src/conformance/vectors.js'

const vectors = loadVectors('A').slice(0, 1)

t.test('a program that does not end is ended', async t => {
  const args = ['-e', 'setInterval(() => {}, 1000)']
  const [answer] = await answersOfCommand({ program: process.execPath, args, env: {}, timeout: 500 }, vectors)
  t.same(answer, { problem: 'no answer within 0.5 seconds' })
})
