import t from 'tap'
import { percentDecoded } from '../../../src/token/secret-scanner.js'

t.test('decoding reads nothing beyond the end of a text', async t => {
  t.equal(percentDecoded('xx1%41'), 'xx1A')
  t.equal(percentDecoded('%4'), '%4')
})
