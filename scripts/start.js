import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// One command builds and serves: with `ignore-scripts`, and with Yarn 2 and newer, no prestart runs.
// package.json calls it with `exec`, because the shell of npm does not pass SIGTERM on; shells without `exec`
// take the second half.
const compiled = spawnSync(process.execPath,
  [join(import.meta.dirname, 'compile.js'), 'src', 'plugins', 'routes', 'tools'], { stdio: 'inherit' })
if (compiled.status !== 0) process.exit(1)

// In this process, so that it receives the signals of npm.
process.argv.splice(2, 0, 'serve')
await import('../dist/tools/command-line/payment-signature.js')
