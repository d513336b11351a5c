import t from 'tap'
import { substitute } from '../support/documentation.js'
import { proxied } from '../support/documented.js'
import { without } from '../support/proxies.js'
import { rollingRestarts } from '../support/rolling-restarts.js'

t.jobs = 2 // the tests mostly wait

// A check every 100 ms shortens the tests.
for (const [name, changes] of [
  ['nginx', {}],
  ['caddy', { 'health_interval 1s': 'health_interval 100ms' }]
] as const) {
  const options = { skip: without(name), buffered: true }
  t.test(`a rolling restart behind ${name}, under load: no request fails`, options, async t => {
    const configuration = substitute(proxied[name], changes)
    const { signed, failures } = await rollingRestarts(t, { proxy: name, configuration, delay: 1000, pause: 20 })
    t.strictSame(failures, [])
    t.ok(signed > 200, `${signed} were signed`)
  })
}
