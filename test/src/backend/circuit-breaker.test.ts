import t, { type Test } from 'tap'
import { CircuitBreaker, type Outcome } from '../../../src/backend/circuit-breaker.js'

/** A circuit breaker with a stopped clock, and a function that moves the clock forward by milliseconds. */
function breakerOf (t: Test) {
  let now = 100_000
  t.intercept(performance, 'now', { value: () => now })
  const breaker = new CircuitBreaker()
  return {
    breaker,
    goOn (milliseconds: number) { now += milliseconds },
    /** Admits and records time-outs, each given as order and address. */
    timeOut (...pairs: ReadonlyArray<readonly [order: string, address: string]>) {
      for (const [, address] of pairs) breaker.admits(address)
      for (const [order, address] of pairs) breaker.record('timeout', order, address)
    },
    admitted: () => [breaker.admits('a'), breaker.admits('a'), breaker.admits('a')]
  }
}

const orders = (count: number, address: string) => Array.from({ length: count }, (_, index) => [`${address}-${index}`, address] as const)

t.test('time-outs open the circuit breaker', async t => {
  for (const [what, isOpen, pairs] of [
    ['four orders do not', false, orders(4, 'a')],
    ['five orders do, if all requests have one address', true, orders(5, 'a')],
    ['one order never does', false, Array(100).fill(['1', 'a'])],
    ['one order of many addresses never does', false, orders(100, '').map(([address]) => ['1', address])],
    ['one address among others does not', false, [...orders(100, 'a'), ['b-0', 'b']]],
    ['two addresses do', true, [...orders(3, 'a'), ...orders(2, 'b')]],
    ['five addresses do', true, ['a', 'b', 'c', 'd', 'e'].map(address => [address, address] as const)]
  ] as Array<[string, boolean, Array<readonly [string, string]>]>) {
    t.test(what, async t => {
      const { breaker, timeOut } = breakerOf(t)
      timeOut(...pairs)
      t.equal(breaker.isOpen, isOpen)
    })
  }
})

t.test('an answer closes the circuit breaker and resets its count', async t => {
  const { breaker, timeOut } = breakerOf(t)
  timeOut(...orders(4, 'a'))
  breaker.record('answered', '', 'a')
  timeOut(...orders(4, 'a'))
  t.equal(breaker.isOpen, false, 'they were not in a row')
  timeOut(['5', 'a'])
  t.equal(breaker.isOpen, true)
  breaker.record('answered', '', 'a')
  t.equal(breaker.isOpen, false)
})

t.test('a second address closes a circuit breaker that one address opened', async t => {
  const { breaker, timeOut, goOn } = breakerOf(t)
  timeOut(...orders(5, 'a'))
  t.equal(breaker.isOpen, true)
  t.strictSame([breaker.admits('b'), breaker.admits('a')], [true, true])
  timeOut(...orders(5, 'a'), ['b-0', 'b'])
  t.equal(breaker.isOpen, false, 'three and one')
  timeOut(['b-1', 'b'])
  t.equal(breaker.isOpen, true, 'three and two')
  t.equal(breaker.admits('c'), false)
  breaker.record('answered', '', 'b')

  goOn(59_999)
  timeOut(...orders(5, 'c'))
  t.equal(breaker.isOpen, false)
  goOn(1)
  timeOut(...orders(5, 'c'))
  t.equal(breaker.isOpen, true, 'a minute without another address')
})

t.test('an open circuit breaker admits one request a second', async t => {
  for (const [outcome, first] of [['timeout', false], ['down', true]] as ReadonlyArray<[Outcome, boolean]>) {
    t.test(outcome, async t => {
      const { breaker, timeOut, goOn, admitted } = breakerOf(t)
      if (outcome === 'down') breaker.record('down', '1', 'a')
      else timeOut(...orders(5, 'a'))
      t.equal(breaker.isOpen, true)
      t.strictSame(admitted(), [first, false, false], 'one failure may be an accident')
      goOn(999)
      t.strictSame(admitted(), [false, false, false])
      for (const [order, address] of orders(100, 'a')) breaker.record(outcome, order, address) // results of requests in flight do not delay the next probe
      goOn(1)
      t.strictSame(admitted(), [true, false, false])
      goOn(1000)
      t.strictSame(admitted(), [true, false, false], 'whether the previous one was answered or not')
    })
  }
})
