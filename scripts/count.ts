import { readdirSync, readFileSync } from 'node:fs'
import { commands, load } from '../tools/command-line/main.js'

/** Returns the lines of code of a folder, without blank lines and comments. */
function linesIn (folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.[jt]s$/.test(name)).flatMap(name => {
    const lines = readFileSync(`${folder}/${name}`, 'utf8')
      .replace(/\/\*.*?\*\//gs, comment => comment.replace(/[^\n]/g, '')).split('\n')
    return lines.filter(line => !/^\s*(?:\/\/.*)?$/.test(line))
  }).length
}

let production = 0
for (const folder of ['src', 'plugins', 'routes', 'tools']) {
  const lines = linesIn(folder)
  if (folder !== 'tools') production += lines // production runs all but the tools
  process.stdout.write(`${folder} ${lines}\n`)
}
process.stdout.write(`production ${production}\n`)

const flags = (await Promise.all(Object.keys(commands).map(load))).flatMap(({ options }) => Object.keys(options))
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
process.stdout.write(`commands ${Object.keys(commands).length}, flag names ${new Set(flags).size} in ${flags.length} places, ` +
  `npm scripts ${Object.keys(scripts).length}\n`)
