import { setImmediate } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { VariantA } from '../../src/index.js'
import { token } from '../support/app.js'
import { embedded } from '../support/embedded.js'
import { body, signature } from '../support/example.js'
import { dial } from '../support/http.js'

/*
 * One decision for each request: once a refusal or another answer has begun, nothing of the request is signed or
 * released, whatever a hook or a time-out of the host does.
 */

const post = {
  method: 'POST', url: '/api/generate-signature', payload: body, headers: { 'content-type': 'application/json' }
} as const

/** A promise, and the function that resolves it. */
function held<T = void> () {
  let release!: (value: T) => void
  const promise = new Promise<T>(resolve => { release = resolve })
  return { promise, release }
}

/** Lets the event loop turn often enough for a response that waits for nothing. */
async function turns (): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await setImmediate()
}

/** The outside event that a request waits for. */
interface Waits { authorize?: () => Promise<boolean>, context?: () => Promise<unknown>, signing?: Promise<unknown> }

/** An app with the plugin, whose signatures need a record. The test holds the promise of each record. */
function host (
  t: Test, { signing, ...options }: Waits = {},
  prepare = (_app: FastifyInstance): unknown => undefined, server: FastifyServerOptions = {}
) {
  const [recording, records] = [held(), held()]
  const outcomes: string[] = []
  const variant = new VariantA(token)
  let signed = 0
  const { app, log } = embedded(t, {
    signer: {
      variant: 'A',
      read: (request, isStrict) => variant.read(request, isStrict),
      async signReading (reading) {
        signed++
        await signing
        return variant.signReading(reading)
      }
    },
    auditRequired: true,
    audit ({ audit }) {
      outcomes.push(audit.outcome)
      recording.release()
      return records.promise
    },
    ...options
  }, prepare, server)
  return { app, log, outcomes, signed: () => signed, recording: recording.promise, record: records.release }
}

t.test('without another answer, the signature is released once it is recorded', async t => {
  const { app, outcomes, signed, recording, record } = host(t)
  const response = app.inject(post).then(answer => answer)
  await recording
  record()
  t.strictSame([(await response).statusCode, (await response).json()], [200, { signature }])
  t.strictSame([outcomes, signed()], [['signed'], 1])
})

for (const [what, optionsOf, answer, mostSigned] of [
  ['authorize allows', (answer: Promise<boolean>) => ({ authorize: () => answer }), true, 0],
  ['authorize refuses', (answer: Promise<boolean>) => ({ authorize: () => answer }), false, 0],
  ['the context comes', (answer: Promise<boolean>) => ({ context: () => answer }), true, 0],
  ['the signer answers', (answer: Promise<boolean>) => ({ signing: answer }), true, 1]
] as const) {
  t.test(`${what} after the time-out of the host, whose refusal is being recorded`, async t => {
    const late = held<boolean>()
    const server = { handlerTimeout: 50 }
    const { app, outcomes, signed, recording, record } = host(t, optionsOf(late.promise), undefined, server)
    const response = app.inject(post).then(answer => answer)
    await recording
    late.release(answer)
    await turns()
    record()
    t.strictSame([(await response).statusCode, (await response).json().signature], [503, undefined])
    t.strictSame(outcomes, ['unavailable'])
    t.ok(signed() <= mostSigned) // on a busy machine, the time-out may come before the signer is called
  })
}

t.test('a body that is complete after the time-out of the host, whose refusal is being recorded', async t => {
  const handling = held()
  const prepare = (app: FastifyInstance) => app.addHook('preHandler', async () => handling.release())
  const { app, outcomes, signed, recording, record } = host(t, {}, prepare, { handlerTimeout: 50 })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = dial(t, Number(new URL(url).port), '127.0.0.1')
  socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`)
  const answer = text(socket)
  await recording
  socket.write(body.slice(9))
  await handling.promise
  await turns()
  record()
  t.match(await answer, /^HTTP\/1\.1 503 /)
  t.notMatch(await answer, '"signature"')
  t.strictSame([outcomes, signed()], [['unavailable'], 0])
})

for (const name of ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const) {
  t.test(`a hook ${name} that fails and goes on, while its refusal is being recorded`, async t => {
    const fail = (...args: unknown[]): void => {
      const done = args.at(-1) as (error?: Error) => void
      done(Object.assign(new Error('Log in first'), { statusCode: 401 }))
      done()
    }
    const { app, outcomes, signed, recording, record } = host(t, {}, app => app.addHook(name as 'onRequest', fail))
    const response = app.inject(post).then(answer => answer)
    await recording
    await turns()
    record()
    t.strictSame([(await response).statusCode, (await response).json()], [401, { error: 'Log in first' }])
    t.strictSame([outcomes, signed()], [['unauthenticated'], 0])
  })
}

t.test('a time-out of the host while the signature is being recorded, beside an onSend that is slow for its refusal', async t => {
  const [sending, slow] = [held(), held()]
  const { app, outcomes, record } = host(t, {}, app => {
    let payloads = 0
    app.addHook('onSend', async (_request, _reply, payload) => {
      if (payloads++ > 0) return payload
      sending.release()
      await slow.promise
      return payload
    })
  }, { handlerTimeout: 500 })
  const response = app.inject(post).then(answer => answer)
  await sending.promise
  record()
  await turns()
  slow.release()
  t.strictSame([(await response).statusCode, (await response).json().signature], [503, undefined])
  t.strictSame(outcomes, ['signed'], 'a signature that nobody got')
})

for (const [what, status, payload, slowHook] of [
  ['an object and a status', 401, { error: 'Log in first' }, 'onSend'],
  ['a text and a status', 401, '{"error":"Log in first"}', 'onSend'],
  ['an object and a status, beside a slow preSerialization', 401, { error: 'Log in first' },
    'preSerialization'],
  ['a redirect', 302, '', 'onSend'],
  ['an object', 200, { cached: true }, 'onSend'],
  ['a text, beside a slow onSend of the route', 200, '{"cached":true}', 'onSend of the route']
] as const) {
  t.test(`an async hook that answers with ${what}, and does not return the reply`, async t => {
    const slow = held()
    let payloads = 0
    const wait = async (_request: unknown, _reply: unknown, payload: unknown) => {
      if (payloads++ === 0) await slow.promise
      return payload
    }
    const { app, outcomes, signed, record } = host(t, {}, app => {
      if (slowHook === 'onSend of the route') app.addHook('onRoute', route => { route.onSend = wait })
      else if (slowHook === 'onSend') app.addHook('onSend', wait)
      else app.addHook('preSerialization', wait)
      app.addHook('preHandler', async (_request, reply) => { reply.code(status).send(payload) })
    })
    record()
    const response = app.inject(post).then(answer => answer)
    await turns()
    slow.release()
    const expected = typeof payload === 'string' ? payload : JSON.stringify(payload)
    t.strictSame([(await response).statusCode, (await response).body], [status, expected])
    await turns() // an exception outside the request would be here
    t.strictSame([outcomes, signed()], [[], 0])
  })
}

t.test('an answer of a hook that fails in an onSend is replaced by an error', async t => {
  const { app, record } = host(t, {}, app => {
    let payloads = 0
    app.addHook('onSend', async (_request, _reply, payload) => {
      if (payloads++ === 0) throw new Error('canary')
      return payload
    })
    app.addHook('preHandler', async (_request, reply) => reply.send({ cached: true }))
  })
  record()
  const { statusCode, body } = await app.inject(post)
  t.strictSame([statusCode, body], [500, '{"error":"Internal Server Error"}'])
})

for (const name of ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const) {
  t.test(`a hook ${name} that goes on twice, and a record that fails`, async t => {
    const goOnTwice = (...args: unknown[]): void => {
      const done = args.at(-1) as () => void
      done()
      done()
    }
    const { app, outcomes, recording, record } = host(t, {}, app => app.addHook(name as 'onRequest', goOnTwice))
    const response = app.inject(post).then(answer => answer)
    await recording
    await turns()
    record(Promise.reject(new Error('disk full')) as never)
    t.ok((await response).statusCode >= 500)
    t.equal((await response).json().signature, undefined)
    t.equal(outcomes.length, 1)
  })
}

t.test('a hook onRequest that goes on twice, beside an onError that is slow: the request is signed once', async t => {
  const { app, outcomes, record } = host(t, {}, app => app
    .addHook('onRequest', (_request, _reply, done) => {
      done()
      done()
    })
    .addHook('onError', async () => turns()))
  record()
  const response = await app.inject(post)
  t.strictSame([response.statusCode, response.json()], [200, { signature }])
  t.strictSame(outcomes, ['signed'])
})

for (const [what, allowed] of [['allows', true], ['refuses', false]] as const) {
  t.test(`authorize ${what} after the time-out of the host, beside an onError that is slow`, async t => {
    const [late, failing, reported] = [held<boolean>(), held(), held()]
    const { app, outcomes, signed, record } = host(t, { authorize: () => late.promise }, app => {
      app.addHook('onError', async () => {
        failing.release()
        await reported.promise
      })
    }, { handlerTimeout: 50 })
    record()
    const response = app.inject(post).then(answer => answer)
    await failing.promise
    late.release(allowed)
    await turns() // an exception outside the request would be here
    reported.release()
    t.equal((await response).statusCode, 503)
    t.strictSame([outcomes, signed()], [['unavailable'], 0])
  })
}

for (const [status, expected, outcome] of [
  [201, [201, { signature }], 'signed'],
  [202, [202, { signature }], 'signed'],
  [203, [203, { signature }], 'signed'],
  [206, [206, { signature }], 'signed'],
  [100, [500, { error: 'Internal Server Error' }], 'failed'],
  [103, [500, { error: 'Internal Server Error' }], 'failed'],
  [204, [500, { error: 'Internal Server Error' }], 'failed'],
  [205, [500, { error: 'Internal Server Error' }], 'failed'],
  [304, [500, { error: 'Internal Server Error' }], 'failed'],
  [404, [500, { error: 'Internal Server Error' }], 'failed']
] as const) {
  t.test(`a hook that sets the status ${status} and does not answer`, async t => {
    const { app, log, outcomes, record } = host(t, {}, app => {
      app.addHook('onRequest', async (_request, reply) => { reply.code(status) })
    })
    record()
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const response = await fetch(url + post.url, { method: 'POST', body, headers: post.headers })
    t.strictSame([response.status, await response.json()], expected)
    t.strictSame(outcomes, [outcome])
    t.equal(log().includes(`a hook has set the status ${status} and sent no response`), outcome === 'failed')
  })
}
