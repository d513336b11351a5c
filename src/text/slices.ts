import { setImmediate } from 'node:timers/promises'

/** Time after which long computations let the event loop continue, in milliseconds. */
const slice = 2

let start = 0

/** Awaited between the steps of a long computation. Waits for the next turn of the event loop after a slice of time. */
export function pause (): Promise<unknown> | undefined {
  if (performance.now() - start < slice) return undefined
  return setImmediate().then(() => { start = performance.now() })
}
