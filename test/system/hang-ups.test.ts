import { randomInt } from 'node:crypto'
import t from 'tap'
import { hostWith, optionNames, pairs, respondsTwice, unhandledErrors } from '../support/disconnects.js'
import { body, request, signature } from '../support/example.js'
import { randomOf } from '../support/random.js'

// Clients disconnect from apps with different hooks and options: first at every place, then at random for 20 seconds.

const everything = ['Redis', 'context', 'authorize', 'token function', 'audit']

/** Options of an app, and the places at which a request waits. */
const cases = [
  [['nothing'], []],
  [everything, everything],
  [['signer', 'required audit'], ['signer', 'audit']]
] as const

for (const [host, sender] of pairs) {
  t.test(`clients that hang up do not end an app with these hooks: ${host}, ${sender}`, async t => {
    for (const [names, waits] of cases) {
      const { errors, stop } = unhandledErrors()
      const { app, port, counts, places, disconnect } = await hostWith(t, host, sender, names)
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
      if (!respondsTwice(host) && names[0] === 'signer') {
        t.ok(counts.audited >= 2 && counts.audited <= counts.signed, 'those that were released, and perhaps that of a client that has gone')
      }
      await app.close()
      stop()
      t.strictSame(errors, [])
    }
  })
}

const seed = randomInt(2 ** 31)

t.test(`clients that hang up at random, seed ${seed}`, async t => {
  const random = randomOf(seed)
  const choose = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const { errors, stop } = unhandledErrors()
  let disconnected = 0
  for (const end = performance.now() + 20_000; performance.now() < end;) {
    const [[host, sender], option] = [choose(pairs), choose(optionNames)]
    const names = option === 'nothing' || option.includes('audit') ? [option] : [option, 'audit']
    const { app, port, disconnect, places } = await hostWith(t, host, sender, names)
    for (let count = 0; count < 40; count++) {
      const place = choose(['body', 'sent', ...places])
      disconnected += Number(await disconnect({ place, wait: choose([0, 1, 2, 3, 'closed'] as const), isLoggedIn: random() < 0.5 }))
    }
    const what = `${host}, ${sender}, ${names.join(' + ')}`
    const { status } = await request(port, body, { cookie: 'me' })
    if (status !== 200) t.fail(`${what}: status ${status} afterwards`)
    await app.close()
    if (errors.length > 0) t.fail(`${what}: ${errors.splice(0).join(', ')}`)
  }
  stop()
  t.ok(disconnected > 100, `${disconnected} clients`)
})
