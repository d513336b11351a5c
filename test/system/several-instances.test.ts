import t from 'tap'
import { substitute } from '../support/documentation.js'
import { proxied } from '../support/documented.js'
import { without } from '../support/proxies.js'
import { rollingRestarts } from '../support/rolling-restarts.js'

t.jobs = 2 // they mostly wait

/** As documented, but that checks are made every 100 ms: no test should take so long. HAProxy has a test of its own. */
const configurations = {
  nginx: proxied.two.nginx,
  caddy: substitute(proxied.two.caddy, { 'health_interval 1s': 'health_interval 100ms' }),
  apache: substitute(proxied.two.apache, { 'hcinterval=1 ': 'hcinterval=100ms ' }),
  varnish: substitute(proxied.two.varnish, { '.interval = 1s': '.interval = 0.1s' })
}

for (const [name, configuration] of Object.entries(configurations) as Array<[keyof typeof configurations, string]>) {
  t.test(`a rolling restart behind ${name}, under load: no request fails`, { skip: without(name), buffered: true }, async t => {
    const { signed, failures } = await rollingRestarts(t, {
      proxy: name, configuration, delay: 1000, rounds: 1, pause: 20
    })
    t.strictSame(failures, [])
    t.ok(signed > 200, `${signed} were signed`)
  })
}
