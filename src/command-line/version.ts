import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The version in the nearest package.json above: sources and built files lie at different depths. */
export async function readVersion (folder: string = import.meta.dirname): Promise<string> {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version
  } catch (error) {
    if (dirname(folder) === folder) throw error
    return readVersion(dirname(folder))
  }
}
