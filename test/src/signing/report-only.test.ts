import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AppOptions } from '../../../src/app.js'
import type { Environment } from '../../../src/settings/settings.js'
import { testApp } from '../../support/app.js'
import { embedded } from '../../support/embedded.js'
import { officeKey } from '../../support/example.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Request of a shop whose amounts are numbers and whose order IDs have spaces. */
const purchase = { amount: 900.5, merchantAccountNumber: '102551', orderId: 'ORDER 17', sid: 's-1', clientTimeStamp: 1709912345678 }

/** Signature of the purchase, from the specification (4.2): 900.5 is signed as JavaScript writes the number. */
const signature = `${sha256('1709912345678s-1900.5')}///${sha256('1709912345678ORDER 17development-only-token102551900.5')}`

const office = { name: 'office', apiKeySha256: officeKey, operations: ['inquiry', 'void'], accountNumbers: ['102551'] }
const anonymous = { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' }

const folder = t.testdir()
let policies = 0

/** Returns the path of a policy with these callers. */
function policyOf (...callers: object[]): string {
  const path = join(folder, `${++policies}.json`)
  writeFileSync(path, JSON.stringify({ callers }))
  return path
}

/** An app in report mode, and a function that requests signatures and returns what the app responded and recorded. */
function reporting (t: Test, config: Partial<Environment>, options: AppOptions = {}) {
  const { app, log } = testApp(t, { ...options, config: { AUDIT: 'true', ADMIN_PORT: '0', ...config } })
  const ask = (payload: object = purchase, headers = {}) =>
    app.inject({ method: 'POST', url: '/api/generate-signature', payload, headers })

  /** Returns the log's warnings, the audit's codes, and the counters that are not 0. */
  async function reports () {
    const lines = log().split('\n').filter(line => line.includes('"audit"') || line.includes('would be refused'))
      .map(line => JSON.parse(line))
    const warnings = lines.filter(({ audit }) => audit === undefined)
      .map(({ level, guard, code, field, caller, ip }) => [level, guard, code, field, caller, ip])
    const counts = [...(await app.metrics!.metrics()).matchAll(/^payment_signature_would_refuse_total(.*) ([1-9]\d*)$/gm)]
      .map(([, labels, count]) => `${labels} ${count}`)
    return { warnings, audited: lines.flatMap(({ audit }) => audit ? [audit.wouldRefuse] : []), counts }
  }
  return { app, log, ask, reports }
}

const local = '127.0.0.1'
const count = (guard: string, code: string, caller = 'anonymous', times = 1) =>
  `{guard="${guard}",code="${code}",caller="${caller}"} ${times}`

t.test('a guard in the list judges each request and refuses none', async t => {
  const key = (text: string) => ({ authorization: `Bearer ${text}` })
  type Report = [guard: string, code: string, field?: string | undefined, caller?: string]
  const cases: Array<[string, Partial<Environment>, string, Report[], object?]> = [
    ['an unknown key', { POLICY_FILE: policyOf(office, anonymous) }, 'policy',
      [['policy', 'api-key-unknown', undefined, 'unknown'], ['strict', 'strict', 'amount', 'unknown']], key('other')],
    ['a known key', { POLICY_FILE: policyOf(office) }, 'policy',
      [['strict', 'strict', 'amount', 'office'], ['policy', 'policy', undefined, 'office']], key('key-of-the-office')],
    ['Redis is down', { RATE_LIMIT_MAX: 9, RATE_LIMIT_FAIL: 'closed', REDIS_URL: 'redis://localhost/?path=/nowhere/redis.sock' }, 'rate-limit',
      [['rate-limit', 'rate-limit-unavailable']]]
  ]
  for (const [what, config, REPORT_ONLY, expected, headers] of cases) {
    t.test(what, async t => {
      const { ask, reports } = reporting(t, { ...config, REPORT_ONLY })
      const response = await ask(purchase, headers)
      t.strictSame([response.statusCode, response.json(), response.headers['error-code']], [200, { signature }, undefined])
      const { warnings, audited, counts } = await reports()
      t.strictSame(warnings, expected.map(([guard, code, field, caller = 'anonymous']) => [40, guard, code, field, caller, local]))
      const parameter = (code: string, field?: string) => field ? `; field=${field}` : code === 'policy' ? '; reason=operations' : ''
      t.strictSame(audited, [expected.map(([, code, field]) => code + parameter(code, field)).join(', ')])
      t.strictSame(counts.sort(), expected.map(([guard, code, , caller]) => count(guard, code, caller)).sort())
    })
  }
})

t.test('the counter of each code begins at 0, because rates need a first value', async t => {
  const { app } = reporting(t, {
    ACCEPT_BODY_TOKEN: false,
    POLICY_FILE: policyOf(office),
    RATE_LIMIT_MAX: 1,
    AUTHORIZE_URL: 'http://127.0.0.1:1',
    REPORT_ONLY: 'body-token,strict,policy,rate-limit,authorize'
  })
  await app.ready()
  t.strictSame((await app.metrics!.metrics()).match(/(?<=^payment_signature_would_refuse_total).*/gm), [
    count('body-token', 'body-token', 'anonymous', 0), count('strict', 'strict', 'anonymous', 0),
    ...['policy', 'api-key-required', 'api-key-unknown', 'key-failures'].map(code => count('policy', code, 'anonymous', 0)),
    ...['rate-limit', 'rate-limit-unavailable'].map(code => count('rate-limit', code, 'anonymous', 0)),
    ...['refused', 'authorization-unavailable'].map(code => count('authorize', code, 'anonymous', 0))
  ])
})

t.test('limits count and refuse nothing; repeated reports are counted in the log', async t => {
  const POLICY_FILE = policyOf(office)
  const { app, log, ask, reports } = reporting(t, { POLICY_FILE, RATE_LIMIT_MAX: 21, REPORT_ONLY: 'policy,rate-limit' })
  for (let sent = 0; sent < 23; sent++) t.equal((await ask()).statusCode, 200)
  const { warnings, audited, counts } = await reports()
  t.strictSame(warnings.map(([, , code]) => code), ['api-key-required', 'strict', 'key-failures', 'rate-limit'])
  t.strictSame(audited, [
    ...Array(20).fill('api-key-required, strict; field=amount'), 'key-failures, strict; field=amount',
    ...Array(2).fill('key-failures, rate-limit, strict; field=amount')
  ])
  t.strictSame(counts, [
    count('policy', 'api-key-required', 'anonymous', 20), count('policy', 'key-failures', 'anonymous', 3),
    count('rate-limit', 'rate-limit', 'anonymous', 2), count('strict', 'strict', 'anonymous', 23)
  ])
  await app.close()
  t.match(log(), '"guard":"policy","code":"key-failures","caller":"anonymous","client":"address:127.0.0.1","count":2,"msg":"more requests would be refused"')
})

t.test('a request without a known key counts for its address, not for all strangers together', async t => {
  const { app } = reporting(t, { POLICY_FILE: policyOf(office), RATE_LIMIT_MAX: 1, TRUST_PROXY: local, REPORT_ONLY: 'policy' })
  const ask = async (address: string) => (await app.inject({
    method: 'POST', url: '/api/generate-signature', payload: purchase, headers: { 'x-forwarded-for': address, authorization: 'Bearer x' }
  })).statusCode
  t.strictSame([await ask('192.0.2.1'), await ask('192.0.2.1'), await ask('192.0.2.2')], [200, 429, 200])
})

t.test('a policy that only reports changes no response: neither by its rates nor by its names', async t => {
  const busy = { ...office, operations: ['purchase'], rate: { max: 1, window: 60_000 } }
  const POLICY_FILE = policyOf(busy, { ...anonymous, rate: { max: 1, window: 60_000 } })
  const callers: unknown[] = []
  const authorize: AppOptions['authorize'] = ({ caller }) => {
    callers.push(caller)
    return true
  }
  const key = { authorization: 'Bearer key-of-the-office' }
  for (const [config, statuses] of [
    [{ REPORT_ONLY: 'policy' }, [200, 200, 200, 200]],
    [{ REPORT_ONLY: 'policy', RATE_LIMIT_MAX: 3 }, [200, 200, 200, 429]],
    [{ REPORT_ONLY: 'policy,rate-limit' }, [200, 200, 200, 200]]
  ] as const) {
    const { ask, reports } = reporting(t, { POLICY_FILE, ...config }, { authorize })
    const answers = []
    for (const headers of [key, key, {}, {}]) answers.push((await ask(purchase, headers)).statusCode)
    t.strictSame(answers, statuses, JSON.stringify(config))
    const { counts } = await reports()
    const rates = counts.filter(line => line.includes('guard="rate-limit"'))
    t.equal(rates.length, config.REPORT_ONLY === 'policy' ? 0 : 2, 'a listed rate is reported for both callers')
  }
  t.strictSame(new Set(callers), new Set(['anonymous']))
})

t.test('a list that turns a guard on, or lets a refund pass, is a fault at start', async t => {
  const POLICY_FILE = policyOf(anonymous)
  const faults = [
    ['body-token', {}, 'has body-token, which is not configured'],
    ['strict,policy', {}, 'has strict, which is not configured\nREPORT_ONLY has policy, which is not configured'],
    ['rate-limit', {}, 'has rate-limit, which is not configured'],
    ['rate-limit', { POLICY_FILE }, 'has rate-limit, which is not configured: no caller has a rate'],
    ['authorize', {}, 'has authorize, which is not configured'],
    ['strict', { POLICY_FILE, STRICT: true }, 'has strict, while the policy refuses: an inquiry that serves as a refund would pass; add policy'],
    ['strict, policy', { POLICY_FILE }, undefined],
    ['rate-limit', { POLICY_FILE: policyOf({ ...anonymous, rate: { max: 1, window: 1 } }) }, undefined]
  ] as const
  for (const [REPORT_ONLY, config, fault] of faults) {
    const { app } = testApp(t, { config: { REPORT_ONLY, ...config } })
    const message = await app.ready().then(() => undefined, error => error.message)
    t.equal(message, fault && `REPORT_ONLY ${fault}`)
  }
  const { app } = embedded(t, { reportOnly: 'strict' })
  await t.rejects(async () => app.ready(), { code: 'ERR_OPTIONS', message: 'reportOnly has strict, which is not configured' })
  const { app: decided } = embedded(t, { reportOnly: 'authorize', authorize: () => false })
  t.equal((await decided.inject({ method: 'POST', url: '/api/generate-signature', payload: purchase })).statusCode, 200)
})

t.test('the plugin has the same option, and a token of digits only signs', async t => {
  const options = { variant: 'A', merchantToken: async () => '12345678', strict: true, isProduction: true, audit: true, reportOnly: 'strict' } as const
  const { app, log } = embedded(t, options)
  const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload: purchase })
  t.equal(response.json().signature.split('///')[1], sha256('1709912345678ORDER 1712345678102551900.5'))
  t.match(log(), /"level":40.*"guards that only report and refuse nothing \(REPORT_ONLY\): strict"/)
  t.match(log(), '"guard":"strict","code":"strict","field":"amount"')
  t.match(log(), '"wouldRefuse":"strict; field=amount"')
})

t.test('at start, production has a warning about a token that STRICT cannot use', async t => {
  const { app, log } = testApp(t, { config: { NODE_ENV: 'production', MERCHANT_TOKEN: '1234567890.123456', STRICT: true, REPORT_ONLY: 'strict' } })
  await app.ready()
  t.match(log(), 'STRICT needs a token that has more than digits and points: it cannot refuse before the token is replaced')
})
