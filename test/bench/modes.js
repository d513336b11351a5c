import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the modes that are compared. Writes the policy that some of them need to a directory. */
export function modesIn (directory) {
  const policy = join(directory, 'policy.json')
  writeFileSync(policy, JSON.stringify({
    callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' }]
  }))
  const silent = { LOG_LEVEL: 'silent' }
  const guards = {
    STRICT: 'true',
    POLICY_FILE: policy,
    RATE_LIMIT_MAX: '1000000000',
    RATE_LIMIT_WINDOW: '3600000',
    ACCEPT_BODY_TOKEN: 'false',
    ADMIN_PORT: '0'
  }
  return [
    { name: 'log off', env: silent },
    { name: 'default log', env: {} },
    { name: 'default log, behind nginx', env: {}, isBehindNginx: true },
    { name: 'guards, log off', env: { ...guards, ...silent } },
    { name: 'guards, `AUDIT=true`, default log', env: { ...guards, AUDIT: 'true' } },
    {
      name: 'guards, `AUDIT=required` in a file, default log',
      env: { ...guards, AUDIT: 'required', AUDIT_FILE: 'audit.log' }
    }
  ]
}
