import type { ServerResponse } from 'node:http'
import Fastify from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import writeBatching from '../../../plugins/signing/write-batching.js'
import { exchange, raw } from '../../support/http.js'

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

function batchingApp (t: Test) {
  let log = ''
  const app = Fastify({ logger: { stream: { write: line => { log += line } } } })
  app.register(writeBatching)
  t.teardown(() => app.close())
  const listen = async () => Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  return { app, listen, log: () => log }
}

t.test('requests of one turn are all handled before the first answer is written', async t => {
  const { app, listen } = batchingApp(t)
  const responses: ServerResponse[] = []
  const written: boolean[] = []
  app.get('/answer', (_request, reply) => {
    written.push(...responses.map(response => response.headersSent))
    responses.push(reply.raw)
    reply.send({ number: responses.length })
  })
  const received = await exchange(await listen(),
    get('/answer') + get('/answer') + get('/answer', 'Connection: close\r\n'))
  t.strictSame(written, [false, false, false])
  t.strictSame(received.match(/\{.*?\}/g), ['{"number":1}', '{"number":2}', '{"number":3}'])
})

t.test('a response that cannot be written ends its connection, and no other', async t => {
  const { app, listen, log } = batchingApp(t)
  app.get('/broken', async (_request, reply) => reply.header('broken', 'a\nb').send({}))
  app.get('/whole', async () => ({}))
  const port = await listen()
  const [broken, whole] = await Promise.all([exchange(port, get('/broken')), raw(port, get('/whole'))])
  t.equal(broken, '')
  t.equal(whole.statusCode, 200)
  t.match(log(), '"msg":"the response cannot be sent"')
})
