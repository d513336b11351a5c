import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const never = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the event loop for a number of milliseconds. */
export const block = (time: number): unknown => Atomics.wait(never, 0, 0, time)

/** Blocks the event loop repeatedly until the app reports overload. */
export async function overload (app: FastifyInstance): Promise<void> {
  await app.ready()
  while (!app.isOverloaded()) {
    block(700)
    await setImmediate()
  }
}

/** Resolves once the app has recovered. */
export async function recovered (app: FastifyInstance): Promise<void> {
  while (app.unreadiness() === 'overloaded') await setTimeout(20)
}
