import t from 'tap'
import { hostWith, pairs, respondsTwice, unhandledErrors } from '../support/disconnects.js'
import { body, request, signature } from '../support/example.js'

// test/proof/disconnects.ts has more clients and options.

/** Options of an app, and the places at which a request waits. */
const cases = [
  [['nothing'], []],
  [['context', 'Redis', 'authorize', 'token function', 'audit'], ['context', 'Redis', 'authorize', 'token function', 'audit']],
  [['signer', 'required audit'], ['signer', 'audit']]
] as const

for (const [host, sender] of pairs) {
  t.test(`clients that hang up do not end an app with these hooks: ${host}, ${sender}`, async t => {
    for (const [names, waits] of cases) {
      const { errors, stop } = unhandledErrors()
      const { app, port, metrics, counts, places, disconnect } = await hostWith(t, host, sender, names)
      t.equal(await disconnect({ place: 'none', wait: 0, isLoggedIn: true }), false, 'a request that is answered')
      t.strictSame(waits.filter(place => !places.has(place)), [], 'every option waits')
      for (const place of ['body', 'sent', ...places]) {
        for (const wait of [0, 1, 'closed'] as const) {
          t.equal(await disconnect({ place, wait, isLoggedIn: true }), true, `${place}, ${wait}`)
          await disconnect({ place, wait, isLoggedIn: false })
        }
      }
      const response = await request(port, body, { cookie: 'me' })
      t.strictSame([response.status, await response.json()], [200, { signature }])
      if (!respondsTwice(host) && names[0] === 'signer') t.equal(counts.audited, counts.signed, 'each signature is audited')
      t.notMatch(await metrics.metrics(), /^payment_signature_authorize_in_flight [^0]/m)
      await app.close()
      stop()
      t.strictSame(errors, [])
    }
  })
}
