import fp from 'fastify-plugin'
import { AuditFile, checkAuditFile } from '../src/decision/audit-file.js'
import type { Redactor } from '../src/token/redactor.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The file of decisions; undefined without AUDIT_FILE. */
    auditFile: AuditFile | undefined
  }
}

/** Opens AUDIT_FILE until the app closes. With `isCheck`, the file is only checked. */
export default fp<{ redactor: Redactor, isCheck: boolean }>(async function auditFile (app, { redactor, isCheck }) {
  const { AUDIT_FILE: path } = app.config
  if (path !== '' && isCheck) checkAuditFile(path)
  const file = path === '' || isCheck ? undefined : new AuditFile(path, app.log, redactor)
  app.decorate('auditFile', file)
  app.addHook('onClose', async () => file?.close())
}, { name: 'audit-file', dependencies: ['env'], fastify: '5.x' })
