import t, { type Test } from 'tap'
import { customSigner } from '../../support/custom-signer.js'
import { SigningError } from '../../../src/scheme/errors.js'
import type { Environment } from '../../../src/configuration/settings.js'
import { testApp } from '../../support/app.js'
import { answering, backend } from '../../support/backend.js'

t.test('decision metrics', async t => {
  const url = '/api/generate-signature'
  const json = { 'content-type': 'application/json' }
  const fields = { accountNumber: '1', sid: 's', clientTimeStamp: 1 }

  /** Returns the series that count one request. */
  async function decisions (t: Test, payload: object | string, config: Partial<Environment> = {}, headers = {}) {
    const { app } = testApp(t, { config: { ADMIN_PORT: '0', ...config } })
    await app.inject({ method: 'POST', url, payload, headers: { ...json, ...headers } })
    return [...(await app.metrics?.metrics() ?? '').matchAll(/^payment_signature_decisions_total(.*)$/gm)]
      .map(([, found]) => found).filter(found => !found?.endsWith(' 0'))
  }

  for (const [what, payload, operation, outcome, config, headers] of [
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
    ['malformed JSON', '{', 'unknown', 'invalid'],
    ['another content type', 'a=1', 'unknown', 'invalid', {}, { 'content-type': 'text/plain' }],
    ['a body that is too large', fields, 'unknown', 'invalid', { BODY_LIMIT: 3 }]
  ] as Array<[string, object | string, string, string, Partial<Environment>?, object?]>) {
    t.test(`${what} is counted as ${operation}, ${outcome}`, async t => {
      t.strictSame(await decisions(t, payload, config, headers), [`{variant="A",operation="${operation}",outcome="${outcome}",caller="anonymous"} 1`])
    })
  }

  for (const [status, outcome] of [
    [400, 'invalid'], [401, 'unauthenticated'], [402, 'refused'], [403, 'forbidden'], [409, 'refused'], [413, 'invalid'],
    [415, 'invalid'], [417, 'refused'], [429, 'rate_limited'], [500, 'unavailable']
  ] as const) {
    t.test(`a backend that answers with ${status} is counted as ${outcome}`, async t => {
      t.strictSame(await decisions(t, fields, { AUTHORIZE_URL: await backend(t, answering(status)) }),
        [`{variant="A",operation="purchase",outcome="${outcome}",caller="anonymous"} 1`])
    })
  }

  for (const [what, thrown, outcome] of [
    ['fails', new Error('the module does not answer'), 'failed'],
    ['fails with its own message', new SigningError('ERR_SIGNING_FAILED', 'no key for this account'), 'failed'],
    ['refuses the sid', new SigningError('ERR_SID_INVALID', 'sid must be a valid GUID (UUID v4)'), 'invalid']
  ] as const) {
    t.test(`a custom signer that ${what} is counted as ${outcome}, with 500`, async t => {
      const { app } = testApp(t, { config: { ADMIN_PORT: '0' }, signer: customSigner('A', () => { throw thrown }) })
      t.equal((await app.inject({ method: 'POST', url, payload: fields })).statusCode, 500)
      t.match(await app.metrics?.metrics(),
        `payment_signature_decisions_total{variant="A",operation="purchase",outcome="${outcome}",caller="anonymous"} 1\n`)
    })
  }

  t.test('variant B has the operation purchase only', async t => {
    const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
    t.strictSame(await decisions(t, { ...fields, sid, operationType: 'refund' }, { VARIANT: 'b' }),
      ['{variant="B",operation="purchase",outcome="signed",caller="anonymous"} 1'])
  })

  t.test('other routes and methods are not counted', async t => {
    const { app } = testApp(t, { config: { ADMIN_PORT: '0' } })
    await app.inject('/health')
    await app.inject(url)
    await app.inject({ method: 'OPTIONS', url })
    const series = [...(await app.metrics?.metrics() ?? '').matchAll(/^payment_signature_decisions_total.* (\d+)$/gm)]
    t.strictSame([...new Set(series.map(([, value]) => value))], ['0'])
    t.equal(series.length, 5 * 8, 'operations and outcomes, from the start')
  })
})
