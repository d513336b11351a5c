import { monitorEventLoopDelay } from 'node:perf_hooks'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether requests have to wait for so long that new ones had better go elsewhere. */
    isOverloaded (): boolean
  }
}

/**
 * How late the event loop may be on average, in milliseconds. A process at full load is late by a few; this is
 * reached when thousands of connections queue, or when the machine gives the process no time.
 */
const maxDelay = 500

/** How often the delay is measured, in milliseconds. */
const sampleInterval = 1000

/** How often the event loop is asked how late it is, in milliseconds. */
const resolution = 10

/**
 * Measures the event loop's delay. Its utilization does not tell: a process that is merely busy is at 100 % and still
 * responds in milliseconds. Nothing is asked of the operating system, which has no answer when all descriptors are
 * taken: @fastify/under-pressure asks it for the memory, from a timer, and the exception ends the process.
 */
export default fp(async function overload (app) {
  const delays = monitorEventLoopDelay({ resolution })
  let delay = 0
  const timer = setInterval(() => {
    delay = delays.mean / 1e6 - resolution // nanoseconds; not a number, if the event loop was blocked for all the time
    delays.reset()
  }, sampleInterval).unref()
  delays.enable()

  app.decorate('isOverloaded', () => !(delay <= maxDelay))
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delays.disable()
  })
}, { name: 'overload' })
