import t from 'tap'
import { testApp } from '../../support/app.js'

const request = { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
const send = (payload: object) => ({ method: 'POST', url: '/api/generate-signature', payload }) as const

t.test('ACCEPT_BODY_TOKEN=false refuses a merchantToken that would be used', async t => {
  const { app, log } = testApp(t, { config: { ACCEPT_BODY_TOKEN: false } })
  for (const merchantToken of ['canary-token', 7, true, {}]) {
    const response = await app.inject(send({ ...request, merchantToken }))
    t.equal(response.statusCode, 400)
    t.same(response.json(), { error: 'merchantToken is not accepted: leave it out' })
  }
  t.notMatch(log(), 'canary-token')
  for (const merchantToken of [undefined, null, '', 0, false]) {
    t.equal((await app.inject(send({ ...request, merchantToken }))).statusCode, 200)
  }
})

t.test('by default it is accepted', async t => {
  const { app } = testApp(t)
  t.equal((await app.inject(send({ ...request, merchantToken: 'mine' }))).statusCode, 200)
})
