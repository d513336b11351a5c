import { execFileSync, execSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/*
 * Builds the package and prepares its files for `npm pack`, and puts the originals back after it.
 *
 *   node scripts/pack.js prepack | postpack
 *
 * The package has no development scripts, and its documents link to the repository for files that it does not contain.
 */

process.chdir(join(import.meta.dirname, '..'))
const saved = 'node_modules/.cache/pack.json'

/** Puts the originals back, also those that an interrupted run left. */
function restore () {
  if (!existsSync(saved)) return
  for (const [path, text] of Object.entries(JSON.parse(readFileSync(saved, 'utf8')))) writeFileSync(path, text)
  rmSync(saved)
}

/** Replaces relative links to files that are not packed. */
function withLinks (text, document, packed, repository) {
  return text.replace(/(\]\()([^)#\s]+)((?:#[^)\s]*)?\))/g, (link, before, target, after) => {
    if (/^\w+:/.test(target)) return link
    const path = posix.join(posix.dirname(document), target).replace(/\/$/, '')
    const isPacked = packed.some(name => name === path || name.startsWith(`${path}/`))
    return isPacked ? link : `${before}${repository}/${path}${after}`
  })
}

restore()
if (process.argv[2] === 'prepack') {
  rmSync('dist', { recursive: true, force: true }) // compiled files of earlier sources
  execSync('npm run --silent build && npx tsc -p scripts/types.json && npx tsc -p client', { stdio: 'inherit' })
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }))
  const packed = files.map(({ path }) => path)
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const repository = `https://github.com/${manifest.repository.replace('github:', '')}/blob/HEAD`
  for (const name of ['scripts', 'devDependencies', 'overrides', 'workspaces', 'tap', 'knip', 'allowScripts']) delete manifest[name]
  const written = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` }
  for (const path of packed.filter(path => path.endsWith('.md'))) {
    written[path] = withLinks(readFileSync(path, 'utf8'), path, packed, repository)
  }
  mkdirSync(dirname(saved), { recursive: true })
  writeFileSync(saved, JSON.stringify(Object.fromEntries(Object.keys(written).map(path => [path, readFileSync(path, 'utf8')]))))
  for (const [path, text] of Object.entries(written)) writeFileSync(path, text)
}
