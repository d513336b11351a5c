import underPressure from '@fastify/under-pressure'
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

/**
 * Measures the event loop's delay. Its utilization does not tell: a process that is merely busy is at 100 % and still
 * answers in milliseconds. The thresholds are compared here, because under-pressure's own would add a hook to every
 * route, liveness included.
 */
export default fp(async function overload (app) {
  await app.register(underPressure, { sampleInterval })
  app.decorate('isOverloaded', () => app.memoryUsage().eventLoopDelay > maxDelay)
}, { name: 'overload' })
