import t from 'tap'
import { substitute } from '../support/documentation.js'
import { proxied } from '../support/documented.js'
import { proxyNames, without } from '../support/proxies.js'
import { hungInstance, rollingRestarts } from '../support/rolling-restarts.js'

t.jobs = 2 // the tests mostly wait

/** Documented configurations with a check every 100 ms, to shorten the tests. HAProxy has its own test. */
const configurations = {
  nginx: proxied.nginx,
  caddy: substitute(proxied.caddy, { 'health_interval 1s': 'health_interval 100ms' }),
  apache: substitute(proxied.apache, { 'hcinterval=1 ': 'hcinterval=100ms ' }),
  varnish: substitute(proxied.varnish, { '.interval = 1s': '.interval = 0.1s' })
}

for (const name of proxyNames) {
  const options = { skip: without(name), buffered: true }
  t.test(`an instance hangs behind ${name}: no client waits 10 seconds`, options, async t => {
    const configuration = proxied[name]
    const { signed, failures } = await hungInstance(t, { proxy: name, configuration, delay: 0, pause: 20 })
    // Caddy and Apache do not repeat a request that an instance has received.
    const isInFlight = (failure: string) => (name === 'caddy' || name === 'apache') && /^50[24] /.test(failure)
    t.strictSame(failures.filter(failure => !isInFlight(failure)), [])
    t.ok(signed > 150 && failures.length < 20, `${signed} were signed`)
  })
}

for (const [name, configuration] of Object.entries(configurations) as Array<[keyof typeof configurations, string]>) {
  t.test(`a rolling restart behind ${name}, under load: no request fails`, { skip: without(name), buffered: true }, async t => {
    const { signed, failures } = await rollingRestarts(t, { proxy: name, configuration, delay: 1000, pause: 20 })
    t.strictSame(failures, [])
    t.ok(signed > 200, `${signed} were signed`)
  })
}
