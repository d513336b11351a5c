import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

function linesIn (folder: string): number {
  const path = join(import.meta.dirname, '../..', folder)
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => /\.[jt]s$/.test(name)).flatMap(name => {
    const lines = readFileSync(join(path, name), 'utf8')
      .replace(/\/\*.*?\*\//gs, comment => comment.replace(/[^\n]/g, '')).split('\n')
    return lines.filter(line => !/^\s*(?:\/\/.*)?$/.test(line))
  }).length
}

/** Lines of code of each folder, without blank lines and comments. Production runs all but the tools. */
export const linesOfCode = Object.fromEntries(['src', 'plugins', 'routes', 'tools'].map(folder => [folder, linesIn(folder)]))

export const productionLines = Object.entries(linesOfCode)
  .reduce((sum, [folder, lines]) => folder === 'tools' ? sum : sum + lines, 0)
