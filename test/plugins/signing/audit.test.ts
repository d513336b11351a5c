import t from 'tap'
import { testApp } from '../../support/app.js'

const send = (payload: object | string) => ({
  method: 'POST',
  url: '/api/generate-signature',
  payload,
  headers: { 'content-type': 'application/json', 'x-request-id': 'id-1' }
}) as const

const request = {
  operationType: 'purchase',
  amount: '100.00',
  merchantAccountNumber: '102551',
  orderId: 'ORDER-12345',
  sid: 'client-generated-session-id',
  clientTimeStamp: 1709912345678,
  merchantToken: 'canary-token'
}

const decisions = (log: string) =>
  log.split('\n').filter(line => line.includes('"decision"')).map(line => JSON.parse(line))

t.test('AUDIT=true has a line for a signature', async t => {
  const { app, log } = testApp(t, { config: { AUDIT: true } })
  await app.inject(send(request))
  const [{ reqId, msg, audit }, ...others] = decisions(log())
  t.equal(reqId, 'id-1')
  t.equal(msg, 'decision')
  t.strictSame(others, [])
  t.strictSame(audit, {
    outcome: 'signed',
    caller: 'anonymous',
    variant: 'A',
    operation: 'purchase',
    accountNumber: '102551',
    orderId: 'ORDER-12345',
    amount: '100.00',
    sidSha256: '9906215bc0b38eda1a0ca3e64290c1b8a8468d9c981132a8a2a4c45e65375647' // printf '%s' client-generated-session-id | sha256sum
  })
  t.notMatch(log(), /canary-token|client-generated-session-id/)
})

t.test('and for a refusal, with the reason', async t => {
  const { app, log } = testApp(t, { config: { AUDIT: true } })
  await app.inject(send({ ...request, amount: '0', orderId: { a: 'canary' }, sid: 7 }))
  t.match(decisions(log()), [{
    audit: { outcome: 'invalid', reason: 'Invalid amount: amount must be greater than 0', operation: 'unknown' }
  }])
  t.notMatch(log(), 'canary')
})

t.test('also when there was no body to read', async t => {
  const { app, log } = testApp(t, { config: { AUDIT: true } })
  for (const body of ['{', 'null', '[]', '"text"']) await app.inject(send(body))
  t.same(decisions(log()).map(({ audit }) => audit.outcome), ['invalid', 'invalid', 'invalid', 'invalid'])
})

t.test('values are cut off, numbers are text', async t => {
  const { app, log } = testApp(t, { config: { AUDIT: true } })
  await app.inject(send({ ...request, orderId: 'x'.repeat(1000), amount: 1.5, merchantAccountNumber: 0, accountNumber: 7 }))
  t.match(decisions(log()), [{ audit: { orderId: 'x'.repeat(64), amount: '1.5', accountNumber: '7' } }])
})

t.test('variant B has no operations, and an order id as its reference', async t => {
  const { app, log } = testApp(t, { config: { AUDIT: true, VARIANT: 'B' } })
  await app.inject(send({ ...request, operationType: 'void', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11' }))
  await app.inject(send(request))
  t.match(decisions(log()), [
    { audit: { outcome: 'signed', variant: 'B', operation: 'purchase', orderId: 'ORDER-12345', amount: '100.00' } },
    { audit: { outcome: 'failed', variant: 'B', operation: 'purchase', reason: 'sid must be a valid GUID (UUID v4)' } }
  ])
})

t.test('by default there is none', async t => {
  const { app, log } = testApp(t)
  await app.inject(send(request))
  t.strictSame(decisions(log()), [])
  t.notMatch(log(), '102551')
})
