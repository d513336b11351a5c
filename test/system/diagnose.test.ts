import t from 'tap'
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import { isFirst } from '../support/diagnosed.js'
import { namedMistakes } from '../support/named-mistakes.js'

t.test('the right cause is first for each named mistake in each of its uses', async t => {
  for (const mistake of namedMistakes) {
    for (const [use, { signature, request, options }] of mistake.attempts) {
      const diagnosis = diagnose(signature, request, options)
      t.ok(isFirst([mistake], diagnosis), `${use}, ${mistake.hypothesis}, ${mistake.what}: ${JSON.stringify(diagnosis.causes)}`)
    }
  }
})
