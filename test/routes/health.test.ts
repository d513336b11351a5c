import t from 'tap'
import { testApp } from '../support/app.js'

for (const url of ['/', '/health', '/health?probe=1']) {
  for (const VARIANT of ['A', 'B']) {
    t.test(`GET ${url}, variant ${VARIANT}`, async t => {
      const { app, log } = testApp(t, { config: { VARIANT } })
      const response = await app.inject(url)
      t.equal(response.statusCode, 200)
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
      t.equal(response.body, `{"ok":true,"service":"payment-signature-backend","variant":"${VARIANT}"}`)
      t.equal(log(), '', 'probes do not fill the log')
    })
  }
}

t.test('HEAD /health has headers and no body', async t => {
  const { app } = testApp(t)
  const response = await app.inject({ method: 'HEAD', url: '/health' })
  t.equal(response.statusCode, 200)
  t.equal(response.headers['content-length'], '63')
  t.equal(response.body, '')
})
