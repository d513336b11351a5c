import { monitorEventLoopDelay } from 'node:perf_hooks'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** True while requests wait so long that another instance would serve them sooner. */
    isOverloaded (): boolean
    /** How late the event loop was over the last second, on average, in milliseconds. */
    eventLoopDelay (): number
  }
}

/** How long a request may wait until it is served, in milliseconds; and the event loop be late, on average. */
const maxWait = 500

/** Time after an overload in which the service is not ready, so that balancers do not alternate, in milliseconds. */
const moment = 2000

/** How often the delay is measured, in milliseconds. */
const sampleInterval = 1000

/** How often the event loop is asked how late it is, in milliseconds. */
const resolution = 10

/**
 * Two figures tell. How long requests wait, since a busy process is never late: thousands of connections only make the
 * queue long. And how late the event loop is, for when the machine gives the process no time. The loop's utilization
 * does not tell: a process that is merely busy is at 100 % and still responds in milliseconds.
 *
 * Nothing is asked of the operating system, which has no answer when all descriptors are taken.
 */
export default fp(async function overload (app) {
  const delays = monitorEventLoopDelay({ resolution })
  let delay = 0
  const timer = setInterval(() => {
    delay = delays.mean / 1e6 - resolution // nanoseconds; not a number, if the event loop was blocked for all the time
    delays.reset()
  }, sampleInterval).unref()
  delays.enable()

  app.decorate('eventLoopDelay', () => delay)
  let last = -Infinity
  app.decorate('isOverloaded', () => {
    const isOverloaded = app.currentWait() > maxWait || !(delay <= maxWait)
    if (isOverloaded) last = performance.now()
    return isOverloaded
  })
  app.readinessChecks.push(() => app.isOverloaded() || performance.now() - last < moment ? 'overloaded' : '')
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delays.disable()
  })
}, { name: 'overload', dependencies: ['fair-turns', 'readiness'] })
