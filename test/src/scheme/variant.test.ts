import t from 'tap'
import { termsOf } from '../../../src/scheme/variant.js'
import type { Variant } from '../../../src/scheme/variant.js'

t.test('there are two variants', async t => {
  for (const variant of ['C', 'a', '', undefined]) {
    t.throws(() => termsOf(variant as Variant, { sid: 'sid-1', clientTimeStamp: 1 }, 'token'), {
      name: 'UsageError', code: 'ERR_VARIANT', message: 'variant must be "A" or "B"'
    })
  }
})
