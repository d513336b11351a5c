import t from 'tap'
import { outcomeOf, outcomes } from '../../../plugins/signing/outcome.js'

for (const [statusCode, outcome] of [
  [200, 'signed'], [400, 'invalid'], [413, 'invalid'], [415, 'invalid'], [401, 'unauthenticated'], [403, 'forbidden'],
  [429, 'rate_limited'], [500, 'failed'], [503, 'unavailable'], [402, 'refused'], [409, 'refused'], [417, 'refused'],
  [204, 'refused'], [0, 'refused']
] as const) {
  t.equal(outcomeOf(statusCode), outcome, `${statusCode} is ${outcome}`)
}

t.test('whatever the status, the set is closed', async t => {
  const found = new Set(Array.from({ length: 1000 }, (_, statusCode) => outcomeOf(statusCode)))
  t.strictSame([...found].sort(), [...outcomes].sort())
})
