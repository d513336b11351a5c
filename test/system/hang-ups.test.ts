import { randomInt } from 'node:crypto'
import t from 'tap'
import { optionNames, unhandledErrors, waitingApp } from '../support/disconnects.js'
import { body, request, signature } from '../support/example.js'
import { randomOf } from '../support/random.js'

// Clients disconnect: first at every place at which a request waits, then at random for 10 seconds.

/** Options of an app, and the places at which a request waits. */
const cases = [
  [['nothing'], []],
  [['Redis', 'context', 'authorize', 'tokenOf', 'audit'], ['Redis', 'context', 'authorize', 'tokenOf', 'audit']],
  [['signer', 'audit'], ['signer', 'audit']]
] as const

for (const [names, waits] of cases) {
  t.test(`clients that hang up do not end an app with: ${names.join(', ')}`, async t => {
    const { errors, stop } = unhandledErrors()
    const { app, log, port, counts, places, disconnect } = await waitingApp(t, names)
    t.equal(await disconnect({ place: 'none', wait: 0 }), false, 'a request that is answered')
    t.strictSame(waits.filter(place => !places.has(place)), [], 'every option waits')
    for (const place of ['body', 'sent', ...places]) {
      for (const wait of [0, 1, 'closed'] as const) {
        t.equal(await disconnect({ place, wait }), true, `${place}, ${wait}`)
      }
    }
    const response = await request(port, body)
    t.strictSame([response.status, await response.json()], [200, { signature }])
    if (names[0] === 'signer') t.equal(counts.recorded, counts.signed, 'one record for each signature')
    await app.close()
    stop()
    t.strictSame(errors, [])
    t.notMatch(log(), /"level":[56]0/)
  })
}

const seed = randomInt(2 ** 31)

t.test(`clients that hang up at random, seed ${seed}`, async t => {
  const random = randomOf(seed)
  const choose = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const { errors, stop } = unhandledErrors()
  let disconnected = 0
  for (const end = performance.now() + 10_000; performance.now() < end;) {
    const names = [choose(optionNames.filter(name => name !== 'audit')), 'audit']
    const { app, port, disconnect, places } = await waitingApp(t, names)
    for (let count = 0; count < 40; count++) {
      const place = choose(['body', 'sent', ...places])
      disconnected += Number(await disconnect({ place, wait: choose([0, 1, 2, 3, 'closed'] as const) }))
    }
    const { status } = await request(port, body)
    if (status !== 200) t.fail(`${names.join(' + ')}: status ${status} afterwards`)
    await app.close()
    if (errors.length > 0) t.fail(`${names.join(' + ')}: ${errors.splice(0).join(', ')}`)
  }
  stop()
  t.ok(disconnected > 100, `${disconnected} clients`)
})
