import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import paymentSignature, { type Decision, type PaymentSignatureOptions } from '../../src/fastify.js'
import type { Reading } from '../../src/scheme/request.js'
import { readerOf, signerOf } from '../../src/scheme/variants.js'
import { developmentToken as token } from '../../src/token/key-check-value.js'
import { body } from './example.js'
import { portOf } from './http.js'
import { respServer } from './resp.js'
import type { Scope } from './server.js'

/** Waits at a place of a request. At the place of the plan, the client disconnects. */
type At = (place: string) => Promise<void>

type AddHooks = (app: FastifyInstance, at: At) => void

const refuse = (reply: FastifyReply, payload: unknown = { error: 'Log in first' }): FastifyReply =>
  reply.code(401).send(payload)

/** A log-in that looks up the session, and refuses requests without one as Fastify documents it. */
const logIn = (phase: string, respond: (reply: FastifyReply) => unknown = refuse): AddHooks => (app, at) => {
  app.addHook(phase as 'preHandler', async (request, reply) => {
    await at(phase)
    if (request.headers.cookie !== 'me') return respond(reply)
  })
}

const page = () => Readable.from((async function * () {
  yield 'the first part'
  await turn()
  yield 'the second part'
})())

/** Hooks of hosts, before the response. */
const hosts: Readonly<Record<string, AddHooks>> = {
  'no hook': () => {},
  ...Object.fromEntries(['onRequest', 'preParsing', 'preValidation', 'preHandler'].map(phase => [`log-in in ${phase}`, logIn(phase)])),
  'log-in with a stream': logIn('preHandler', reply => refuse(reply, page())),
  'log-in that does not return the reply': logIn('preHandler', reply => { refuse(reply) }),
  'log-in that goes on': app => app.addHook('preHandler', (request, reply, done) => {
    if (request.headers.cookie !== 'me') refuse(reply)
    done()
  }),
  'async hooks' (app, at) {
    for (const phase of ['onRequest', 'preValidation', 'preHandler', 'onResponse']) {
      app.addHook(phase as 'preHandler', async () => at(phase))
    }
    app.addHook('preSerialization', async (_request, _reply, payload) => {
      await at('preSerialization')
      return payload
    })
  }
}

/** Hooks of hosts, when the response is sent. */
const senders: Readonly<Record<string, AddHooks>> = {
  'no onSend': () => {},
  'async onSend': (app, at) => app.addHook('onSend', async (_request, _reply, payload) => {
    await at('onSend')
    return payload
  }),
  'onSend with done': (app, at) => app.addHook('onSend', (_request, _reply, payload, done) => {
    at('onSend').then(() => setImmediate(done, null, payload))
  })
}

/** True for hosts that respond and let the route respond too. Fastify discards the second response. */
export const respondsTwice = (host: string): boolean => /not return|goes on/.test(host)

/** Before 5.11, Fastify sent both responses after an asynchronous onSend hook, and threw. */
const sendsBoth = Number(Fastify().version.split('.')[1]) < 11

/** Pairs of a host and a sender. After a second response, `done` of the sender would throw in the host itself. */
export const pairs = Object.keys(hosts).flatMap(host => Object.keys(senders)
  .filter(sender => !(respondsTwice(host) && (sender === 'onSend with done' || (sendsBoth && sender === 'async onSend'))))
  .map(sender => [host, sender] as const))

/** Number of signatures that a custom signer made, and of those that were audited. */
interface Counts {
  signed: number
  audited: number
}

/** Options that wait. */
const options: Readonly<Record<string, (at: At, counts: Counts, t: Scope) => object | Promise<object>>> = {
  nothing: () => ({}),
  audit: (at, counts) => ({
    audit: async ({ audit: { outcome } }: Decision) => {
      if (outcome === 'signed') counts.audited++
      await at('audit')
    }
  }),
  'required audit': async (at, counts, t) => ({ ...await options.audit!(at, counts, t), auditRequired: true }),
  context: at => ({ context: () => at('context') }),
  authorize: at => ({ authorize: () => at('authorize').then(() => true) }),
  'token function': at => ({ merchantToken: () => at('token function').then(() => token) }),
  signer: (at, counts) => ({
    variant: undefined,
    merchantToken: undefined,
    signer: {
      variant: 'A',
      read: (request: never) => readerOf('A').read(request),
      async signReading (reading: Reading) {
        await at('signer')
        counts.signed++
        return signerOf('A', token).signReading(reading)
      }
    }
  }),
  Redis: async (at, _counts, t) => ({
    rateLimitMax: 1_000_000,
    redisUrl: await respServer(t, async command => {
      if (!command.startsWith('EVAL')) return '+OK'
      await at('Redis')
      return '*2\r\n:1\r\n:1000'
    })
  })
}

/** Names of the options that wait. */
export const optionNames = Object.keys(options)

/** A request whose client disconnects. */
interface Plan {
  /** Moment of the disconnection: a place, or `sent` or `body` after the whole request or a part of the body. */
  place: string
  /** Time that the function at this place continues to wait: turns of the event loop, or until the server knows. */
  wait: number | 'closed'
  isLoggedIn: boolean
}

/** An app with the plugin, whose clients disconnect. */
interface Host {
  app: FastifyInstance
  port: number
  counts: Counts
  /** Places that requests have reached. */
  places: Set<string>
  /** Sends a request and disconnects as planned. Returns true if the client has disconnected before a response. */
  disconnect: (plan: Plan) => Promise<boolean>
}

/** Starts an app with the hooks of a host and with some options of the plugin. */
export async function hostWith (t: Scope, host: string, sender: string, names: readonly string[]): Promise<Host> {
  let client: { plan: Plan, socket: Socket, isGone: boolean } | undefined
  let connection: Socket | undefined
  const places = new Set<string>()
  const waiting = { count: 0 }

  async function at (place: string): Promise<void> {
    places.add(place)
    waiting.count++
    if (client?.plan.place === place && !client.isGone) {
      client.isGone = true
      const { plan: { wait }, socket } = client
      const closed = connection?.destroyed || new Promise(resolve => connection?.once('close', resolve))
      socket.resetAndDestroy()
      if (wait === 'closed') await closed
      else for (let turns = 0; turns < wait; turns++) await turn()
    } else await turn()
    waiting.count--
  }

  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  app.server.on('connection', socket => { connection = socket })
  hosts[host]!(app, at)
  senders[sender]!(app, at)
  const counts = { signed: 0, audited: 0 }
  const given = await Promise.all(names.map(name => options[name]!(at, counts, t)))
  const allOptions = Object.assign({ variant: 'A', merchantToken: token }, ...given)
  app.register(paymentSignature, allOptions as PaymentSignatureOptions)
  const port = await portOf(app)

  async function disconnect (plan: Plan): Promise<boolean> {
    const socket = connect(port, '127.0.0.1')
    const current: typeof client = client = { plan, socket, isGone: false }
    socket.on('error', () => {}).resume()
    socket.write('POST /api/generate-signature HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\n' +
      `${plan.isLoggedIn ? 'cookie: me\r\n' : ''}content-length: ${body.length}\r\n\r\n` +
      body.slice(0, plan.place === 'body' ? 40 : body.length), () => {
      if (!['body', 'sent'].includes(plan.place)) return
      current.isGone = true
      socket.resetAndDestroy()
    })
    await once(socket, 'close')
    for (let turns = 0; turns < 3 || waiting.count > 0; turns++) await turn()
    client = undefined
    return current.isGone
  }
  return { app, port, counts, places, disconnect }
}

/** Collects errors that nobody handles, until `stop` is called. */
export function unhandledErrors (): { errors: string[], stop: () => void } {
  const errors: string[] = []
  const add = (error: NodeJS.ErrnoException): void => { errors.push(error.code ?? error.message) }
  process.on('unhandledRejection', add).on('uncaughtException', add)
  return { errors, stop: () => process.off('unhandledRejection', add).off('uncaughtException', add) }
}
