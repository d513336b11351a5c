import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

// The command line in two files for each command, the program and the command itself: loading forty small ones takes
// twice as long as signing. What several commands share is in each of them.

const from = join(import.meta.dirname, '../dist/src/command-line')
const to = join(import.meta.dirname, '../dist/command-line')
const commands = [
  'serve', 'sign', 'verify', 'explain', 'diagnose', 'kcv', 'doctor', 'healthcheck', 'policy-check', 'conformance'
].map(name => `${name}.js`)

const shared = {
  bundle: true, format: 'esm', platform: 'node', packages: 'external', outdir: to, logLevel: 'warning', minifySyntax: true
}
await build({ ...shared, entryPoints: commands.map(name => join(from, name)) })
await build({
  ...shared, entryPoints: [join(from, 'payment-signature.js')], external: commands.map(name => `./${name}`)
})
chmodSync(join(to, 'payment-signature.js'), 0o755)
