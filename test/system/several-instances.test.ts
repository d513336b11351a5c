import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { substitute } from '../support/documentation.js'
import { proxied } from '../support/documented.js'
import { freePort } from '../support/free-port.js'
import { proxyNames, without } from '../support/proxies.js'
import { rollingRestarts, severalInstances } from '../support/rolling-restarts.js'

t.jobs = 2 // the tests mostly wait

for (const name of proxyNames) {
  const options = { skip: without(name), buffered: true }
  t.test(`an instance hangs behind ${name}: no client waits 10 seconds`, options, async t => {
    const { running: [hung], clients } =
      await severalInstances(t, { proxy: name, configuration: proxied[name], delay: 0, pause: 20 })
    hung?.process.kill('SIGSTOP')
    t.teardown(() => hung?.process.kill('SIGCONT'))
    await clients.until(150)
    const { signed, failures } = await clients.stop()
    // Caddy does not repeat a request that an instance has received.
    const isInFlight = (failure: string) => name === 'caddy' && /^50[24] /.test(failure)
    t.strictSame(failures.filter(failure => !isInFlight(failure)), [])
    t.ok(signed > 150 && failures.length < 20, `${signed} were signed`)
  })
}

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

t.test('a rolling restart behind HAProxy, under load: none fails, and HAProxy repeats none', {
  skip: without('haproxy'), buffered: true
}, async t => {
  const statsPort = await freePort()
  const configuration = substitute(proxied.haproxy, {
    'defaults\n': `global\n    stats socket ipv4@127.0.0.1:${statsPort}\n\ndefaults\n`,
    'server inter 1s': 'server inter 100ms'
  })
  const { signed, failures } = await rollingRestarts(t, { proxy: 'haproxy', configuration, delay: 1000, pause: 5 })
  t.strictSame(failures, [])
  t.ok(signed > 200, `${signed} were signed`)

  const socket = connect(statsPort, '127.0.0.1')
  socket.write('show stat\n')
  const [columns = [], ...rows] = (await text(socket)).split('\n').map(line => line.split(','))
  const servers = rows.filter(([backend, name = '']) => backend === 'payment_signature' && ['one', 'other'].includes(name))
  const repeated = ['econ', 'eresp', 'wretr', 'wredis'].map(name => columns.indexOf(name))
  t.strictSame(servers.map(row => repeated.map(column => row[column])), [['0', '0', '0', '0'], ['0', '0', '0', '0']])
})
