import type { FastifyRequest } from 'fastify'
import t from 'tap'
import type { Attempt } from '../../../../src/guards/attempt.js'
import { entryOf, isAudited, type AuditEntry } from '../../../../src/guards/audit/audit.js'
import { outcomeOf } from '../../../../src/guards/recorder.js'
import { toRefusedError, RefusedError } from '../../../../src/http/refusals.js'
import { nobody } from '../../../../src/merchants/many/many-merchants.js'
import { merchantWith } from '../../../../src/merchants/merchant.js'
import { SigningError } from '../../../../src/scheme/errors.js'
import type { SignatureRequest } from '../../../../src/scheme/request.js'
import { hash256 } from '../../../../src/scheme/signer.js'
import { readerOf, signerOf } from '../../../../src/scheme/variants.js'
import { testApp } from '../../../support/app.js'
import { body } from '../../../support/example.js'

const request = JSON.parse(body)
const token = 'zz9c4e1d2f7a8b3c6d5e4f3a2b1c0d9e8f7a6b5c'
const merchant = merchantWith(signerOf('A', token), token, 'shop-1')

/** Returns the record of a request. */
function recordOf (
  fields: object, attempt: Attempt = {}, refusal?: RefusedError
) {
  const reading = readerOf('A').read({ ...request, ...fields } as SignatureRequest)
  const from = { id: 'req-1', clientAddress: '203.0.113.7' } as FastifyRequest
  const known = { outcome: outcomeOf(refusal), variant: 'A', operation: reading.operation }
  return JSON.parse(JSON.stringify(entryOf(from, { merchant, reading, ...attempt }, known, refusal))).audit
}

t.test('AUDIT=true without a file writes a line to the log for each decision, at every LOG_LEVEL', async t => {
  const { app, log } = testApp(t, { config: { AUDIT: true, LOG_LEVEL: 'silent' } })
  await app.inject({ method: 'POST', url: '/api/generate-signature', payload: request, headers: { 'x-request-id': 'id-1' } })
  const [line, ...others] = log().trim().split('\n').map(line => JSON.parse(line))
  t.strictSame(others, [])
  t.match(line, { level: 30, pid: process.pid, requestId: 'id-1', msg: 'decision' })
  t.strictSame(line.audit, {
    outcome: 'signed',
    caller: 'anonymous',
    clientAddress: '127.0.0.1',
    variant: 'A',
    operation: 'purchase',
    accountNumber: '102551',
    amount: '100.00',
    orderId: 'ORDER-12345',
    clientTimeStamp: '1709912345678',
    // printf '%s' client-generated-session-id | sha256sum
    sidSha256: '9906215bc0b38eda1a0ca3e64290c1b8a8468d9c981132a8a2a4c45e65375647'
  })
})

const caller = { name: 'office', keyId: '0b1de6', operations: [], accountNumbers: [] }

t.test('members of a record', async t => {
  const inquiry = { operationType: 'inquiry', transactionId: '987654', idType: 'fcrn', amount: 'canary', orderId: 'canary' }
  for (const [what, fields, attempt, expected] of [
    ['the client, and the merchant', {}, {}, { clientAddress: '203.0.113.7', merchant: 'shop-1' }],
    ['a caller with its key, and the user', {}, { caller, user: 'Ünsal Çelik' },
      { caller: 'office', keyId: '0b1de6', user: 'Ünsal Çelik' }],
    ['what STRICT=report reports', {}, { wouldRefuse: new RefusedError('strict', undefined, { field: 'amount' }) }, { wouldRefuse: 'strict; field=amount' }],
    ['a token of the request, which is not shown', { merchantToken: 'canary' }, {}, { merchantToken: 'of the request' }],
    ['the fields of an inquiry', inquiry, {},
      { operation: 'inquiry', transactionId: '987654', idType: 'FCRN', alsoSignedLike: 'void', amount: undefined, orderId: undefined }],
    ['numbers as text', { amount: 1.5, merchantAccountNumber: 0, accountNumber: 7 }, {}, { amount: '1.5', accountNumber: '7' }],
    ['half a surrogate pair', { orderId: 'x\ud800', clientTimeStamp: '\udc00' }, {}, { orderId: 'x\ufffd', clientTimeStamp: '\ufffd' }],
    ['256 characters', { orderId: 'x'.repeat(256) }, {}, { orderId: 'x'.repeat(256) }],
    ['257 characters', { orderId: 'x'.repeat(257) }, {}, {
      // head -c 257 /dev/zero | tr '\0' x | sha256sum
      orderId: `${'x'.repeat(256)}… (257 characters, SHA-256 15eb95a462ee20bd91a415ae2d4aed341288186ddaa2b37908f7d592f0c3f85f)`
    }],
    ['the merchant\'s token in a field', { orderId: `x-${token}` }, {}, { orderId: 'x-[redacted]' }],
    ['the merchant\'s token in a field that is recorded in upper case', { ...inquiry, idType: `x-${token}` }, {}, { idType: 'X-[REDACTED]' }],
    ['the token where a value is cut', { orderId: `${'x'.repeat(240)}${token}${'y'.repeat(20)}` }, {}, {
      orderId: `${'x'.repeat(240)}[redacted]yyyyyy… (300 characters, SHA-256 ${hash256(`${'x'.repeat(240)}${token}${'y'.repeat(20)}`)})`
    }],
    ['digits of an account that nobody has', { merchantAccountNumber: '999999' }, { merchant: nobody },
      { accountNumber: '999999', merchant: undefined }],
    ['an account of nobody that may be a token', { merchantAccountNumber: token }, { merchant: nobody },
      { accountNumber: '[40 characters]' }]
  ] as const) {
    const record = recordOf(fields, attempt)
    t.strictSame(Object.fromEntries(Object.keys(expected).map(name => [name, record[name]])), expected, what)
    t.notMatch(JSON.stringify(record), /canary|zz9c4e1d|client-generated/i)
  }
})

t.test('auditAs is a number, or a text of 1 to 64 printable characters; another value is left out', async t => {
  const users: unknown[] = []
  const audit = ({ audit }: AuditEntry) => { users.push(audit.user) }
  const values = [7, 'x'.repeat(64), 'Ünsal Çelik', undefined, 'x'.repeat(65), '', 'a\nb', 'a\u202eb', 'a\u2028b', NaN, {}]
  for (const auditAs of values) {
    for (const allowed of [true, false]) {
      const { app } = testApp(t, { audit, authorize: () => ({ allowed, auditAs: auditAs as string }) })
      await app.inject({ method: 'POST', url: '/api/generate-signature', payload: request })
    }
  }
  const [number, text, name, ...others] = users.filter((_user, index) => index % 2 === 0)
  t.strictSame([number, text, name, others], ['7', 'x'.repeat(64), 'Ünsal Çelik', Array(8).fill(undefined)])
  t.strictSame(users.filter((_user, index) => index % 2 === 1), [number, text, name, ...others], 'of refusals, too')
})

t.test('a refusal is recorded with its message and the parts of its Error-Code', async t => {
  t.match(recordOf({}, {}, new RefusedError('refused', undefined, { reason: 'LOG_IN' })), { error: 'Refused by the merchant', code: 'refused', reason: 'LOG_IN' })
  t.match(recordOf({}, {}, toRefusedError(new SigningError('ERR_SID_INVALID', 'sid'))), { error: 'sid', code: 'sid-invalid', field: 'sid' })
  t.match(recordOf({}, {}, new RefusedError('policy')), { code: 'policy' })
})

t.test('the outcome of a refusal, and the refusals that are not recorded', async t => {
  t.equal(outcomeOf(undefined), 'signed')
  for (const [refusal, outcome, isLeftOut = false] of [
    [toRefusedError(new SigningError('ERR_SID_INVALID', 'sid')), 'invalid'],
    [new RefusedError('api-key-required'), 'unauthenticated', true],
    [new RefusedError('api-key-unknown'), 'unauthenticated', true],
    [new RefusedError('rate-limit'), 'rate-limit', true],
    [new RefusedError('refused', undefined, { statusCode: 401 }), 'refused'],
    [new RefusedError('refused', undefined, { statusCode: 429 }), 'refused'],
    [new RefusedError('refused', undefined, { statusCode: 503 }), 'unavailable'],
    [new RefusedError('fault'), 'failed']
  ] as const) t.strictSame([outcomeOf(refusal), !isAudited(refusal)], [outcome, isLeftOut], refusal.code)
})
