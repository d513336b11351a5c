import t from 'tap'
import { entries, mistakeOf } from '../support/removals.js'

for (const entry of entries) {
  t.test(`${entry.name} has a mistake that is diagnosed in another way without it`, async t => {
    t.not(mistakeOf(entry), undefined)
  })
}
