import { EventEmitter, once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { body, signature } from './example.js'

const answer = JSON.stringify({ signature })

/**
 * Clients that send the example one request after the other until they are told to stop: sixteen by a connection that
 * stays open, four by a new one each time.
 *
 * @param pause - of each client after a response, in milliseconds: without one they would leave a starting instance no
 * time
 */
export function load (port: number, pause: number) {
  const keptOpen = new Agent({ keepAlive: true, maxSockets: 16 })
  const failures: string[] = []
  const progress = new EventEmitter()
  const state = { signed: 0, isStopped: false }

  async function client (agent: Agent | false): Promise<void> {
    while (!state.isStopped) {
      try {
        const outgoing = request({
          port,
          agent,
          host: '127.0.0.1',
          method: 'POST',
          path: '/api/generate-signature',
          headers: { 'content-type': 'application/json', 'content-length': body.length }
        }).end(body)
        const [response] = await once(outgoing, 'response') as [IncomingMessage]
        const received = await text(response)
        if (response.statusCode === 200 && received === answer) state.signed++
        else failures.push(`${response.statusCode} ${received}`)
        progress.emit('answer')
      } catch (error) {
        failures.push(String(error))
      }
      await setTimeout(pause)
    }
  }
  const ended = Promise.all([...Array(16).fill(keptOpen), ...Array(4).fill(false)].map(client))

  return {
    /** Resolves once so many more have been signed. */
    async until (more: number) {
      const goal = state.signed + more
      while (state.signed < goal) await once(progress, 'answer')
    },

    async stop () {
      state.isStopped = true
      await ended
      keptOpen.destroy()
      return { signed: state.signed, failures }
    }
  }
}
