import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { frameworks } from './frameworks.js'
import { generators } from './generators.js'
import { shops } from './shop.js'
import { Project, reachesRegistry, type ForeignPart } from './project.js'
import { typescript } from './typescript.js'
import { scoped } from '../support/scope.js'

// Installs the packed package into new projects with other packages, and runs the code of the documents.

const parts: Readonly<Record<string, ForeignPart>> = { ...shops, ...frameworks, typescript, generators }

const names = process.argv.slice(2)
const unknown = names.filter(name => parts[name] === undefined)
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; the parts are ${Object.keys(parts).join(', ')}`)

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const tarball = resolve('dist', `${name}-${version}.tgz`)

if (!reachesRegistry()) {
  process.stdout.write('skipped: npm reaches no registry\n')
} else {
  for (const [name, { packages, skip, run }] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue
    if (skip) {
      process.stdout.write(`skipped ${name}: ${skip}\n`)
      continue
    }
    try {
      await scoped(`foreign-${name}`, async scope => run(await Project.install(scope, [...packages, tarball])))
      process.stdout.write(`ok ${name}\n`)
    } catch (error) {
      process.stdout.write(`not ok ${name}: ${(error as Error).message}\n`)
      process.exitCode = 1
    }
  }
}
