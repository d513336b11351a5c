import { explore, surfaces } from '../support/surfaces.js'
import type { Fuzzer } from './run.js'

/** Service, plugin and fetch handler respond, record and report as the model of the documents predicts. */
export const model: Fuzzer = async (t, { seed, end, print }) => {
  const start = performance.now()
  const names = Object.keys(surfaces)
  const faults: string[] = []
  for (const [index, name] of names.entries()) {
    const endOfSurface = start + (end - start) * (index + 1) / names.length
    let settings = 0
    const { differences } = await explore(t, name, seed, made => {
      settings = made
      return performance.now() > endOfSurface
    })
    print(`${name}: ${settings} settings with 50 requests each, ${differences.length} faults`)
    faults.push(...differences)
  }
  return faults
}
