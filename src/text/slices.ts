import { setImmediate } from 'node:timers/promises'

/** Time after which work in slices lets the event loop continue, in milliseconds. */
const slice = 5

/** Awaited between the steps of a long computation. */
export type Pause = () => Promise<unknown> | undefined

/**
 * Returns a function that waits for the next turn of the event loop if the current slice of work has ended. The first
 * call always waits, because the work before it has an unknown duration.
 */
export function slices (): Pause {
  let start = 0
  return () => {
    if (performance.now() - start < slice) return undefined
    return setImmediate().then(() => { start = performance.now() })
  }
}
