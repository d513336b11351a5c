import { join } from 'node:path'
import t from 'tap'
import { readPrograms } from '../../proof/diagnosis.js'
import { run } from '../../support/command-line.js'
import { root } from '../../support/server.js'

// The answers for programs with mistakes that were written without knowledge of the engine, as they were read
// (150 are right). After a change of the engine, `npm run snapshot` writes them again: read what differs.

t.snapshotFile = join(root, 'test/tools/diagnosis/answers.cjs')

for (const [index, { id, cause, variant, token, pairs }] of readPrograms().entries()) {
  t.test(`${id}: ${cause}`, async t => {
    const env = { MERCHANT_TOKEN: token }
    const args = ['diagnose', '--variant', variant, '--max-tries', '30000', '-']
    const [{ request, signature }] = pairs as [typeof pairs[number]]
    const { stdout } = await run([...args, '--signature', signature], { env, stdin: JSON.stringify(request) })
    t.matchSnapshot(stdout, 'one request')
    if (index % 4 > 0) return
    const log = pairs.map(({ request, signature }) => JSON.stringify({ ...request, signature })).join('\n')
    t.matchSnapshot((await run(args, { env, stdin: log })).stdout, 'a log of both requests')
  })
}
