import t from 'tap'
import { keyCheckValue } from '../../../src/merchants/key-check-value.js'

t.test('the first 6 digits of an HMAC with the label as the key', async t => {
  // printf TOKEN | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1'
  for (const [token, expected] of [['development-only-token', '63e1e6'], ['a\0', '2878d7'], ['töken-€', '738389']] as const) {
    t.equal(keyCheckValue(token), expected, token)
  }
})
