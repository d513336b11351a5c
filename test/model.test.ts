import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { differencesFromModel } from './proof/model.js'
import { root } from './support/server.js'

// The system tests and the proof send more requests, with another seed in each run.

t.test('the order of checks: the service responds as the model of its documents predicts', async t => {
  const { outcomes, differences } = await differencesFromModel(t, 1, configurations => configurations === 40)
  t.strictSame(differences, [])

  const table = readFileSync(join(root, 'docs/calling.md'), 'utf8')
  for (const [step, ...refusals] of [
    [1, '503 overloaded', '401 api-key-required', '401 api-key-unknown', '429 rate-limit'],
    [2, '400 body-invalid', '413 body-too-large', '415 content-type'],
    [4, '400 amount-not-positive', '500 sid-invalid', '500 not-text'],
    [5, '400 body-token', '400 strict'],
    [6, '403 policy'],
    [7, '429 rate-limit'],
    [8, '403 refused', '503 authorization-unavailable']
  ] as const) {
    const [, statuses = ''] = new RegExp(`^\\| ${step} \\|.*\\|([^|]*)\\|$`, 'm').exec(table) ?? []
    for (const refusal of refusals) {
      t.ok(outcomes.has(refusal), `some requests get ${refusal}`)
      t.match(statuses, refusal === '403 refused' ? '4xx' : refusal.slice(0, 3), `step ${step} in docs/calling.md`)
    }
  }
})
