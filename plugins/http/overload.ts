import { monitorEventLoopDelay } from 'node:perf_hooks'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns true while requests wait so long that another instance would serve them sooner. */
    isOverloaded (): boolean
    /** Returns the mean delay of the event loop over the last second, in milliseconds. */
    eventLoopDelay (): number
  }
}

/** Limit of a request's waiting time and of the mean delay of the event loop, in milliseconds. */
const maxWait = 500

/** Time after an overload in which the service is not ready, so that balancers do not alternate, in milliseconds. */
const recoveryTime = 2000

/** Interval over which the delay is averaged, in milliseconds. */
const sampleInterval = 1000

/** Interval of the samples of the delay, in milliseconds. */
const resolution = 10

/**
 * Detects overload by two figures. The waiting time of requests grows with the number of busy connections. The delay of
 * the event loop grows when the machine has no CPU time for the process. Utilization of the event loop is unsuitable:
 * it is 100 % in a busy process that still responds in milliseconds.
 *
 * Both are measured inside the process: system calls can fail when no file descriptor is free.
 */
export default fp(async function overload (app) {
  const delays = monitorEventLoopDelay({ resolution })
  let delay = 0
  const timer = setInterval(() => {
    delay = delays.mean / 1e6 - resolution // from nanoseconds; NaN if the event loop was blocked all the time
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
  app.readinessChecks.push(() => app.isOverloaded() || performance.now() - last < recoveryTime ? 'overloaded' : '')
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delays.disable()
  })
}, { name: 'overload', dependencies: ['fair-turns', 'readiness'] })
