import fp from 'fastify-plugin'
import { AuditTrail } from '../src/service/audit-trail.js'
import { ConfigurationError } from '../src/service/configuration.js'
import type { LineOutput } from '../src/service/line-writer.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Where decisions are recorded; undefined without AUDIT. */
    auditTrail?: AuditTrail
  }
}

interface AuditTrailOptions {
  /** Where decisions go without AUDIT_FILE. */
  output: LineOutput
}

/** The trail that AUDIT and AUDIT_FILE ask for. With AUDIT=required the service is ready only while it works. */
export default fp<AuditTrailOptions>(async function auditTrail (app, { output }) {
  const { AUDIT, AUDIT_FILE } = app.config
  if (AUDIT === 'false') {
    if (AUDIT_FILE === '') return
    throw new ConfigurationError(['AUDIT_FILE is set, but AUDIT is false; set AUDIT to true or required'])
  }
  const trail = new AuditTrail(AUDIT_FILE, output, app.log, line => app.merchantToken.redactLine(line))
  app.decorate('auditTrail', trail)
  if (AUDIT_FILE !== '') app.watchedFiles.push({ reload: () => trail.reopen() })
  app.addHook('onClose', async () => trail.close())
  if (AUDIT === 'required') app.readinessChecks.push(() => trail.isUp ? '' : 'audit unavailable')
}, { name: 'audit-trail', dependencies: ['env', 'readiness'] })
