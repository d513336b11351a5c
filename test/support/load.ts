import { EventEmitter, once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { body, signature } from './example.js'
import { send } from './send.js'

/**
 * Starts clients that send one request after the other until they are stopped: sixteen on keep-alive connections, four
 * on a new connection for each request.
 *
 * @param pause - of each client after a response, in milliseconds: without one they would leave a starting instance no
 * time
 * @param observe - called with the duration of each request
 */
export function load (port: number, pause: number, observe: (milliseconds: number) => void = () => {}) {
  const signed = JSON.stringify({ signature })
  const keptOpen = new Agent({ keepAlive: true, maxSockets: 16 })
  const failures: string[] = []
  const progress = new EventEmitter()
  const state = { isStopped: false, signed: 0 }

  async function client (agent: Agent | false): Promise<void> {
    while (!state.isStopped) {
      const start = performance.now()
      try {
        const { statusCode, body: text } = await send(port, { agent, body, timeout: 10_000 }) // a shopper gives up
        if (statusCode === 200 && text === signed) state.signed++
        else failures.push(`${statusCode} ${text}`)
        progress.emit('answer')
      } catch (error) {
        failures.push(String(error))
      }
      observe(performance.now() - start)
      await setTimeout(pause)
    }
  }
  const ended = Promise.all([...Array(16).fill(keptOpen), ...Array(4).fill(false)].map(client))

  return {
    /** Resolves after `more` signatures. */
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
