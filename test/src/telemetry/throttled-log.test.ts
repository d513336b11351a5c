import { mock } from 'node:test'
import t from 'tap'
import { ThrottledLog } from '../../../src/telemetry/throttled-log.js'

t.test('the first line is logged at once, the next as a sum, a later one at once again', t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const said: Array<[number, string]> = []
  const events = new ThrottledLog<string>((times, latest) => { said.push([times, latest]) })

  events.report('first')
  t.strictSame(said.splice(0), [[1, 'first']])
  for (const name of ['second', 'third', 'fourth']) events.report(name)
  mock.timers.tick(9_999)
  t.strictSame(said, [])
  mock.timers.tick(1)
  t.strictSame(said.splice(0), [[3, 'fourth']])

  events.report('fifth')
  mock.timers.tick(10_000)
  t.strictSame(said.splice(0), [[1, 'fifth']])
  mock.timers.tick(10_000)
  events.report('sixth')
  t.strictSame(said, [[1, 'sixth']])
  t.equal(events.count, 6)
  t.end()
})
