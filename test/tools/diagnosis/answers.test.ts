import { join } from 'node:path'
import t from 'tap'
import { diagnose } from '../../../tools/diagnosis/diagnose.js'
import { isFirst } from '../../support/diagnosed.js'
import { namedMistakes } from '../../support/named-mistakes.js'
import { root } from '../../support/server.js'
import { token } from '../../support/wrong-signatures.js'

// What diagnose says of a mistake of each name. After a change of the engine, `npm run snapshot` writes it again: read
// what differs.

t.snapshotFile = join(root, 'test/tools/diagnosis/answers.cjs')

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
