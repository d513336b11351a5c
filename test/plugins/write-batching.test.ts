import type { ServerResponse } from 'node:http'
import t from 'tap'
import { testApp } from '../support/app.js'
import { exchange, portOf, raw } from '../support/http.js'

t.test('requests of one turn are all handled before the first answer is written', async t => {
  const { app } = testApp(t)
  const responses: ServerResponse[] = []
  const written: boolean[] = []
  app.get('/answer', (_request, reply) => {
    written.push(...responses.map(response => response.headersSent))
    responses.push(reply.raw)
    reply.send({ number: responses.length })
  })
  const port = await portOf(app)
  const received = await exchange(port, 'GET /answer HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2) +
    'GET /answer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  t.strictSame(written, [false, false, false])
  t.strictSame(received.match(/\{.*?\}/g), ['{"number":1}', '{"number":2}', '{"number":3}'])
})

t.test('an answer that cannot be written ends its connection, and no other', async t => {
  const { app, log } = testApp(t)
  app.get('/broken', async (_request, reply) => reply.header('broken', 'a\nb').send({}))
  const port = await portOf(app)
  const [broken, health] = await Promise.all([
    exchange(port, 'GET /broken HTTP/1.1\r\nHost: a\r\n\r\n'),
    raw(port, 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
  ])
  t.equal(broken, '')
  t.equal(health.statusCode, 200)
  t.match(log(), '"msg":"the answer cannot be sent"')
})
