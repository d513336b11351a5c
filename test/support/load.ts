import { EventEmitter, once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import * as example from './example.js'
import { send } from './send.js'

type Answer = Awaited<ReturnType<typeof send>>

/**
 * Starts clients that send one request after the other until they are stopped: sixteen on keep-alive connections, four
 * on a new connection for each request.
 *
 * @param pause - of each client after a response, in milliseconds: without one they would leave a starting instance no
 * time
 * @param example - body of each request, and the signature or signatures that are right
 * @param observe - called with each answer or error, and its duration
 */
export function load (
  port: number, pause: number, { body, signature }: { body: string, signature: string | string[] } = example,
  observe: (answer: Answer | Error, milliseconds: number) => void = () => {}
) {
  const answers = [signature].flat().map(signature => JSON.stringify({ signature }))
  const keptOpen = new Agent({ keepAlive: true, maxSockets: 16 })
  const failures: string[] = []
  const progress = new EventEmitter()
  const state = { isStopped: false, signed: 0 }

  async function client (agent: Agent | false): Promise<void> {
    while (!state.isStopped) {
      const start = performance.now()
      try {
        const received = await send(port, { agent, body, timeout: 10_000 }) // a shopper gives up
        observe(received, performance.now() - start)
        const { statusCode, body: text } = received
        if (statusCode === 200 && answers.includes(text)) state.signed++
        else failures.push(`${statusCode} ${text}`)
        progress.emit('answer')
      } catch (error) {
        observe(error as Error, performance.now() - start)
        failures.push(String(error))
      }
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
