import { join } from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import policyPlugin from '../../../plugins/signing/policy.js'
import reading from '../../../plugins/signing/reading.js'
import { testApp } from '../../support/app.js'

const url = '/api/generate-signature'
const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const purchase = { amount: '100.00', merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }

// printf '%s' key-of-the-office | sha256sum
const officeKey = '0b1de613ef1d8a750f9092dfe13ce8fd2a2e21424bcf1fdcbf5db7f1402a2553'

const policy = JSON.stringify({
  callers: [
    { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' },
    { name: 'office', apiKeySha256: officeKey, operations: ['refund'], accountNumbers: ['102551'] }
  ]
})

function policyApp (t: Test, text = policy) {
  return testApp(t, { config: { AUDIT: 'true', POLICY_FILE: join(t.testdir({ 'policy.json': text }), 'policy.json') } })
}

const send = (payload: object | string, authorization?: string) => ({
  method: 'POST',
  url,
  payload,
  headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) }
}) as const

t.test('an anonymous caller', async t => {
  const { app } = policyApp(t)
  t.equal((await app.inject(send(purchase))).statusCode, 200)
  const refused = await app.inject(send({ ...purchase, amount: '500.01' }))
  t.equal(refused.statusCode, 403)
  t.same(refused.json(), { error: 'caller "anonymous" may not sign an amount above 500.00 (maximumAmount)' })
  t.equal(refused.headers['access-control-allow-origin'], '*')
})

t.test('a caller with a key', async t => {
  const { app, log } = policyApp(t)
  const refund = { ...purchase, operationType: 'refund', transactionFCRN: '987654' }
  t.equal((await app.inject(send(refund, 'Bearer key-of-the-office'))).statusCode, 200)
  const refused = await app.inject(send(purchase, 'Bearer key-of-the-office'))
  t.equal(refused.statusCode, 403)
  t.same(refused.json(), { error: 'caller "office" may not sign this operation (operations)' })
  t.notMatch(log(), 'key-of-the-office')
})

t.test('an unknown key is refused before the body is read', async t => {
  const { app, log } = policyApp(t)
  const response = await app.inject(send('{', 'Bearer canary-key'))
  t.equal(response.statusCode, 401)
  t.same(response.json(), { error: 'The API key is not known' })
  t.equal(response.headers['www-authenticate'], 'Bearer error="invalid_token"')
  t.notMatch(log(), 'canary-key')
  t.match(log(), '"outcome":"unauthenticated","reason":"The API key is not known","caller":"unknown"')
})

t.test('without an anonymous caller a key is required', async t => {
  const { app } = policyApp(t, JSON.stringify({ callers: JSON.parse(policy).callers.slice(1) }))
  const response = await app.inject(send(purchase))
  t.equal(response.statusCode, 401)
  t.same(response.json(), { error: 'An API key is required: send it as Authorization: Bearer' })
  t.equal(response.headers['www-authenticate'], 'Bearer')
})

t.test('preflight and health need no key', async t => {
  const { app } = policyApp(t, JSON.stringify({ callers: JSON.parse(policy).callers.slice(1) }))
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  t.equal((await app.inject({ method: 'OPTIONS', url, headers })).statusCode, 204)
  t.equal((await app.inject('/health')).statusCode, 200)
})

t.test('a policy implies the strict grammar, after the specification\'s own rules', async t => {
  const { app } = policyApp(t)
  const strict = await app.inject(send({ ...purchase, operationType: 'sale' }))
  t.equal(strict.statusCode, 400)
  t.same(strict.json(), { error: 'operationType must be purchase, refund, void or inquiry' })
  t.same((await app.inject(send({ operationType: 'sale' }))).json(), {
    error: 'merchantAccountNumber or accountNumber is required'
  })
})

t.test('a key that the documentation shows is a warning, and stops the start in production', async t => {
  const known = policy.replace(officeKey, 'c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e')
  const { app, log } = policyApp(t, known)
  await app.ready()
  t.match(log(), /"level":40.*POLICY_FILE: caller \\"office\\": the documentation shows its key/)
  const POLICY_FILE = join(t.testdir({ 'policy.json': known }), 'policy.json')
  const { app: production } = testApp(t, { config: { POLICY_FILE, NODE_ENV: 'production', MERCHANT_TOKEN: 'a token of production' } })
  await t.rejects(async () => production.ready(), { message: /^POLICY_FILE is ".*": caller "office": the documentation shows its key/ })
})

t.test('a policy without strict fields stops the start', async t => {
  const app = Fastify()
  app.register(reading, { variant: 'A' })
  app.register(policyPlugin, { policy: JSON.parse(policy) })
  await t.rejects(async () => app.ready(), { message: /^a policy needs the plugin strict/ })
})

t.test('a policy that cannot be used stops the start', async t => {
  const { app } = policyApp(t, '{"callers":[]}')
  await t.rejects(async () => app.ready(), {
    name: 'PolicyError', message: /^POLICY_FILE is ".*": callers must be a list of at least one caller$/
  })
})
