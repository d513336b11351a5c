import { monitorEventLoopDelay } from 'node:perf_hooks'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** True while requests wait so long that another instance would serve them sooner. */
    isOverloaded (): boolean
    /** Returns the mean delay of the event loop over the last second, in milliseconds. */
    eventLoopDelay (): number
  }
}

/** Limit of the mean delay of the event loop, in milliseconds. */
const maxDelay = 500

/** Time after an overload in which the service is not ready, so that balancers do not alternate, in milliseconds. */
const recoveryTime = 2000

/** Interval over which the delay is averaged, in milliseconds. */
const sampleInterval = 1000

/** Interval of the samples of the delay, in milliseconds. */
const resolution = 10

/**
 * Detects overload by the delay of the event loop. Utilization of the event loop is unsuitable: it is 100 % in a busy
 * process that still responds in milliseconds.
 *
 * `@fastify/under-pressure` measures the same, but also reads the memory by a system call, which throws when no file
 * descriptor is free: from then on it would measure nothing.
 */
export default fp(async function overload (app) {
  const delays = monitorEventLoopDelay({ resolution })
  let delay = 0
  let badSeconds = 0
  let last = -Infinity
  let timer: NodeJS.Timeout | undefined

  // The start blocks the event loop: its delay does not count.
  app.addHook('onReady', async () => {
    delays.enable()
    timer = setInterval(() => {
      delay = delays.mean / 1e6 - resolution // from nanoseconds; NaN if the event loop was blocked all the time
      badSeconds = delay <= maxDelay ? 0 : badSeconds + 1
      delays.reset()
    }, sampleInterval).unref()
  })

  app.decorate('eventLoopDelay', () => delay)
  app.decorate('isOverloaded', () => {
    const isOverloaded = badSeconds > 1 // on a busy machine, each process has a bad second now and then
    if (isOverloaded) last = performance.now()
    return isOverloaded
  })
  app.readinessChecks.push(() => app.isOverloaded() || performance.now() - last < recoveryTime ? 'overloaded' : '')
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delays.disable()
  })
}, { name: 'overload', dependencies: ['readiness'], fastify: '5.x' })
