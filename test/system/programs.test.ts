import { join } from 'node:path'
import t from 'tap'
import { signerOf } from '../../src/scheme/variants.js'
import { readPrograms } from '../proof/diagnosis.js'
import { run } from '../support/command-line.js'
import { root } from '../support/server.js'

// The answers of diagnose to 160 programs with mistakes, right or wrong; diagnose.test.ts counts what is right. After
// a change of the engine, `npm run snapshot` writes them again: read what differs.

t.snapshotFile = join(root, 'test/system/programs.cjs')
t.cleanSnapshot = answer => answer.replace(/\d+ texts/g, 'N texts') // depends on the digests of OpenSSL

const programs = readPrograms()

for (const [index, { id, cause, variant, token: own, pairs }] of programs.entries()) {
  t.test(`${id}: ${cause}`, async t => {
    const env = { MERCHANT_TOKEN: own }
    const args = ['diagnose', '--variant', variant, '--max-tries', '10000', '-']
    const [{ request, signature }] = pairs as [typeof pairs[number]]
    const { stdout } = await run([...args, '--signature', signature], { env, stdin: JSON.stringify(request) })
    t.matchSnapshot(stdout, 'one request')
    if (index % 5 > 0) return
    const next = programs.find((other, place) => place > index && other.variant === variant) ?? programs[0]!
    const right = next.pairs.map(({ request }) => ({ request, signature: signerOf(variant, own).sign(request) }))
    const log = [...pairs, ...right].map(({ request, signature }) => JSON.stringify({ ...request, signature })).join('\n')
    t.matchSnapshot((await run(args, { env, stdin: log })).stdout, 'a log, in which other requests are right')
  })
}
