import t from 'tap'
import { differencesFromModel } from '../proof/model.js'

t.test('the service responds as the model of its documents predicts', async t => {
  const { requests, configurations, outcomes, differences } = await differencesFromModel(t, 20_000, Date.now())
  t.strictSame(differences, [])
  t.comment(`${requests} requests to ${configurations} configurations, ${outcomes.size} outcomes`)
})
