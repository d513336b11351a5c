import t from 'tap'
import { testApp } from '../../support/app.js'
import { serving } from '../../support/backend.js'
import { refuses, run } from '../../support/command-line.js'
import { freePort } from '../../support/free-port.js'
import { portOf } from '../../support/http.js'
import { sendRequest } from '../../../src/command-line/send-request.js'
import { listen } from '../../../src/listening/listen.js'

t.test('healthy, and ready', async t => {
  const { app } = testApp(t)
  const PORT = String(await portOf(app))
  const healthy = { code: 0, stdout: '', stderr: '', terminal: '' }
  t.same(await run(['healthcheck', `HTTP://127.0.0.1:${PORT}/health`]), healthy)
  t.same(await run(['healthcheck'], { env: { PORT } }), healthy)
  t.same(await run(['healthcheck', '--ready'], { env: { PORT } }), healthy)
  t.same(await run(['healthcheck', '--json'], { env: { PORT } }), { ...healthy, stdout: '{"ok":true,"status":200,"reason":""}\n' })
  app.drain()
  t.same(await run(['healthcheck'], { env: { PORT } }), healthy)
  await refuses(t, ['healthcheck', '--ready'], 'not healthy: status 503', { env: { PORT } }, 1)
})

t.test('the time of a response', async t => {
  const url = new URL(await serving(t, (_request, response) => response.end()))
  const start = performance.now()
  const { took } = await sendRequest(url, { timeout: 60_000 })
  t.ok(took > 0 && took <= performance.now() - start, String(took))
})

t.test('not healthy', async t => {
  for (const [url, timeout, reason] of [
    [`http://127.0.0.1:${await freePort()}/health`, '60000', 'ECONNREFUSED'],
    [`${await serving(t, () => {})}/health`, '50', 'no response within 50 ms']
  ] as const) {
    await refuses(t, ['healthcheck', '--timeout', timeout, url], `not healthy: ${reason}`, {}, 1)
    const { stdout } = await run(['healthcheck', '--timeout', timeout, '--json', url])
    t.equal(stdout, `{"ok":false,"status":null,"reason":"${reason}"}\n`)
  }
})

for (const [HOST, address, expected = 0] of [
  ['0.0.0.0', '127.0.0.1'], ['127.0.0.1', '127.0.0.1'], ['localhost', '127.0.0.1'], ['', '127.0.0.1'], [undefined, '127.0.0.1'],
  ['::', '::1'], ['::1', '::1'], ['127.0.0.2', '127.0.0.2'], ['127.0.0.1', '127.0.0.2', 1], [undefined, '127.0.0.2', 1]
] as const) {
  t.test(`HOST=${HOST ?? ''} of a service at ${address}`, async t => {
    const urls = await listen(testApp(t).app, [address], 0).catch(({ cause }) => {
      t.match(cause, { code: 'EADDRNOTAVAIL' }, 'this machine has no IPv6')
      return []
    })
    for (const url of urls) t.equal((await run(['healthcheck'], { env: { HOST, PORT: new URL(url).port } })).code, expected)
  })
}

t.test('PORT has a default', async t => t.not((await run(['healthcheck', '--timeout', '1'], { env: {} })).code, 2))

t.test('wrong usage', async t => {
  const url = 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'
  for (const [args, message, env = {}] of [
    [['localhost:3001'], url],
    [['ftp://a/http://b'], url],
    [['http://user:canary@localhost'], url],
    [['http://:canary@localhost'], url],
    [['http://a b'], url],
    [['--ready', 'http://localhost'], '--ready works only with the default URL: pass the URL of /ready instead'],
    [['--timeout', '0', 'http://localhost'], '--timeout must be an integer greater than 0'],
    [[], 'PORT must be a port number', { PORT: 'x' }]
  ] as ReadonlyArray<[string[], string, Record<string, string>?]>) {
    await refuses(t, ['healthcheck', ...args], message, { env })
  }
})
