import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { testApp } from '../../support/app.js'
import { run } from '../../support/command-line.js'
import { freePort } from '../../support/free-port.js'
import { portOf } from '../../support/http.js'

t.test('healthy, and ready', async t => {
  const { app } = testApp(t)
  const port = await portOf(app)
  const nothing = { code: 0, stdout: '', stderr: '', terminal: '' }
  t.same(await run(['healthcheck', `http://127.0.0.1:${port}/health`]), nothing)
  t.same(await run(['healthcheck'], { env: { PORT: String(port) } }), nothing)
  t.same(await run(['healthcheck', '--ready'], { env: { PORT: String(port) } }), nothing)
  t.equal((await run(['healthcheck', '--json'], { env: { PORT: String(port) } })).stdout,
    '{"ok":true,"status":200,"reason":""}\n')
  app.drain()
  t.same(await run(['healthcheck'], { env: { PORT: String(port) } }), nothing)
  t.same(await run(['healthcheck', '--ready'], { env: { PORT: String(port) } }),
    { ...nothing, code: 1, stderr: 'payment-signature: not healthy: status 503\n' })
})

t.test('not healthy', async t => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  t.teardown(() => silent.close())
  await once(silent, 'listening')
  const cases: Array<[string, string]> = [
    [`http://127.0.0.1:${await freePort()}/health`, 'ECONNREFUSED'],
    [`http://127.0.0.1:${(silent.address() as AddressInfo).port}/health`, 'no response within 50 ms']
  ]
  for (const [url, reason] of cases) {
    const { code, stdout, stderr } = await run(['healthcheck', '--timeout', '50', url])
    t.equal(stderr, `payment-signature: not healthy: ${reason}\n`)
    t.equal(stdout, '')
    t.equal(code, 1)
    const { stdout: line } = await run(['healthcheck', '--timeout', '50', '--json', url])
    t.equal(line, `{"ok":false,"status":null,"reason":"${reason}"}\n`)
  }
})

t.test('without PORT it is a port too', async t => {
  const { code } = await run(['healthcheck', '--timeout', '1'], { env: {} })
  t.not(code, 2, 'whatever listens there')
})

t.test('what cannot be asked', async t => {
  const cases: Array<[string[], string, Record<string, string>?]> = [
    [['localhost:3001'], 'the URL must be an http or https URL without a user name or password'],
    [['http://user:canary@localhost'], 'the URL must be an http or https URL without a user name or password'],
    [['http://:canary@localhost'], 'the URL must be an http or https URL without a user name or password'],
    [['http://a b'], 'the URL must be an http or https URL without a user name or password'],
    [['--ready', 'http://localhost'], '--ready works only with the default URL: pass the URL of /ready instead'],
    [['--timeout', '0', 'http://localhost'], '--timeout must be an integer greater than 0'],
    [[], 'PORT must be a port number', { PORT: 'x' }]
  ]
  for (const [args, message, env = {}] of cases) {
    const { code, stderr } = await run(['healthcheck', ...args], { env })
    t.equal(stderr, `payment-signature: ${message}\n`)
    t.equal(code, 2)
  }
})
