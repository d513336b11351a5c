import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { testApp, type TestOptions } from '../support/app.js'
import { body, signature } from '../support/example.js'
import { dial, portOf } from '../support/http.js'

/*
 * No response comes before its request is complete. A proxy that keeps the connection would send the head of the next
 * client's request into the rest of the old body, and what follows it would be a request.
 */

const url = '/api/generate-signature'
const json = 'Content-Type: application/json\r\n'
const honest = `POST ${url} HTTP/1.1\r\nHost: a\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`
const caller = { name: 'shop', apiKeySha256: 'a'.repeat(64), operations: ['purchase' as const], accountNumbers: ['102551'] }

/** Each refusal that is known before the body has arrived, with the head of its request. */
const early: ReadonlyArray<readonly [status: number, start: string, headers: string, options?: TestOptions]> = [
  [401, `POST ${url}`, json, { callers: [caller] }],
  [404, 'POST /nowhere', json],
  [404, 'GET /nowhere', ''],
  [400, 'GET /%c0', ''],
  [405, `PUT ${url}`, json],
  [405, `GET ${url}`, ''],
  [413, `POST ${url}`, json],
  [415, `POST ${url}`, 'Content-Type: text/plain\r\n'],
  [415, `POST ${url}`, `${json}Content-Encoding: gzip\r\n`],
  [429, `POST ${url}`, json, { config: { RATE_LIMIT_MAX: 1 } }],
  [200, 'GET /health', ''],
  [200, 'HEAD /health', ''],
  [204, `OPTIONS ${url}`, 'Origin: https://shop.example\r\nAccess-Control-Request-Method: POST\r\n']
]

/** Rest of a body in an attack: a whole request. */
const smuggled = `${honest.replace('Host: a', 'Host: a\r\nX-Forwarded-For: 203.0.113.9')}`
const length = 20_000 // above the limit of a body, for 413

for (const [status, start, headers, options] of early) {
  for (const framing of ['Content-Length', 'chunked']) {
    t.test(`${status} to ${start} (${framing}) comes when the request is complete, and nothing of its body is a request`, async t => {
      const { app } = testApp(t, { authorize: () => true, ...options })
      const port = await portOf(app)
      if (status === 429) await (await fetch(`http://127.0.0.1:${port}${url}`, { method: 'POST', body: '{}' })).text()
      const rest = (smuggled + honest).padEnd(length, ' ')
      const [head, message, end] = framing === 'chunked'
        ? ['Transfer-Encoding: chunked', `${length.toString(16)}\r\n${rest}`, '\r\n0\r\n\r\n']
        : [`Content-Length: ${length + 1}`, rest, 'x']
      const socket = dial(t, port).setEncoding('latin1')
      let received = ''
      socket.on('data', data => { received += data })
      socket.write(`${start} HTTP/1.1\r\nHost: a\r\n${headers}${head}\r\n\r\n`)
      await once(app.server, 'request')
      socket.write(message)
      for (let turn = 0; turn < 30; turn++) await setImmediate()
      t.equal(received, '', 'the request is not complete')
      socket.write(end)
      await once(socket, 'data')
      t.match(received, new RegExp(`^HTTP/1\\.1 ${status} `))
      for (let turn = 0; turn < 30; turn++) await setImmediate()
      t.equal(received.split('HTTP/1.1 ').length, 2, 'one answer')
    })
  }
}

t.test('10,000 requests on kept connections: a refused request with a body of requests has one answer each', async t => {
  const { app } = testApp(t, { authorize: () => true, config: { LOG_LEVEL: 'silent' } })
  const port = await portOf(app)
  const attacks = early.filter(([status, start, , options]) => options === undefined && status !== 413 && !start.includes('%'))
    .flatMap(([status, start, headers]) => ['Content-Length', 'chunked'].map(framing => {
      const framed = framing === 'chunked'
        ? `Transfer-Encoding: chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`
        : `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`
      return [status, `${start} HTTP/1.1\r\nHost: a\r\n${headers}${framed}`] as const
    }))
  const wrong: string[] = []
  await Promise.all(Array.from({ length: 20 }, async (_, client) => {
    let socket = dial(t, port).setEncoding('latin1')
    for (let sent = 0; sent < 500; sent++) {
      const [status, attack] = sent % 2 === 0 ? attacks[(client + sent) % attacks.length]! : [200, honest] as const
      const cut = 1 + (client * 500 + sent) % (attack.length - 1)
      socket.write(attack.slice(0, cut))
      if (sent % 4 === 0) await setImmediate()
      socket.write(attack.slice(cut))
      const [answer] = await once(socket, 'data') as [string]
      const isRight = answer.startsWith(`HTTP/1.1 ${status} `) && answer.split('HTTP/1.1 ').length === 2 &&
        answer.includes(signature) === (attack === honest)
      if (!isRight) wrong.push(`${attack.slice(0, 40)}: ${answer.slice(0, 40)}`)
      if (/connection: close/i.test(answer)) { // Fastify's, after a body that it has not parsed
        await once(socket.resume(), 'close')
        socket = dial(t, port).setEncoding('latin1')
      }
    }
  }))
  t.strictSame(wrong, [])
})

t.test('a refused request whose body does not come gets 408 in place of its refusal, and is counted once', async t => {
  const { app } = testApp(t, { callers: [caller], config: { ADMIN_PORT: 1 } })
  const port = await portOf(app)
  Object.assign(app.server, { headersTimeout: 50, requestTimeout: 50 })
  const socket = dial(t, port).setEncoding('latin1')
  socket.write(`POST ${url} HTTP/1.1\r\nHost: a\r\n${json}Content-Length: 10\r\n\r\n{`)
  t.match((await socket.toArray()).join('').split(/(?=HTTP\/1)/), [/^HTTP\/1\.1 408 [^]*time-out/])
  const counted = [...(await app.metrics!.registry.metrics()).matchAll(/^payment_signature_decisions_total\{(.*)\} ([1-9]\d*)$/gm)]
  t.strictSame(counted.map(([, labels, count]) => `${labels} ${count}`), ['variant="A",operation="unknown",outcome="unauthenticated" 1'])
})

t.test('requests that come together: the first has its answer, and what follows is neither answered nor decided', async t => {
  for (const behind of [honest.repeat(2), honest.repeat(15), `GET /%c0 HTTP/1.1\r\nHost: a\r\n\r\n${honest}`]) {
    const decided: unknown[] = []
    const { app } = testApp(t, { authorize: ({ requestId }) => decided.push(requestId) > 0 })
    const socket = dial(t, await portOf(app)).setEncoding('latin1')
    socket.write(honest + behind)
    const answers = (await socket.toArray()).join('').split(/(?=HTTP\/1)/)
    t.match(answers, [/^HTTP\/1\.1 200 /])
    t.equal(decided.length, 1)
  }
  const { app, says } = testApp(t)
  const socket = dial(t, await portOf(app)).setEncoding('latin1')
  socket.write(`GET /%c0 HTTP/1.1\r\nHost: a\r\n\r\n${honest}`)
  t.match((await socket.toArray()).join('').split(/(?=HTTP\/1)/), [/^HTTP\/1\.1 400 /])
  await says('"code":"pipelined"')
})
