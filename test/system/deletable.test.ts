import { execFile } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { body, signature } from '../support/example.js'
import { root } from '../support/server.js'

/** Modules that can be deleted, each with the file that imports it. */
const deletable = {
  'plugins/signing/index.js': [
    'decision-metrics', 'audit', 'load-shedding', 'strict-guard', 'policy-guard', 'rate-limit', 'authorize'
  ].map(name => `plugins/signing/${name}.js`),
  'plugins/operation/index.js': [
    'plugins/operation/metrics.js', 'plugins/operation/audit-trail.js', 'routes/openapi.js', 'routes/probes.js'
  ],
  'src/app.js': ['plugins/signing/write-batching.js', 'plugins/cors.js', 'plugins/operation/exposure-warnings.js']
}

/** Signs the example in copies of the service with some settings, and writes the responses. */
const script = `
for (const copy of process.argv.slice(2)) {
  const { createApp } = await import(copy)
  const app = createApp({ config: { AUDIT: 'true', AUDIT_FILE: '/dev/null', ADMIN_PORT: '0', RATE_LIMIT_MAX: 9 }, logger: false })
  const { body } = await app.inject({
    method: 'POST', url: '/api/generate-signature', headers: { 'content-type': 'application/json' }, payload: ${JSON.stringify(body)}
  })
  await app.close()
  console.log(body)
}
`

/** Returns a module without the lines that import and register another module. */
function withoutLinesOf (file: string, text: string): string {
  const imported = new RegExp(`^import (\\w+) from '[^']*/${basename(file)}';\\n`, 'm')
  const [, name = ''] = imported.exec(text) ?? []
  return text.replace(imported, '').replace(new RegExp(`^ *app\\.register\\(${name}\\b[^;]*;\\n`, 'm'), '')
}

t.test('guards and optional plugins can be deleted with their lines', async t => {
  const folder = t.testdir({ 'sign.mjs': script })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['package.json', 'openapi.json']) cpSync(join(root, name), join(folder, name))
  const deleted = Object.entries(deletable).flatMap(([composing, files]) => files.map(file => ({ composing, file })))
  const copies = deleted.map(({ composing, file }, index) => {
    const copy = join(folder, String(index)) // beside openapi.json, as dist is
    const filter = (path: string) => !/\.(?:map|d\.ts)$|command-line/.test(path)
    for (const part of ['src', 'plugins', 'routes']) cpSync(join(root, 'dist', part), join(copy, part), { recursive: true, filter })
    rmSync(join(copy, file))
    const text = readFileSync(join(copy, composing), 'utf8')
    const rest = withoutLinesOf(file, text)
    t.equal(text.split('app.register(').length - rest.split('app.register(').length, 1, `${file} has one line in ${composing}`)
    writeFileSync(join(copy, composing), rest)
    return join(copy, 'src/app.js')
  })
  const { stdout } = await promisify(execFile)('env', ['-i', process.execPath, join(folder, 'sign.mjs'), ...copies])
  const responses = stdout.trim().split('\n')
  for (const [index, { file }] of deleted.entries()) t.equal(responses[index], JSON.stringify({ signature }), file)
})
