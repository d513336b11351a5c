import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Imports all tests below a folder, so that they share one process. They run one after the other. */
export async function importTests (folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true }).map(String).filter(name => name.endsWith('.test.js')).sort()
  for (const name of names) await import(pathToFileURL(join(folder, name)).href)
}
