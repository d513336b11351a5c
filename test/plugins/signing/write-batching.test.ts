import Fastify from 'fastify'
import t, { type Test } from 'tap'
import writeBatching from '../../../plugins/signing/write-batching.js'
import { exchange, portOf, raw } from '../../support/http.js'
import { Log } from '../../support/log.js'

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

function batchingApp (t: Test) {
  const log = new Log()
  const app = Fastify({ logger: { stream: log } })
  app.register(writeBatching, { isOn: true })
  t.teardown(() => app.close())
  return { app, listen: () => portOf(app), log: () => log.text }
}

t.test('requests that arrive together are answered in their order', async t => {
  const { app, listen } = batchingApp(t)
  app.get('/answer/:number', async request => request.params)
  const received = await exchange(await listen(),
    get('/answer/1') + get('/answer/2') + get('/answer/3', 'Connection: close\r\n'))
  t.strictSame(received.match(/\{.*?\}/g), ['{"number":"1"}', '{"number":"2"}', '{"number":"3"}'])
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
