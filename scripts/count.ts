import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Prints the lines of code of each folder, without blank lines and comments, and the sum of what production runs.

function linesOfCode (folder: string): number {
  const path = join(import.meta.dirname, '../..', folder)
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => /\.[jt]s$/.test(name)).flatMap(name => {
    const lines = readFileSync(join(path, name), 'utf8')
      .replace(/\/\*.*?\*\//gs, comment => comment.replace(/[^\n]/g, '')).split('\n')
    return lines.filter(line => !/^\s*(?:\/\/.*)?$/.test(line))
  }).length
}

const counts = ['src', 'plugins', 'routes', 'tools'].map(folder => [folder, linesOfCode(folder)] as const)
const production = counts.filter(([folder]) => folder !== 'tools').reduce((sum, [, count]) => sum + count, 0)
for (const [name, count] of [...counts, ['production', production]]) process.stdout.write(`${name} ${count}\n`)
