import Fastify from 'fastify'
import t from 'tap'
import paymentSignature from '../../../src/fastify.js'
import { portOf, raw } from '../../support/http.js'

const error = '{"error":"Service Unavailable: overloaded, try again later"}'

t.test('under overload, a request is refused before its body is read', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(paymentSignature, {
    variant: 'A',
    merchantToken: 'development-only-token',
    isOverloaded: () => true,
    rateLimitMax: 1,
    policy: { callers: [{ name: 'shop', apiKeySha256: 'a'.repeat(64), operations: ['purchase'], accountNumbers: ['102551'] }] }
  })
  const port = await portOf(app)
  for (const [what, head, body] of [
    ['malformed', 'Content-Type: application/json\r\nContent-Length: 1', '{'],
    ['empty', 'Content-Type: application/json\r\nContent-Length: 0', ''],
    ['of another type', 'Content-Type: text/plain\r\nContent-Length: 1', '{'],
    ['too large', 'Content-Type: application/json\r\nContent-Length: 1000000', ''],
    ['yet to come', 'Content-Type: application/json\r\nContent-Length: 100', '']
  ] as const) {
    const answer = await raw(port, `POST /api/generate-signature HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`)
    t.equal(answer.statusCode, 503, `a body that is ${what}`)
    t.equal(answer.headers['retry-after'], '2')
    t.equal(answer.body, error)
  }
})
