import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import type { AppOptions } from '../../src/app.js'
import type { Reading } from '../../src/scheme/request.js'
import { readerOf, signerOf } from '../../src/scheme/variants.js'
import { testApp, token } from '../support/app.js'
import { body, request, signature } from '../support/example.js'
import { portOf } from '../support/http.js'
import { respServer } from '../support/resp.js'
import type { Scope } from '../support/server.js'

// Clients disconnect at every place at which a request waits.

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

/** A request whose client disconnects. */
interface Plan {
  /** Moment of the disconnection: a place, or `sent` or `body` after the whole request or a part of the body. */
  place: string
  /** Time that the function at this place continues to wait: turns of the event loop, or until the server knows. */
  wait: number | 'closed'
}

/**
 * Starts an app with some options that wait. Its `places` are those that requests have reached; `disconnect` sends a
 * request, disconnects as planned, and returns true if the client has disconnected before a response.
 */
async function waitingApp (t: Scope, names: readonly string[]) {
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

/** Options of an app, and the places at which a request waits. */
const cases = [
  [['nothing'], []],
  ...['Redis', 'context', 'authorize', 'tokenOf'].map(name => [[name, 'audit'], [name, 'audit']] as const),
  [['Redis', 'context', 'authorize', 'tokenOf', 'audit'], ['Redis', 'context', 'authorize', 'tokenOf', 'audit']],
  [['signer', 'audit'], ['signer', 'audit']]
] as const

for (const [names, waits] of cases) {
  t.test(`clients that hang up do not end an app with: ${names.join(', ')}`, async t => {
    const errors: string[] = []
    const add = (error: NodeJS.ErrnoException): void => { errors.push(error.code ?? error.message) }
    process.on('unhandledRejection', add).on('uncaughtException', add)
    const { app, log, port, counts, places, disconnect } = await waitingApp(t, names)
    t.equal(await disconnect({ place: 'none', wait: 0 }), false, 'a request that is answered')
    t.strictSame(waits.filter(place => !places.has(place)), [], 'every option waits')
    for (const place of ['body', 'sent', ...places]) {
      for (const wait of [0, 1, 2, 3, 'closed'] as const) {
        t.equal(await disconnect({ place, wait }), true, `${place}, ${wait}`)
      }
    }
    const response = await request(port, body)
    t.strictSame([response.status, await response.json()], [200, { signature }])
    if (names[0] === 'signer') t.equal(counts.recorded, counts.signed, 'one record for each signature')
    await app.close()
    process.off('unhandledRejection', add).off('uncaughtException', add)
    t.strictSame(errors, [])
    t.notMatch(log(), /"level":[56]0/)
  })
}
