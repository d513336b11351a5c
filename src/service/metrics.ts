import type { Counter, Registry } from 'prom-client'
import type { ReloadResult } from './watched-file.js'

/** The counter of that name in a registry, made if there is none: an app may embed what counts with it twice. */
export async function counterIn<Label extends string> (
  registry: Registry, name: string, help: string, labelNames: Label[]
): Promise<Counter<Label>> {
  const { Counter } = await import('prom-client') // it takes time to load
  const known = registry.getSingleMetric(name) as Counter<Label> | undefined
  return known ?? new Counter({ name, help, labelNames, registers: [registry] })
}

/** Counts the readings of a file by what came of them; if nobody asks for metrics, it does nothing. */
export async function reloadCounter (
  registry: Registry | undefined, name: string, help: string
): Promise<(result: ReloadResult) => void> {
  if (registry === undefined) return () => {}
  const reloads = await counterIn(registry, name, help, ['result'])
  for (const result of ['replaced', 'unchanged', 'failed']) reloads.inc({ result }, 0)
  return result => reloads.inc({ result })
}
