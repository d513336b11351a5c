import t from 'tap'
import { testApp } from '../../support/app.js'
import { overload } from '../../support/overload.js'

t.test('from the start to the end', async t => {
  const { app } = testApp(t)
  app.addHook('onReady', async () => { t.equal(app.unreadiness(), 'starting') })
  await app.ready()
  t.equal(app.unreadiness(), '')
  await overload(app)
  t.equal(app.unreadiness(), 'overloaded')
  app.drain()
  t.equal(app.unreadiness(), 'shutting down', 'which lasts, so it comes first')
})

t.test('closing without draining first', async t => {
  const { app } = testApp(t)
  await app.ready()
  await app.close()
  t.equal(app.unreadiness(), 'shutting down')
})
