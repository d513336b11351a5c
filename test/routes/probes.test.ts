import t from 'tap'
import { testApp } from '../support/app.js'
import { portOf, raw } from '../support/http.js'

t.test('probes of a healthy service', async t => {
  for (const VARIANT of ['A', 'B']) {
    t.test(`variant ${VARIANT}`, async t => {
      const { app, log } = testApp(t, { config: { VARIANT } })
      const alive = `{"ok":true,"service":"payment-signature-backend","variant":"${VARIANT}"}`
      for (const [url, body] of [['/', alive], ['/health', alive], ['/health?probe=1', alive], ['/ready', '{"ok":true}']] as const) {
        const response = await app.inject(url)
        t.equal(response.statusCode, 200, url)
        t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
        t.equal(response.body, body)
      }
      t.equal(log(), '', 'probes do not fill the log')
    })
  }

  t.test('HEAD /health has headers and no body', async t => {
    const { app } = testApp(t)
    const response = await app.inject({ method: 'HEAD', url: '/health' })
    t.equal(response.statusCode, 200)
    t.equal(response.headers['content-length'], '63')
    t.equal(response.body, '')
  })
})

t.test('readiness', async t => {
  const request = 'GET /ready HTTP/1.1\r\nHost: x\r\n\r\n'

  t.test('a browser can read the answer, and a wrong method gets 405', async t => {
    const { app } = testApp(t)
    t.equal((await app.inject('/ready')).headers['access-control-allow-origin'], '*')
    const response = await app.inject({ method: 'POST', url: '/ready' })
    t.equal(response.statusCode, 405)
    t.strictSame(response.headers.allow?.toString().split(', ').sort(), ['GET', 'HEAD', 'OPTIONS'])
    t.equal(response.body, '{"error":"Method Not Allowed: POST /ready"}')
  })

  t.test('a draining service is not ready, and the log contains the reason', async t => {
    const { app, log } = testApp(t)
    const port = await portOf(app)
    app.drain()
    const answer = await raw(port, request)
    t.equal(answer.statusCode, 503)
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    t.equal(answer.headers.connection, 'close')
    t.equal(answer.body, '{"error":"shutting down"}')
    t.match(log(), '"reason":"shutting down","msg":"not ready"')
    t.equal((await app.inject('/health')).statusCode, 200, 'but it lives')
  })

  t.test('a failing probe is not logged under a higher LOG_LEVEL', async t => {
    for (const [LOG_LEVEL, lines] of [
      ['trace', 1], ['info', 1], ['warn', 1], ['error', 0], ['fatal', 0], ['silent', 0]
    ] as const) {
      const { app, log } = testApp(t, { config: { LOG_LEVEL } })
      await app.ready()
      const before = log()
      app.drain()
      t.equal((await app.inject('/ready')).statusCode, 503)
      t.equal((await app.inject('/health')).statusCode, 200)
      t.equal(log().slice(before.length).split('\n').length - 1, lines, LOG_LEVEL)
    }
  })
})
