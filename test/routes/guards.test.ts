import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import type { AuditEntry } from '../../src/embed.js'
import type { PolicyCaller } from '../../src/guards/policy/policy-schema.js'
import { testApp, type TestOptions } from '../support/app.js'
import { body, officeKey, signature } from '../support/example.js'

const request = JSON.parse(body)
const office: PolicyCaller = { name: 'office', apiKeySha256: officeKey, operations: ['purchase'], accountNumbers: ['102551'] }

/** An app with guards, whose function `audit` records decisions. */
function guarded (t: Test, { config, ...options }: TestOptions) {
  const decisions: Array<AuditEntry['audit']> = []
  const audit = ({ audit }: AuditEntry) => decisions.push(audit)
  const { app, log } = testApp(t, { config: { ADMIN_PORT: 1, ...config }, audit, ...options })
  const metrics = () => app.metrics!.registry.metrics()
  async function ask (fields = {}, headers = {}) {
    const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload: { ...request, ...fields }, headers })
    return [response.statusCode, response.headers['error-code'] ?? 'signed', response.headers['www-authenticate']]
  }
  /** Decisions that were counted. */
  const counted = async () => [...(await metrics()).matchAll(/^payment_signature_decisions_total\{(.*)\} ([1-9]\d*)$/gm)]
    .map(([, labels, count]) => `${labels} ${count}`)
  return { app, log, metrics, decisions, ask, counted }
}

t.test('who has no known key is refused and counted, but never recorded; neither is 429', async t => {
  const { ask, decisions, counted, log } = guarded(t, { callers: [office], config: { RATE_LIMIT_MAX: 5 } })
  const unknown = 'Bearer error="invalid_token"'
  for (const [authorization, code, challenge] of [
    [undefined, 'api-key-required', 'Bearer'], ['Bearer two keys', 'api-key-required', 'Bearer'], ['Basic a2V5', 'api-key-required', 'Bearer'],
    ['', 'api-key-required', 'Bearer'], ['Bearer canary-key', 'api-key-unknown', unknown]
  ] as const) t.strictSame(await ask({}, authorization === undefined ? {} : { authorization }), [401, code, challenge])
  t.match(await ask(), [429, 'rate-limit'])
  t.strictSame(decisions, [])
  t.strictSame((await counted()).sort(), [
    'variant="A",operation="unknown",outcome="rate-limit" 1', 'variant="A",operation="unknown",outcome="unauthenticated" 5'
  ])
  t.notMatch(log(), 'canary-key')
})

t.test('STRICT=report signs and logs what STRICT would refuse', async t => { // the model has record and count
  const { ask, log } = guarded(t, { config: { STRICT: 'report' } })
  t.match(await ask({ amount: 900.5 }), [200, 'signed'])
  t.match(await ask(), [200, 'signed'])
  t.equal(log().split('"code":"strict","field":"amount",').length, 2)
})

const failure = () => new Error('canary: 102551')

t.test('an audit function that fails costs the signature', async t => {
  for (const [what, audit] of [
    ['throws', () => { throw failure() }],
    ['rejects', async () => { throw failure() }],
    ['returns a promise of another realm that rejects', () => runInNewContext('Promise.reject(new Error("canary: 102551"))')],
    ['returns an object whose member then cannot be read', () => ({ get then () { throw failure() } })]
  ] as const) {
    const { app, log, metrics, ask, counted } = guarded(t, { audit })
    for (let count = 0; count < 2; count++) {
      const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload: request })
      t.strictSame([response.statusCode, response.body.includes(signature)], [503, false], what)
    }
    t.match(await ask({ amount: '0' }), [400], 'a refusal gives nothing away')
    t.equal(log().split('decisions cannot be recorded: the audit failed').length, 2, 'one line')
    t.notMatch(log(), 'canary')
    t.match(await metrics(), /^payment_signature_audit_lines_lost_total 3$/m)
    t.match(await counted(), ['variant="A",operation="purchase",outcome="unavailable" 2'])
  }
})
