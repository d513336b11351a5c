import t from 'tap'
import { AuditTrail } from '../../../src/service/audit-trail.js'

t.test('it is tried again and again, and told once', async t => {
  const timers: Array<() => void> = []
  t.intercept(globalThis, 'setTimeout', {
    value (retry: () => void) {
      timers.push(retry)
      return { unref: () => {} }
    }
  })
  const written: string[] = []
  const said: Array<[object, string]> = []
  let isFull = true
  const output = {
    lost: 0,
    write () {},
    deliver (line: string, done: (error?: Error) => void) {
      if (isFull) return done(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
      written.push(line)
      done()
    }
  }
  const say = (details: object, message: string) => { said.push([details, message]) }
  const trail = new AuditTrail('', output, { info () {}, warn: say, error: say }, line => line)

  await t.rejects(trail.record({ audit: {} }), { name: 'UnrecordedError', cause: { code: 'ENOSPC' } })
  timers.shift()?.()
  await t.rejects(trail.record({ audit: {} }))
  timers.shift()?.()
  t.equal(trail.isUp, false)
  t.equal(timers.length, 1, 'one at a time')

  isFull = false
  timers.shift()?.()
  t.equal(trail.isUp, true)
  t.equal(timers.length, 0)
  t.match(written.map(line => JSON.parse(line)), [{ lost: 2, msg: 'decisions were not recorded' }])
  t.strictSame(said, [
    [{ reason: 'ENOSPC' }, 'decisions cannot be recorded'],
    [{ lost: 2 }, 'decisions are recorded again']
  ])
})
