import t from 'tap'
import { CircuitBreaker } from '../../../plugins/signing/circuit-breaker.js'

t.test('five failures in a row open it, and one answer closes it', async t => {
  let now = 1000
  t.intercept(performance, 'now', { value: () => now })
  const breaker = new CircuitBreaker()
  const failed = (times: number) => { for (let count = 0; count < times; count++) breaker.failed() }
  const admitted = () => [breaker.admits(), breaker.admits(), breaker.admits()]

  failed(4)
  t.strictSame(admitted(), [true, true, true])
  breaker.succeeded()
  failed(4)
  t.equal(breaker.isOpen, false, 'they were not in a row')

  failed(1)
  t.equal(breaker.isOpen, true)
  t.strictSame(admitted(), [false, false, false])
  now = 1999
  t.strictSame(admitted(), [false, false, false])
  failed(100) // of requests that were on their way already: they postpone nothing
  now = 2000
  t.strictSame(admitted(), [true, false, false], 'one in a second')
  now = 2999
  t.strictSame(admitted(), [false, false, false])
  failed(1)
  now = 3000
  t.strictSame(admitted(), [true, false, false], 'whether the one before was answered or not')

  breaker.succeeded()
  t.equal(breaker.isOpen, false)
  t.strictSame(admitted(), [true, true, true])
  failed(4)
  t.equal(breaker.isOpen, false, 'it counts anew')
})
