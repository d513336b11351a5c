import t from 'tap'
import { testApp } from '../../support/app.js'
import { overload, recovered } from '../../support/overload.js'

t.test('a blocked event loop is overload, and it passes', async t => {
  const { app } = testApp(t)
  await app.ready()
  t.equal(app.isOverloaded(), false)
  await overload(app)
  t.equal(app.isOverloaded(), true)
  await recovered(app)
  t.equal(app.isOverloaded(), false)
})
