import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'

// The root's build also puts the unbundled modules, which the tests import, into dist/client.
const isPublished = name => name.endsWith('.d.ts') || ['index.js', 'payment-signature.global.js'].includes(name)

process.chdir(import.meta.dirname)
rmSync('dist', { recursive: true, force: true })
mkdirSync('dist')
for (const name of readdirSync('../dist/client').filter(isPublished)) cpSync(`../dist/client/${name}`, `dist/${name}`)
