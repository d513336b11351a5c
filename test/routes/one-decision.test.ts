import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { testApp, token, type TestOptions } from '../support/app.js'
import { body, signature } from '../support/example.js'
import { dial, portOf } from '../support/http.js'

/* One decision and one record for each request, and no signature before its record. */

const post = {
  method: 'POST', url: '/api/generate-signature', payload: body, headers: { 'content-type': 'application/json' }
} as const

/** Lets the event loop turn often enough for a response that waits for nothing. */
async function turns (): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await setImmediate()
}

/** An app whose signatures need a record. The test holds the promise of each record. */
function recording (t: Test, options: TestOptions = {}) {
  const outcomes: string[] = []
  let [begun, release] = [() => {}, (_failure?: Promise<never>) => {}]
  const hasBegun = new Promise<void>(resolve => { begun = resolve })
  const record = new Promise<void>(resolve => { release = resolve as typeof release })
  const { app, log } = testApp(t, {
    ...options,
    config: { ADMIN_PORT: 1, ...options.config },
    audit ({ audit }) {
      outcomes.push(audit.outcome)
      begun()
      return record
    }
  })
  const counted = async () => [...(await app.metrics!.registry.metrics())
    .matchAll(/^payment_signature_decisions_total\{.*outcome="(\w+)"\} ([1-9]\d*)$/gm)].map(([, outcome, count]) => `${outcome} ${count}`)
  return { app, log, outcomes, hasBegun, release, counted }
}

t.test('a signature is released once it is recorded', async t => {
  const { app, outcomes, hasBegun, release, counted } = recording(t)
  let isReleased = false
  const response = app.inject(post).then(answer => {
    isReleased = true
    return answer
  })
  await hasBegun
  await turns()
  t.equal(isReleased, false)
  release()
  t.strictSame([(await response).statusCode, (await response).json()], [200, { signature }])
  t.strictSame([outcomes, await counted()], [['signed'], ['signed 1']])
})

t.test('a request whose body a hook has read and left is recorded before it is signed', async t => {
  const { app, outcomes, release } = recording(t)
  app.addHook('preParsing', async (_request, _reply, payload) => {
    let text = ''
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      text += chunk
      if (text.length === body.length) break
    }
    return Readable.from([Buffer.from(text)])
  })
  release()
  const response = await fetch(`http://127.0.0.1:${await portOf(app)}${post.url}`, { method: 'POST', body, headers: post.headers })
  t.strictSame([response.status, outcomes], [200, ['signed']])
})

t.test('a record that fails withholds the signature, and there is no second record', async t => {
  const { app, outcomes, hasBegun, release, counted } = recording(t)
  const response = app.inject(post).then(answer => answer)
  await hasBegun
  release(Promise.reject(new Error('disk full')))
  t.strictSame([(await response).statusCode, (await response).headers['error-code']], [503, 'audit-unavailable'])
  t.strictSame([outcomes, await counted()], [['signed'], ['unavailable 1']])
})

for (const [what, payload, status, error, recorded] of [
  ['the record is an error without a second record', body, 500, 'Internal Server Error', 'signed'],
  ['a refusal does not change its message', '{"amount":"0"}', 400, 'Invalid amount: amount must be greater than 0', 'invalid']
] as const) {
  t.test(`a failure behind ${what}`, async t => {
    const { app, outcomes, release, counted } = recording(t)
    let payloads = 0
    app.addHook('onSend', async (_request, _reply, payload) => {
      if (payloads++ === 0) throw new Error('canary')
      return payload
    })
    release()
    const response = await app.inject({ ...post, payload })
    t.strictSame([response.statusCode, response.json()], [status, { error }])
    t.strictSame([outcomes, await counted()], [[recorded], [`${recorded} 1`]])
  })
}

t.test('a hook that you add refuses as in every Fastify app, before anything is signed; its refusal is recorded', async t => {
  let signed = 0
  const tokenOf = () => {
    signed++
    return token
  }
  for (const [status, error, ...expected] of [
    [200, Object.assign(new Error('Log in first'), { statusCode: 401 }), 401, 'refused', 'refused'],
    [403, new Error('Log in first'), 403, 'refused', 'refused'], // as @fastify/auth fails
    [200, new Error('canary'), 500, 'fault', 'failed']
  ] as const) {
    const { app, outcomes, release } = recording(t, { tokenOf })
    app.addHook('preHandler', async (_request, reply) => {
      reply.code(status)
      throw error
    })
    release()
    const { statusCode, headers, body } = await app.inject(post)
    t.strictSame([statusCode, headers['error-code'], outcomes], [expected[0], expected[1], [expected[2]]])
    t.notMatch(body, 'canary')
  }
  t.equal(signed, 0)
})

/** Hooks that send their error and go on, so that Fastify runs the handler while the refusal is recorded. */
const goingOn: Readonly<Record<string, (request: FastifyRequest, reply: FastifyReply, done: () => void) => unknown>> = {
  async 'an async hook' (_request, reply) { reply.send(lateError) },
  'a hook with a callback' (_request, reply, done) {
    reply.send(lateError)
    done()
  },
  'a hook that also sends from a timer' (_request, reply, done) {
    reply.send(lateError)
    setTimeout(() => reply.send(lateError))
    done()
  }
}
const lateError = Object.assign(new Error('Log in first'), { statusCode: 401 })

t.test('a request that was refused is never decided', async t => {
  for (const [name, hook] of Object.entries(goingOn)) {
    const asked: string[] = []
    const { app, outcomes, release, counted, log } = recording(t, {
      tokenOf: () => `${asked.push('tokenOf')}`, authorize: () => asked.push('authorize') > 0
    })
    app.addHook('preHandler', hook as never)
    const response = app.inject(post).then(answer => answer)
    await turns()
    release()
    const { statusCode, body } = await response
    await turns()
    t.strictSame([statusCode, body, asked], [401, '{"error":"Log in first"}', []], name)
    t.strictSame([outcomes, await counted()], [['refused'], ['refused 1']], name)
    t.notMatch(log(), 'unexpected fault', name)
  }
})

t.test('a request whose reply has begun is never decided, though the reply waits for the body', async t => {
  for (const [name, hook] of Object.entries({
    async 'an async hook' (_request: FastifyRequest, reply: FastifyReply) { reply.code(401).send({ error: 'Log in first' }) },
    'a hook with a callback' (_request: FastifyRequest, reply: FastifyReply, done: () => void) {
      reply.code(401).send({ error: 'Log in first' })
      done()
    }
  })) {
    const asked: string[] = []
    const { app, outcomes, release, counted } = recording(t, {
      tokenOf: () => `${asked.push('tokenOf')}`, authorize: () => asked.push('authorize') > 0
    })
    app.addHook('onRequest', hook as never)
    release()
    const socket = dial(t, await portOf(app)).setEncoding('utf8')
    const arrived = once(app.server, 'request')
    socket.write(head)
    await arrived
    await turns()
    socket.write(body)
    t.match((await once(socket, 'data'))[0], /^HTTP\/1\.1 401 /, name)
    await turns()
    t.strictSame([asked, outcomes, await counted()], [[], [], []], name)
  }
})

t.test('an error that a hook sends is the reply, though an onError hook of yours waits', async t => {
  const asked: string[] = []
  const { app, outcomes, release, counted } = recording(t, { authorize: () => asked.push('authorize') > 0 })
  app.addHook('onError', async () => { await turns() })
  app.addHook('preHandler', (_request, reply, done) => {
    reply.send(lateError)
    done()
  })
  release()
  const { statusCode, body: answer } = await app.inject(post)
  t.strictSame([statusCode, answer, asked], [401, '{"error":"Log in first"}', []])
  t.strictSame([outcomes, await counted()], [['refused'], ['refused 1']])
})

t.test('a function audit that does not settle withholds the signature, and delays neither response nor close', async t => {
  const alive = setInterval(() => {}, 1000) // the time-out keeps no process alive
  t.teardown(() => clearInterval(alive))
  for (const [functions, code] of [
    [{ audit: () => new Promise(() => {}) }, 'audit-unavailable'], [{ tokenOf: () => new Promise<string>(() => {}) }, 'fault']
  ] as const) {
    const { app, log } = testApp(t, { config: { AUTHORIZE_TIMEOUT: 30 }, ...functions })
    const responses = [app.inject(post), app.inject(post)]
    t.strictSame((await Promise.all(responses)).map(({ headers }) => headers['error-code']), [code, code])
    await app.close()
    if (code === 'audit-unavailable') {
      t.equal(log().split('decisions cannot be recorded').length, 2)
      t.match(log(), '"code":"audit-unavailable","error":"Audit is unavailable, try again","cause":"audit failed"')
    }
  }
})

t.test('hooks for errors see each refusal, and nothing else of the decision changes', async t => {
  const { app, outcomes, release, counted } = recording(t)
  const seen: string[] = []
  app.addHook('onError', async (_request, _reply, error) => { seen.push(error.message) })
  release()
  const response = await app.inject({ ...post, payload: '{"amount":"0"}' })
  t.strictSame([response.statusCode, seen], [400, ['Invalid amount: amount must be greater than 0']])
  t.strictSame([outcomes, await counted()], [['invalid'], ['invalid 1']])
})

t.test('a refusal that a hook sends while the backend is asked wins over the signature', async t => {
  let refuse!: () => void
  let allow!: (is: boolean) => void
  const allowed = new Promise<boolean>(resolve => { allow = resolve })
  const { app, outcomes, release, counted } = recording(t, {
    authorize () {
      refuse()
      return allowed
    }
  })
  app.addHook('preHandler', async (_request, reply) => { refuse = () => reply.send(lateError) })
  const response = app.inject(post).then(answer => answer)
  await turns()
  allow(true)
  await turns()
  release()
  const { statusCode, body } = await response
  t.strictSame([statusCode, body], [401, '{"error":"Log in first"}'])
  t.strictSame([outcomes, await counted()], [['refused'], ['refused 1']])
})

const head = 'POST /api/generate-signature HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${body.length}\r\n\r\n`

t.test('a client that hangs up before its body is complete has asked for nothing', async t => {
  const { app, log, outcomes, counted } = recording(t)
  const port = await portOf(app)
  const arrived = once(app.server, 'request')
  const socket = dial(t, port)
  socket.write(head + body.slice(0, 9))
  await arrived
  await turns()
  socket.resetAndDestroy()
  await once(socket, 'close')
  await turns()
  t.strictSame([outcomes, await counted()], [[], []])
  t.notMatch(log(), 'unexpected fault')
})

t.test('a client that hangs up while its request waits: the decision goes on, and its record stays', async t => {
  let [ask, allow] = [() => {}, (_is: boolean) => {}]
  const asked = new Promise<void>(resolve => { ask = resolve })
  const allowed = new Promise<boolean>(resolve => { allow = resolve })
  const { app, log, outcomes, release, counted } = recording(t, {
    authorize () {
      ask()
      return allowed
    }
  })
  release()
  const socket = dial(t, await portOf(app))
  socket.write(head + body)
  await asked
  socket.resetAndDestroy()
  await once(socket, 'close')
  await turns()
  allow(true)
  await turns()
  t.strictSame([outcomes, await counted()], [['signed'], ['signed 1']])
  t.notMatch(log(), /"level":[456]0/)
})
