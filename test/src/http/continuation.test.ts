import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify, { type FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { continuation } from '../../../src/http/continuation.js'
import { hostWith } from '../../support/disconnects.js'
import { embedded } from '../../support/embedded.js'
import { body } from '../../support/example.js'
import { answer, exchange, portOf, raw } from '../../support/http.js'
import { Log } from '../../support/log.js'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`

/** An app whose hook calls `wait` with the function that continues the request. */
function waitingApp (t: Test, wait: (proceed: (error?: Error) => void, reply: FastifyReply) => void) {
  const log = new Log()
  const app = Fastify({ logger: { stream: log } })
  t.teardown(() => app.close())
  let handled = 0
  app.get('/other', async () => ({}))
  app.register(async app => {
    app.addHook('preHandler', (_request, reply, done) => wait(continuation(reply, done), reply))
    app.get('/', async () => {
      handled++
      await turn()
      return { answer: 1 }
    })
  })
  return { app, log, handled: () => handled }
}

t.test('done is called once', async t => {
  const { app, handled } = waitingApp(t, proceed => {
    setImmediate(() => {
      proceed()
      proceed()
      proceed(new Error('too late'))
    })
  })
  t.strictSame(await answer(app, '/'), [200, { answer: 1 }])
  t.equal(handled(), 1)
})

t.test('done gets an error', async t => {
  const { app } = waitingApp(t, proceed => { setImmediate(proceed, new Error('a fault')) })
  t.match(await answer(app, '/'), [500, { message: 'a fault' }])
})

t.test('done is not called after the client has hung up', async t => {
  const { app, handled, log } = waitingApp(t, (proceed, { raw }) => { raw.once('close', () => proceed()) })
  const socket = connect(await portOf(app), '127.0.0.1').on('error', () => {})
  socket.write(get('/'))
  const [{ socket: connection }] = await once(app.server, 'request')
  const closed = once(connection, 'close')
  socket.destroy()
  await closed
  await log.waitFor('the line', text => /"level":30,.*"msg":"request dropped, no response can be sent"/.exec(text))
  t.equal(handled(), 0)
})

t.test('done is not called after a response has begun', async t => {
  const { app, handled, log } = waitingApp(t, (proceed, { raw }) => {
    raw.write('begun, ')
    setImmediate(() => {
      proceed()
      raw.end('and ended')
    })
  })
  const { statusCode, body } = await raw(await portOf(app), get('/'))
  t.equal(statusCode, 200)
  t.match(body, 'begun, ')
  t.equal(handled(), 0)
  t.match(log.text, '"msg":"request dropped, no response can be sent"')
})

t.test('an exception ends its connection and no other, and is logged', async t => {
  const { app, log } = waitingApp(t, () => {})
  app.get('/broken', {
    preHandler: (_request, reply, _done) => { setImmediate(continuation(reply, () => { throw new Error('a fault') })) }
  }, async () => ({}))
  const port = await portOf(app)
  const [broken, other] = await Promise.all([exchange(port, get('/broken')), raw(port, get('/other'))])
  t.equal(broken, '')
  t.equal(other.statusCode, 200)
  t.match(log.text, /"level":50,.*"message":"a fault".*"msg":"the response cannot be sent"/)
})

t.test('a promise that is rejected without an error is a fault', async t => {
  for (const reason of [undefined, null, 0, '', false]) {
    const { app, log } = embedded(t, { context: () => Promise.reject(reason) })
    const response = { method: 'POST', url: '/api/generate-signature', payload: JSON.parse(body) } as const
    t.strictSame(await answer(app, response), [500, { error: 'Internal Server Error' }])
    t.match(log(), 'a promise was rejected without an error')
  }
})

t.test('nothing is signed for a client that has hung up', async t => {
  for (const [option, place] of [['authorize', 'authorize'], ['Redis', 'Redis'], ['context', 'context']] as const) {
    const { counts, disconnect } = await hostWith(t, 'no hook', 'no onSend', ['signer', option])
    t.equal(await disconnect({ place, wait: 'closed', isLoggedIn: false }), true)
    t.equal(counts.signed, 0, option)
    t.equal(await disconnect({ place: 'none', wait: 0, isLoggedIn: false }), false)
    t.equal(counts.signed, 1)
  }
})
