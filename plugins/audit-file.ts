import fp from 'fastify-plugin'
import { AuditFile, checkAuditFile } from '../src/guards/audit-file.js'
import type { Redactor } from '../src/merchants/redactor.js'
import { paths } from '../src/text/read-file.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The file of decisions; undefined without AUDIT_FILE. */
    auditFile: AuditFile | undefined
  }
}

/** Opens AUDIT_FILE until the app closes. With `dryRun`, the file is only checked. */
export default fp<{ redactor: Redactor, dryRun: boolean }>(async function auditFile (app, { redactor, dryRun }) {
  const { AUDIT_FILE: path, POLICY_FILE } = app.config
  paths.used.add(POLICY_FILE) // it is read later
  if (path !== '' && dryRun) checkAuditFile(path)
  const file = path === '' || dryRun ? undefined : new AuditFile(path, app.log, redactor)
  app.decorate('auditFile', file)
  app.addHook('onClose', async () => file?.close())
}, { name: 'audit-file', dependencies: ['env'], fastify: '5.x' })
