import t from 'tap'
import { AuditTrail } from '../../../plugins/operation/audit-trail.js'
import { whole } from '../../support/whole.js'

for (const [fault, reason] of [
  [Object.assign(new Error('no space'), { code: 'ENOSPC' }), 'ENOSPC'],
  [new Error('the reader is gone'), 'the reader is gone']
] as const) {
  t.test(`${reason}: writing is retried, and the reason is logged once`, async t => {
    const timers: Array<() => void> = []
    t.intercept(globalThis, 'setTimeout', {
      value (retry: () => void) {
        timers.push(retry)
        return { unref: () => {} }
      }
    })
    const written: string[] = []
    const onStderr: string[] = []
    t.intercept(process.stderr, 'write', { value: (line: string) => onStderr.push(line) })
    const said: unknown[] = []
    let isFull = true
    const output = {
      lost: 0,
      write () {},
      deliver (line: string, done: (error?: Error) => void) {
        if (isFull) return done(fault)
        written.push(line)
        done()
      }
    }
    const say = (level: string) => (details: object, message: string) => { said.push([level, details, message]) }
    const trail = new AuditTrail('', output, { info () {}, warn: say('warn'), error: say('error') }, line => line)

    const errors: unknown[] = []
    trail.record({ audit: {} }, error => errors.push(error))
    timers.shift()?.()
    trail.record({ audit: {} }, error => errors.push(error))
    const unrecorded = { name: 'UnrecordedError', message: whole('The decision could not be recorded'), cause: fault }
    t.match(errors, [unrecorded, unrecorded])
    timers.shift()?.()
    t.equal(trail.outage.isOut, true)
    t.equal(timers.length, 1, 'one at a time')

    isFull = false
    timers.shift()?.()
    t.equal(trail.outage.isOut, false)
    t.equal(timers.length, 1, 'for the next check')
    t.match(written.map(line => JSON.parse(line)), [{ lost: 2, msg: 'decisions were not recorded' }])
    t.strictSame(onStderr, [`payment-signature-backend: decisions cannot be recorded: ${reason}\n`], 'the log is on standard output')
    t.strictSame(said, [
      ['error', { reason }, 'decisions cannot be recorded'],
      ['warn', { lost: 2 }, 'decisions are recorded again']
    ])
  })
}
