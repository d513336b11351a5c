import t from 'tap'
import { keyCheckValue } from '../../../src/token/key-check-value.js'

// printf TOKEN | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1', the first 6 digits
for (const [token, expected] of [
  ['development-only-token', '63e1e6'],
  ['a', 'e45bf7'],
  ['a\0', '2878d7'],
  ['töken-€', '738389'],
  ['correct horse battery staple, long enough for sixty-four bytes and a few more', 'd6c9b3']
] as const) {
  t.test(`of ${JSON.stringify(token)}`, async t => {
    t.equal(keyCheckValue(token), expected)
  })
}
