import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watchFile } from 'node:fs'
import { context } from 'esbuild'
import options from './esbuild-options.js'

/*
 * Runs the service, and restarts it after each change of the source or of .env, until Ctrl-C.
 *
 *   npm run dev
 */
const entryPoints = ['plugins', 'routes', 'src', 'tools'].map(folder => `${folder}/**/*.ts`)
const compiler = await context({ ...options, entryPoints })
await compiler.rebuild() // before the service starts
await compiler.watch()
process.stderr.write('watching src, plugins, routes, tools and .env\n')

// The service has its own process group. Otherwise it receives Ctrl-C and the signal that Node.js forwards, and the
// second signal ends it without a graceful shutdown.
const startService = () =>
  spawn(process.execPath, ['--watch', 'dist/tools/command-line/payment-signature.js', 'serve'], { stdio: 'inherit', detached: true })

let service = startService()
let isEnding = false
watchFile('.env', { interval: 500, persistent: false }, async () => {
  service.kill()
  await once(service, 'exit')
  if (!isEnding) service = startService() // Ctrl-C may have come in the meantime
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    isEnding = true
    compiler.dispose()
    service.kill()
  })
}
