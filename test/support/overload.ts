import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Blocks the event loop, over and over, until the app calls itself overloaded. */
export async function overload (app: FastifyInstance): Promise<void> {
  await app.ready()
  const never = new Int32Array(new SharedArrayBuffer(4))
  while (!app.isOverloaded()) {
    Atomics.wait(never, 0, 0, 700) // milliseconds
    await setImmediate()
  }
}

/** Resolves once the app has recovered. */
export async function recovered (app: FastifyInstance): Promise<void> {
  while (app.isOverloaded()) await setTimeout(20)
}
