import t from 'tap'
import { differencesFromModel } from '../proof/model.js'

t.test('the service responds as the model of its documents predicts', async t => {
  const end = performance.now() + 20_000
  const { requests, configurations, outcomes, differences } =
    await differencesFromModel(t, Date.now(), () => performance.now() > end)
  t.strictSame(differences, [])
  t.comment(`${requests} requests to ${configurations} configurations, ${outcomes.size} outcomes`)
})
