import t from 'tap'
import { testApp, token } from '../../support/app.js'

const url = '/api/generate-signature'

t.test('a request has one line, without its query', async t => {
  const { app, log } = testApp(t)
  await app.inject({ method: 'POST', url: `${url}?a=b`, payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 } })
  const { reqId, responseTime, ip, ...line } = JSON.parse(log())
  t.match(line, { level: 30, method: 'POST', path: url, statusCode: 200, msg: 'request completed' })
  t.match({ reqId, responseTime, ip }, { reqId: /^req-/, responseTime: Number, ip: '127.0.0.1' })
})

t.test('a response that could not be written is an error', async t => {
  const { app, log } = testApp(t)
  app.get('/fault', async (_request, reply) => {
    reply.raw.emit('error', new Error('broken pipe'))
    return {}
  })
  await t.rejects(async () => app.inject('/fault'), { message: 'broken pipe' })
  t.match(JSON.parse(log().split('\n')[0] ?? ''), { level: 50, err: { message: 'broken pipe' }, msg: 'request errored' })
})

t.test('nothing that may hold the token is logged, whatever happens', async t => {
  const { app, log } = testApp(t, { config: { LOG_LEVEL: 'trace' } })
  const canary = 'canary-7f3a'
  const body = { amount: '1.00', accountNumber: canary, sid: canary, clientTimeStamp: 1, merchantToken: canary }
  const text = JSON.stringify(body)
  const headers = { authorization: canary, cookie: canary, 'x-request-id': `${canary} `, 'content-type': 'application/json' }
  const payloads = [
    text, text.slice(0, -1), text.slice(1), text.replace('1.00', '0'), text.replace('"1.00"', '{"toString":1}'),
    `[${text}]`, text.replace('"amount"', '"__proto__"'), text + 'x'.repeat(102_400), '', `"${canary}"`,
    Buffer.concat([Buffer.from(text), Buffer.from([0xff])])
  ]
  const statusCodes = new Set<number>()
  for (const type of ['application/json', 'text/plain', `application/${canary}`]) {
    for (const payload of payloads) {
      for (const method of ['POST', 'PUT'] as const) {
        const response = await app.inject({
          method, url: `${url}?merchantToken=${canary}`, payload, headers: { ...headers, 'content-type': type }
        })
        statusCodes.add(response.statusCode)
        t.notMatch(response.body + JSON.stringify(response.headers), canary)
      }
    }
  }
  await app.inject({ url: `/%c0?merchantToken=${canary}`, headers })
  await app.inject({ url: `/nowhere?merchantToken=${canary}`, headers })

  t.strictSame([...statusCodes].sort(), [200, 400, 405, 413, 415, 500], 'all of these happened')
  t.not(log(), '')
  t.notMatch(log(), canary)
  t.notMatch(log(), token)
})
