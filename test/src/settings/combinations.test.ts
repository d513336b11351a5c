import t from 'tap'
import type { Environment } from '../../../src/settings/environment.js'
import { asksItself, exposures, guardsOn } from '../../../src/settings/combinations.js'

const open = {
  POLICY_FILE: '', AUTHORIZE_URL: '', CORS_ORIGIN: '*', STRICT: 'false', RATE_LIMIT_MAX: 0, REDIS_URL: '', AUDIT: false, AUDIT_FILE: ''
} as unknown as Environment
const anybody = 'whoever reaches this service gets signatures, refunds included (set POLICY_FILE or AUTHORIZE_URL)'
const ambiguous = 'a signature may also be that of another operation (set STRICT)'
const origins = 'pages of any origin may get signatures (set CORS_ORIGIN)'
const often = 'clients may ask as often as they like (set RATE_LIMIT_MAX)'

t.test('what a setting leaves open, and what it turns on', async t => {
  for (const [change, hasAuthorize, exposed, on] of [
    [{}, false, [anybody, ambiguous, origins, often], 'none'],
    [{}, true, [ambiguous, origins, often], 'none'],
    [{ STRICT: 'true' }, false, [anybody, origins, often], 'STRICT'],
    [{ STRICT: 'report' }, false, [anybody, ambiguous, origins, often], 'STRICT=report'],
    [{ POLICY_FILE: './policy.json' }, false, [origins, often], 'STRICT, policy'],
    [{ RATE_LIMIT_MAX: 9 }, false, [anybody, ambiguous, origins], 'rate-limit=9'],
    [{ RATE_LIMIT_MAX: 9, REDIS_URL: 'redis://:canary@localhost' }, false, [anybody, ambiguous, origins],
      'rate-limit=9, redis'],
    [{ AUDIT: true }, false, [anybody, ambiguous, origins, often], 'audit'],
    [{ AUDIT_FILE: './audit.log' }, false, [anybody, ambiguous, origins, often],
      'audit-file']
  ] as const) {
    const config = { ...open, ...change } as Environment
    const found = [exposures(config, hasAuthorize), guardsOn(config)]
    t.strictSame(found, [exposed, on], JSON.stringify(change))
  }
})

t.test('the address of the service itself, and others at its port', async t => {
  for (const [HOST, hosts, others] of [
    ['localhost', ['localhost', '127.0.0.1', '[::1]'], ['10.0.0.5']],
    ['0.0.0.0', ['localhost', '0.0.0.0'], ['10.0.0.5']],
    ['::', ['localhost', '[::]'], ['10.0.0.5']],
    ['10.0.0.5', ['10.0.0.5'], ['localhost', '127.0.0.1']]
  ] as const) {
    const isOwn = (host: string) => asksItself({ HOST, PORT: 3001, AUTHORIZE_URL: `http://${host}:3001/may-sign` } as Environment).length > 0
    t.strictSame([...hosts, ...others].filter(isOwn), hosts, HOST)
  }
})
