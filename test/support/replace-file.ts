import { renameSync, writeFileSync } from 'node:fs'

/** Replaces a file in one step. */
export function replaceFile (path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}
