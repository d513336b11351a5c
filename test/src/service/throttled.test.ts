import { mock } from 'node:test'
import t from 'tap'
import { throttled } from '../../../src/service/throttled.js'

t.test('at once, then in sum, then at once again', t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const said: Array<[number, string]> = []
  const happens = throttled<string>((times, latest) => { said.push([times, latest]) })

  happens('first')
  t.strictSame(said.splice(0), [[1, 'first']])
  for (const name of ['second', 'third', 'fourth']) happens(name)
  mock.timers.tick(9_999)
  t.strictSame(said, [])
  mock.timers.tick(1)
  t.strictSame(said.splice(0), [[3, 'fourth']])

  happens('fifth')
  mock.timers.tick(10_000)
  t.strictSame(said.splice(0), [[1, 'fifth']])
  mock.timers.tick(10_000)
  happens('sixth')
  t.strictSame(said, [[1, 'sixth']])
  t.end()
})
