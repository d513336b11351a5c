import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root, start } from '../support/server.js'

const minute = 60_000

t.test('npm run dev restarts the service after a change of the source and of .env, and Ctrl-C ends all', async t => {
  const folder = t.testdir({ '.env': 'PORT=0\nHOST=127.0.0.1\nMERCHANT_TOKEN=first-token-0123456789\n' })
  for (const path of ['package.json', 'tsconfig.json', 'openapi.json', 'src', 'plugins', 'routes', 'tools', 'scripts/compile.js', 'scripts/dev.js']) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // In its own session, as at a terminal. env -i, because the test runner instruments what a test starts.
  const variables = [`PATH=${process.env.PATH}`, `HOME=${process.env.HOME}`]
  const dev = start(t, 'env', ['-i', ...variables, 'setsid', 'npm', 'run', 'dev'], { cwd: folder, env: {} })
  const group = -Number(dev.process.pid)
  let hasEnded = false
  t.teardown(() => { if (!hasEnded) process.kill(group, 'SIGTERM') })

  await dev.says(/key check value 02672b/, minute)
  await dev.says(/watching src/, minute)
  const server = join(folder, 'src/server.ts')
  writeFileSync(server, readFileSync(server, 'utf8').replace('listening at', 'changed and listening at'))
  await dev.says(/changed and listening at .* key check value 02672b/, minute)
  writeFileSync(join(folder, '.env'), 'PORT=0\nHOST=127.0.0.1\nMERCHANT_TOKEN=second-token-0123456789\n')
  await dev.says(/changed and listening at .* key check value 625429/, minute)

  process.kill(group, 'SIGINT')
  await dev.ended // after the end of all processes that write to the same standard output
  hasEnded = true
  t.match(dev.output(), /"closed"\}\n[^{]*$/)
})
