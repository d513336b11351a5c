import fp from 'fastify-plugin'
import { AuditFile, otherPaths } from '../src/guards/audit/audit-file.js'

/** Opens AUDIT_FILE until the app closes. */
export default fp(async function auditFile (app) {
  const { AUDIT_FILE: path } = app.config
  const file = path === '' ? undefined : new AuditFile(path, otherPaths(app.config), app.log, app.redactor)
  app.decorate('auditFile', file)
  app.addHook('onClose', async () => file?.close())
}, { name: 'audit-file', dependencies: ['env'], fastify: '5.x' })
