import { join } from 'node:path'
import t from 'tap'
import { signerOf } from '../../../src/scheme/variants.js'
import { diagnose } from '../../../tools/diagnosis/diagnose.js'
import { readPrograms } from '../../proof/diagnosis.js'
import { run } from '../../support/command-line.js'
import { isFirst } from '../../support/diagnosed.js'
import { namedMistakes } from '../../support/named-mistakes.js'
import { root } from '../../support/server.js'
import { token } from '../../support/wrong-signatures.js'

// The answers of diagnose, right or wrong; test/system/diagnose.test.ts counts what is right. After a change of the
// engine, `npm run snapshot` writes them again: read what differs.

t.snapshotFile = join(root, 'test/tools/diagnosis/answers.cjs')
t.cleanSnapshot = answer => answer.replace(/\d+ texts/g, 'N texts') // depends on the digests of OpenSSL

const programs = readPrograms()

// 160 programs with mistakes, written without knowledge of the engine.
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

t.test('the right cause is first for a mistake of each name in one of its uses', async t => {
  let longSearches = 0 // test/system/diagnose.test.ts has them
  for (const [index, mistake] of namedMistakes.entries()) {
    if (namedMistakes.findIndex(({ hypothesis }) => hypothesis === mistake.hypothesis) !== index) continue
    const [use, attempt] = [...mistake.attempts].at(index % mistake.attempts.size)!
    const diagnosis = diagnose(attempt.signature, attempt.request, { ...attempt.options, maxTries: 3000 })
    const { valid, complete, causes, hints } = diagnosis
    if (!complete && causes.length === 0) {
      longSearches++
      continue
    }
    const name = `${use}, ${mistake.hypothesis}, ${mistake.what.replaceAll(token, 'TOKEN')}`
    t.ok(isFirst(mistake, diagnosis) && !valid, name)
    t.notOk(JSON.stringify(diagnosis).includes(attempt.options.merchantToken!), 'no token is shown')
    const sentences = causes[0]!.changes
      .flatMap(({ finding, interpretation, fix }) => [finding, fix, interpretation || finding])
    t.strictSame(sentences.filter(sentence => !/^[a-zA-Z].*\.$/s.test(sentence)), [], 'each text is a sentence')
    const all = causes.flatMap(({ changes, equallyLikely }) => [`one of ${equallyLikely}:`, ...changes.map(change =>
      [change.hypothesis, ...change.alsoKnownAs, change.finding, change.interpretation, change.fix].join('\n'))])
    t.matchSnapshot([...all, ...hints].join('\n'), name)
  }
  t.equal(longSearches, 17)
})
