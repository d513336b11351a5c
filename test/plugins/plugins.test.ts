import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

// Fastify checks these at registration: a plugin in the wrong place stops the start with a clear message.
const dependencies = {
  'cors.js': ['cors', 'env'],
  'env.js': ['env'],
  'merchants.js': ['merchants'],
  'signer.js': ['signer', 'env'],
  'http/connections.js': ['connections', 'env'],
  'http/error-handler.js': ['error-handler'],
  'http/index.js': ['http'],
  'http/not-found.js': ['not-found', 'error-handler'],
  'http/pipelining.js': ['pipelining'],
  'http/protocol-errors.js': ['protocol-errors', 'error-handler'],
  'http/response-headers.js': ['response-headers'],
  'operation/audit-trail.js': ['audit-trail', 'env', 'readiness'],
  'operation/exposure-warnings.js': ['exposure-warnings', 'env'],
  'operation/graceful-shutdown.js': ['graceful-shutdown', 'env', 'connections', 'readiness'],
  'operation/index.js': ['operation', 'env', 'connections', 'http'],
  'operation/metrics.js': ['metrics', 'env', 'connections', 'overload'],
  'operation/overload.js': ['overload', 'readiness'],
  'operation/readiness.js': ['readiness'],
  'signing/audit.js': ['audit'],
  'signing/authorize.js': ['authorize', 'report-only', 'request-reader'],
  'signing/decision-metrics.js': ['decision-metrics'],
  'signing/index.js': ['signing'],
  'signing/json-body.js': ['json-body'],
  'signing/load-shedding.js': ['load-shedding'],
  'signing/policy-guard.js': ['policy-guard', 'report-only'],
  'signing/rate-limit.js': ['rate-limit', 'report-only'],
  'signing/report-only.js': ['report-only'],
  'signing/request-reader.js': ['request-reader', 'report-only'],
  'signing/strict-guard.js': ['strict-guard', 'json-body', 'report-only'],
  'signing/write-batching.js': ['write-batching']
}

t.test('each plugin names itself, the plugins before it, and its version of Fastify', async t => {
  const folder = join(import.meta.dirname, '../../plugins')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js')).sort()
  t.strictSame(files, Object.keys(dependencies).sort())
  for (const [file, [name, ...before]] of Object.entries(dependencies)) {
    const { default: plugin } = await import(join(folder, file))
    const metadata = plugin[Symbol.for('plugin-meta')]
    t.strictSame([metadata.name, metadata.dependencies ?? [], metadata.fastify], [name, before, '5.x'], file)
  }
})
