import t from 'tap'
import { traceFieldsOf, traceParentOf } from '../../../src/http/trace-context.js'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

t.test('a valid traceparent', async t => {
  const request = { headers: { traceparent } }
  t.equal(traceParentOf(request), traceparent)
  t.strictSame(traceFieldsOf(request), { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' })
})

for (const [what, given] of [
  ['a missing header', undefined],
  ['an empty header', ''],
  ['another version', '01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['an invalid version', 'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['a trace id of zeros', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
  ['a parent id of zeros', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
  ['capitals', '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01'],
  ['a trace id that is too short', '00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01'],
  ['a parent id that is too long', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7a-01'],
  ['no flags', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'],
  ['more fields than version 00 has', `${traceparent}-00`],
  ['two headers, joined by Node.js', `${traceparent}, ${traceparent}`],
  ['a trailing line break', `${traceparent}\n`]
] as const) {
  t.test(`${what} is not a valid traceparent`, async t => {
    const request = { headers: { traceparent: given } } as { headers: { traceparent?: string } }
    t.equal(traceParentOf(request), undefined)
    t.strictSame(traceFieldsOf(request), {})
  })
}
