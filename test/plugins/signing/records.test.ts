import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { SigningError } from '../../../src/scheme/errors.js'
import type { Environment } from '../../../src/service/configuration.js'
import { testApp } from '../../support/app.js'

t.test('audit', async t => {
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
      { audit: { outcome: 'invalid', variant: 'B', operation: 'purchase', reason: 'sid must be a valid GUID (UUID v4)' } }
    ])
  })

  t.test('by default there is none', async t => {
    const { app, log } = testApp(t)
    await app.inject(send(request))
    t.strictSame(decisions(log()), [])
    t.notMatch(log(), '102551')
  })
})

t.test('decision metrics', async t => {
  const url = '/api/generate-signature'
  const json = { 'content-type': 'application/json' }
  const fields = { accountNumber: '1', sid: 's', clientTimeStamp: 1 }

  /** The decisions that were counted after one request. */
  async function decisions (t: Test, payload: object | string, config: Partial<Environment> = {}, headers = {}) {
    const { app } = testApp(t, { config: { ADMIN_PORT: '0', ...config } })
    await app.inject({ method: 'POST', url, payload, headers: { ...json, ...headers } })
    return [...(await app.metrics?.metrics() ?? '').matchAll(/^payment_signature_decisions_total(.*)$/gm)]
      .map(([, found]) => found)
  }

  for (const [what, payload, operation, outcome] of [
    ['a purchase', fields, 'purchase', 'signed'],
    ['a refund', { ...fields, operationType: 'Refund' }, 'refund', 'signed'],
    ['a void', { ...fields, operationType: 'void' }, 'void', 'signed'],
    ['an inquiry', { ...fields, operationType: 'INQUIRY' }, 'inquiry', 'signed'],
    ['an unknown operation', { ...fields, operationType: 'tea' }, 'purchase', 'signed'],
    ['an operation that has no text', { ...fields, operationType: { toString: 1 } }, 'unknown', 'invalid'],
    ['a blank sid', { ...fields, sid: ' ' }, 'unknown', 'invalid'],
    ['a missing field', { operationType: 'void' }, 'unknown', 'invalid'],
    ['an array', [fields], 'unknown', 'invalid'],
    ['null', 'null', 'unknown', 'invalid'],
    ['a text', '"refund"', 'unknown', 'invalid'],
    ['malformed JSON', '{', 'unknown', 'invalid']
  ] as const) {
    t.test(`${what} is counted as ${operation}, ${outcome}`, async t => {
      t.strictSame(await decisions(t, payload), [`{variant="A",operation="${operation}",outcome="${outcome}"} 1`])
    })
  }

  t.test('another content type and a body that is too large are invalid', async t => {
    const counted = ['{variant="A",operation="unknown",outcome="invalid"} 1']
    t.strictSame(await decisions(t, 'a=1', {}, { 'content-type': 'text/plain' }), counted)
    t.strictSame(await decisions(t, fields, { BODY_LIMIT: 3 }), counted)
  })

  for (const [status, outcome] of [
    [400, 'invalid'], [401, 'unauthenticated'], [402, 'refused'], [403, 'forbidden'], [409, 'refused'], [413, 'invalid'],
    [415, 'invalid'], [417, 'refused'], [429, 'rate_limited'], [500, 'unavailable']
  ] as const) {
    t.test(`a backend that answers with ${status} is counted as ${outcome}`, async t => {
      const backend = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
      t.teardown(() => {
        backend.close()
        backend.closeAllConnections()
      })
      await once(backend, 'listening')
      const { port } = backend.address() as AddressInfo
      t.strictSame(await decisions(t, fields, { AUTHORIZE_URL: `http://127.0.0.1:${port}/` }),
        [`{variant="A",operation="purchase",outcome="${outcome}"} 1`])
    })
  }

  for (const [what, thrown, outcome] of [
    ['fails', new Error('the module does not answer'), 'failed'],
    ['fails in its own words', new SigningError('ERR_SIGNING_FAILED', 'no key for this account'), 'failed'],
    ['refuses the sid', new SigningError('ERR_SID_INVALID', 'sid must be a valid GUID (UUID v4)'), 'invalid']
  ] as const) {
    t.test(`a signer of one's own that ${what} is counted as ${outcome}, with 500`, async t => {
      const { app } = testApp(t, { config: { ADMIN_PORT: '0' }, signer: { variant: 'A', sign () { throw thrown } } })
      t.equal((await app.inject({ method: 'POST', url, payload: fields })).statusCode, 500)
      t.match(await app.metrics?.metrics(),
        `payment_signature_decisions_total{variant="A",operation="purchase",outcome="${outcome}"} 1\n`)
    })
  }

  t.test('variant B only knows purchases', async t => {
    const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
    t.strictSame(await decisions(t, { ...fields, sid, operationType: 'refund' }, { VARIANT: 'b' }),
      ['{variant="B",operation="purchase",outcome="signed"} 1'])
  })

  t.test('other routes and methods are not counted', async t => {
    const { app } = testApp(t, { config: { ADMIN_PORT: '0' } })
    await app.inject('/health')
    await app.inject(url)
    await app.inject({ method: 'OPTIONS', url })
    t.notMatch(await app.metrics?.metrics(), 'payment_signature_decisions_total{')
  })
})
