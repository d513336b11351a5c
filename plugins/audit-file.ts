import fp from 'fastify-plugin'
import { AuditFile, checkAuditFile } from '../src/guards/audit-file.js'
import { paths } from '../src/text/read-file.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The file of decisions; undefined without AUDIT_FILE. */
    auditFile: AuditFile | undefined
  }
}

/** Opens AUDIT_FILE until the app closes. With `dryRun`, the file is only checked. */
export default fp<{ dryRun: boolean }>(async function auditFile (app, { dryRun }) {
  const { AUDIT_FILE: path, POLICY_FILE } = app.config
  paths.used.add(POLICY_FILE) // it is read later
  if (path !== '' && dryRun) checkAuditFile(path)
  const file = path === '' || dryRun ? undefined : new AuditFile(path, app.log, app.redactor)
  app.decorate('auditFile', file)
  app.addHook('onClose', async () => file?.close())
}, { name: 'audit-file', dependencies: ['env'], fastify: '5.x' })
