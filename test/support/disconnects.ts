import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { AppOptions } from '../../src/app.js'
import type { Reading } from '../../src/scheme/request.js'
import { readerOf, signerOf } from '../../src/scheme/variants.js'
import { testApp, token } from './app.js'
import { body } from './example.js'
import { portOf } from './http.js'
import { respServer } from './resp.js'
import type { Scope } from './server.js'

/** Waits at a place of a request. At the place of the plan, the client disconnects. */
type At = (place: string) => Promise<void>

/** Number of signatures that a custom signer made, and of those that were recorded. */
interface Counts {
  signed: number
  recorded: number
}

/** Options that wait. */
const options: Readonly<Record<string, (at: At, counts: Counts, t: Scope) => AppOptions | Promise<AppOptions>>> = {
  nothing: () => ({}),
  audit: (at, counts) => ({
    async audit ({ audit: { outcome } }) {
      if (outcome === 'signed') counts.recorded++
      await at('audit')
    }
  }),
  context: at => ({ context: () => at('context') }),
  authorize: at => ({ authorize: () => at('authorize').then(() => true) }),
  tokenOf: at => ({ tokenOf: () => at('tokenOf').then(() => token) }),
  signer: (at, counts) => ({
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
    config: {
      RATE_LIMIT_MAX: 1_000_000,
      REDIS_URL: await respServer(t, async command => {
        if (!command.startsWith('EVAL')) return '+OK'
        await at('Redis')
        return '*2\r\n:1\r\n:1000'
      })
    }
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
}

/** An app whose clients disconnect. */
interface Waiting {
  app: FastifyInstance
  log: () => string
  port: number
  counts: Counts
  /** Places that requests have reached. */
  places: Set<string>
  /** Sends a request and disconnects as planned. Returns true if the client has disconnected before a response. */
  disconnect: (plan: Plan) => Promise<boolean>
}

/** Starts an app with some options that wait. */
export async function waitingApp (t: Scope, names: readonly string[]): Promise<Waiting> {
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

  const counts = { signed: 0, recorded: 0 }
  const given: AppOptions = Object.assign({}, ...await Promise.all(names.map(name => options[name]!(at, counts, t))))
  const { app, log } = testApp(t, given)
  app.server.on('connection', socket => { connection = socket })
  const port = await portOf(app)

  async function disconnect (plan: Plan): Promise<boolean> {
    const socket = connect(port, '127.0.0.1')
    const current: typeof client = client = { plan, socket, isGone: false }
    socket.on('error', () => {}).resume()
    socket.write('POST /api/generate-signature HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\n' +
      `content-length: ${body.length}\r\n\r\n${body.slice(0, plan.place === 'body' ? 40 : body.length)}`, () => {
      if (!['body', 'sent'].includes(plan.place)) return
      current.isGone = true
      socket.resetAndDestroy()
    })
    await once(socket, 'close')
    for (let turns = 0; turns < 3 || waiting.count > 0; turns++) await turn()
    client = undefined
    return current.isGone
  }
  return { app, log, port, counts, places, disconnect }
}

/** Collects errors that nobody handles, until `stop` is called. */
export function unhandledErrors (): { errors: string[], stop: () => void } {
  const errors: string[] = []
  const add = (error: NodeJS.ErrnoException): void => { errors.push(error.code ?? error.message) }
  process.on('unhandledRejection', add).on('uncaughtException', add)
  return { errors, stop: () => process.off('unhandledRejection', add).off('uncaughtException', add) }
}
