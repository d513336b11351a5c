import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import options from './esbuild-options.js'

/*
 * Transpiles the TypeScript files that changed into dist, and deletes compiled files without a source. Types are
 * checked by `npm run lint`.
 *
 *   node scripts/compile.js [FOLDER ...]
 *
 * One call of esbuild for all files would be shorter. But `npm start` must also run without esbuild once dist is
 * complete, and must not replace files that a running service or test still loads.
 */

process.chdir(join(import.meta.dirname, '..'))
const folders = process.argv.length > 2 ? process.argv.slice(2) : ['client', 'plugins', 'routes', 'scripts', 'src', 'test', 'tools']

const filesIn = (folder, ending) => existsSync(folder)
  ? readdirSync(folder, { recursive: true }).filter(name => ending.test(name) && !name.includes('node_modules')).map(name => join(folder, name))
  : []
const writtenAt = path => existsSync(path) ? statSync(path).mtimeMs : 0
const compiledOf = source => join('dist', source.replace(/\.ts$/, '.js'))

const sources = folders.flatMap(folder => filesIn(folder, /(?<!\.d)\.ts$/))
const compiled = new Set(sources.map(compiledOf))
for (const folder of folders.filter(folder => folder !== 'client')) { // it has bundles beside
  for (const path of filesIn(join('dist', folder), /\.js$/)) if (!compiled.has(path)) rmSync(path)
}

const newestRule = Math.max(...['package.json', 'tsconfig.json', 'scripts/compile.js', 'scripts/esbuild-options.js'].map(writtenAt))
const changed = sources.filter(source => writtenAt(compiledOf(source)) < Math.max(writtenAt(source), newestRule))
if (changed.length > 0) {
  const { build } = await import('esbuild').catch(withoutEsbuild)
  process.stderr.write(`compiling ${changed.length} files into dist\n`)
  await build({ ...options, entryPoints: changed })
  const bundled = changed.filter(source => source === join('src', 'text', 'schema.ts'))
  const typebox = createRequire(import.meta.url).resolve('@sinclair/typebox') // Yarn 2 and newer has no node_modules
  const licence = readFileSync(join(typebox, '../../../license'), 'utf8').replaceAll('*/', '* /')
  if (bundled.length > 0) await build({ ...options, entryPoints: bundled, bundle: true, banner: { js: `/*!\n${licence}\n*/` } })
}

/** Ends the process with the remedy for an install without development packages. */
function withoutEsbuild (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write('the build needs the development packages, which NODE_ENV=production and --omit=dev leave out: ' +
    'run npm ci --include=dev\n')
  process.exit(1)
}
