import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { body, signature } from './support/example.js'
import { root } from './support/server.js'

/** What can be deleted, and the file that has its lines. */
const deletable = {
  'plugins/signing/index.js': [
    'write-batching', 'decision-metrics', 'audit', 'load-shedding', 'accept-body-token', 'strict', 'policy', 'rate-limit',
    'authorize'
  ].map(name => `plugins/signing/${name}.js`),
  'src/app.js': [
    'plugins/http/cors.js', 'plugins/http/metrics.js', 'plugins/exposure-warnings.js', 'routes/openapi.js',
    'routes/health.js', 'routes/ready.js'
  ]
}

/** The service with something switched on, signing the example. */
const script = `
import { createApp } from './src/app.js'
const app = createApp({ config: { AUDIT: true, ADMIN_PORT: '0', RATE_LIMIT_MAX: 9 }, logger: false })
const { body } = await app.inject({
  method: 'POST', url: '/api/generate-signature', headers: { 'content-type': 'application/json' }, payload: ${JSON.stringify(body)}
})
process.stdout.write(body)
await app.close()
`

/** A module without the lines that import and register another. */
function withoutLinesOf (file: string, text: string): string {
  const imported = new RegExp(`^import (\\w+) from '[^']*/${basename(file)}';\\n`, 'm')
  const [, name = ''] = imported.exec(text) ?? []
  return text.replace(imported, '').replace(new RegExp(`^ *app\\.register\\(${name}\\b[^;]*;\\n`, 'm'), '')
}

for (const [composing, files] of Object.entries(deletable)) {
  for (const file of files) {
    t.test(`${file} can be deleted with its lines in ${composing}`, async t => {
      const folder = t.testdir()
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      for (const name of ['package.json', 'openapi.json']) cpSync(join(root, name), join(folder, name))
      const copy = join(folder, 'dist')
      mkdirSync(copy)
      for (const part of ['src', 'plugins', 'routes']) cpSync(join(root, 'dist', part), join(copy, part), { recursive: true })

      rmSync(join(copy, file))
      const text = readFileSync(join(copy, composing), 'utf8')
      const rest = withoutLinesOf(file, text)
      t.equal(text.split('app.register(').length - rest.split('app.register(').length, 1)
      writeFileSync(join(copy, composing), rest)
      writeFileSync(join(copy, 'sign.js'), script)
      const { stdout } = await promisify(execFile)('env', ['-i', process.execPath, join(copy, 'sign.js')])
      t.equal(stdout, JSON.stringify({ signature }))
    })
  }
}
