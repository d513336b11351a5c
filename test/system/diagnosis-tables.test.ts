import t from 'tap'
import { entries, mistakeOf } from '../support/removals.js'

for (const entry of entries) {
  t.test(`without ${entry.name}, a mistake has another diagnosis`, async t => {
    t.not(mistakeOf(entry), undefined)
  })
}
