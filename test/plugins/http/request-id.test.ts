import t from 'tap'
import { requestIdOf } from '../../../plugins/http/request-id.js'
import { testApp } from '../../support/app.js'

t.test('a short and plain X-Request-Id is taken over', async t => {
  const { app, log } = testApp(t)
  await app.inject({ url: '/nowhere', headers: { 'x-request-id': '7f3a-01.A_b' } })
  t.match(log(), '"reqId":"7f3a-01.A_b"')
})

for (const id of ['', 'a b', 'a\tb', 'x'.repeat(65), '"},{"', 'é', '../etc']) {
  t.test(`${JSON.stringify(id)} is not`, async t => {
    t.match(requestIdOf({ headers: { 'x-request-id': id } }), /^req-[0-9a-z]+$/)
  })
}

t.test('our own differ from each other', async t => {
  t.not(requestIdOf({ headers: {} }), requestIdOf({ headers: {} }))
})
