import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { json, plain, token } from './support/model.js'
import { root } from './support/server.js'
import { explore, surfaces } from './support/surfaces.js'

// The service and the fetch handler respond as the model of the documents predicts, record what they decided, and
// report what STRICT=report would refuse. `test/fuzz` searches longer.

const seen = new Set<string>()

for (const [index, name] of Object.keys(surfaces).entries()) {
  t.test(`the ${name} responds, records and reports as the model of the documents predicts`, async t => {
    const found = await explore(t, name, 1 + index, settings => settings === 18)
    t.strictSame(found.differences, [])
    for (const refusal of found.seen) seen.add(refusal)
  })
}

const steps = [
  [1, '401 api-key-required', '401 api-key-unknown', '429 rate-limit'],
  [2, '400 body-invalid', '413 body-too-large', '415 content-type'],
  [3, '400 amount-not-positive', '500 sid-invalid', '500 not-text'],
  [4, '400 strict'],
  [5, '403 policy'],
  [6, '403 refused', '409 refused', '503 authorization-unavailable']
] as const

t.test('docs/calling.md has the order of checks, and each of them refused some requests', async t => {
  const others = ['503 audit-unavailable', 'would strict']
  for (const refusal of [...steps.flatMap(([, ...refusals]) => refusals), ...others]) t.ok(seen.has(refusal), `some requests get ${refusal}`)
  const table = readFileSync(join(root, 'docs/calling.md'), 'utf8')
  for (const [step, ...refusals] of steps) {
    const [, statuses = ''] = new RegExp(`^\\| ${step} \\|.*\\|([^|]*)\\|$`, 'm').exec(table) ?? []
    for (const refusal of refusals) t.match(statuses, refusal.endsWith(' refused') ? '4xx' : refusal.slice(0, 3), `step ${step}`)
  }
})

t.test('the log and the audit of the service never have the token, wherever a request has it', async t => {
  const { send, decisions, log, close } = surfaces.service!(plain, {
    authorizeUrl: '', file: join(t.testdir(), 'policy.json'), current: () => ({ auditFails: false })
  })
  const request = { amount: '100.00', merchantAccountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }
  const written = [token, encodeURIComponent(token), encodeURIComponent(token).toLowerCase()]
  for (const text of written) {
    for (const [path, expected] of [[`/api/${text}`, 404], [`/api/generate-signature?token=${text}`, 200]] as const) {
      const { status } = await send({ path, payload: JSON.stringify(request), headers: { 'content-type': json } })
      t.equal(status, expected)
    }
    for (const field of ['orderId', 'sid', 'merchantAccountNumber', 'merchantToken', 'amount']) {
      const headers = { 'content-type': json, authorization: `Bearer ${text}`, 'user-agent': text, 'x-request-id': text }
      await send({ payload: JSON.stringify({ ...request, [field]: text }), headers })
    }
  }
  const recorded = decisions()
  t.equal(recorded.length, 18)
  t.match(JSON.stringify(recorded), '[redacted]')
  const all = `${log()}${JSON.stringify(recorded)}`.toLowerCase()
  for (const text of written) t.notOk(all.includes(text.toLowerCase()), text)
  await close()
})
