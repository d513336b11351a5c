import { mock } from 'node:test'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { repeatedRefusals } from '../../../src/telemetry/repeated-refusals.js'
import { ThrottledLog } from '../../../src/telemetry/throttled-log.js'

/** A function that counts refusals, the logged lines, and the replaced timers. */
function counting (t: Test) {
  const lines: unknown[] = []
  const timers: Array<{ passes (): void, delay: number }> = []
  t.intercept(globalThis, 'setTimeout', {
    value: (passes: () => void, delay: number) => {
      timers.push({ passes, delay })
      return { unref () { return this } }
    }
  })
  t.intercept(globalThis, 'clearTimeout', { value: () => {} })
  const log = { info: (line: object, message: string) => lines.push({ ...line, message }) }
  const isRepeated = repeatedRefusals({ addHook () {}, log } as unknown as FastifyInstance)
  return { isRepeated: (client: string) => isRepeated(client, { statusCode: 429, error: 'Too many' }), lines, timers }
}

t.test('each minute the log has a count of those that were refused more than once', async t => {
  const { isRepeated, lines, timers } = counting(t)
  t.strictSame(['a', 'a', 'b', 'a'].map(isRepeated), [false, true, false, true])
  t.equal(timers.length, 1)
  t.equal(timers[0]?.delay, 60_000)
  t.strictSame(lines, [])
  timers[0]?.passes()
  t.strictSame(lines, [{ statusCode: 429, error: 'Too many', client: 'a', count: 2, message: 'more requests refused' }])
  t.strictSame(['b', 'b'].map(isRepeated), [false, true], 'a new minute')
  timers[1]?.passes()
  t.strictSame(lines[1], { statusCode: 429, error: 'Too many', client: 'b', count: 1, message: 'more requests refused' })
  t.equal(timers.length, 2)
})

t.test('refusals of many addresses share one count in the log', async t => {
  const { isRepeated, lines, timers } = counting(t)
  const ask = (name: string) => Array.from({ length: 1000 }, (_, number) => isRepeated(`${name}-${number}`))
  t.strictSame(new Set(ask('one')), new Set([false]))
  t.strictSame(new Set(ask('two')), new Set([true]))
  t.ok(isRepeated('one-7'))
  t.ok(isRepeated('two-7'))
  timers[0]?.passes()
  t.match(lines, [{ client: 'one-7', count: 1 }, { client: 'others', count: 1001 }])
  t.equal(lines.length, 2)
})

t.test('other repeated lines: the first is logged at once, the next as a sum, a later one at once again', t => {
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
