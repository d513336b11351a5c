import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { readerOf } from '../../../src/scheme/variants.js'
import signing from '../../../plugins/signing/index.js'
import policyPlugin from '../../../plugins/signing/policy-guard.js'
import reportOnly from '../../../plugins/signing/report-only.js'
import reading from '../../../plugins/signing/request-reader.js'
import { defaults } from '../../../src/configuration/settings.js'
import { testApp } from '../../support/app.js'
import { portOf } from '../../support/http.js'
import { whole } from '../../support/whole.js'

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

t.test('a caller without a key, and one with a key', async t => {
  const { app, log } = policyApp(t)
  const key = 'Bearer key-of-the-office'
  const tooMuch = 'caller "anonymous" may not sign an amount above 500.00 (maximumAmount)'
  for (const [request, statusCode, error] of [
    [send(purchase), 200],
    [send({ ...purchase, amount: '500.01' }), 403, tooMuch],
    [send({ ...purchase, operationType: 'refund', transactionFCRN: '987654' }, key), 200],
    [send(purchase, key), 403, 'caller "office" may not sign this operation (operations)'],
    // A policy implies the strict grammar, which follows the rules of the specification.
    [send({ ...purchase, operationType: 'sale' }), 400, 'operationType must be purchase, refund, void or inquiry'],
    [send({ operationType: 'sale' }), 400, 'merchantAccountNumber or accountNumber is required']
  ] as const) {
    const response = await app.inject(request)
    t.strictSame([response.statusCode, response.json().error], [statusCode, error])
    t.equal(response.headers['access-control-allow-origin'], '*')
  }
  t.notMatch(log(), 'key-of-the-office')
})

t.test('an inquiry by digits only, whose signature is also that of a void', async t => {
  const inquiring = (operations: string[]) => policyApp(t, policy.replace('["refund"]', JSON.stringify(operations)))
  const { amount, ...common } = purchase
  const ask = (transactionId: string, idType: string) =>
    send({ ...common, operationType: 'inquiry', transactionId, idType }, 'Bearer key-of-the-office')

  const { app, log } = inquiring(['inquiry'])
  for (const idType of ['FCRN', 'ORDER_ID']) {
    const refused = await app.inject(ask('987654', idType))
    t.equal(refused.statusCode, 403)
    t.same(refused.json(), {
      error: 'caller "office" may not sign this inquiry: its signature is also that of a void on FCRN 987654 (operations)'
    })
  }
  t.equal((await app.inject(ask('O-987654', 'ORDER_ID'))).statusCode, 200)
  t.match(log(), '"idType":"FCRN","alsoSignedLike":"void"')

  const { app: both, log: its } = inquiring(['inquiry', 'void'])
  for (const idType of ['FCRN', 'ORDER_ID']) t.equal((await both.inject(ask('987654', idType))).statusCode, 200)
  t.match(its(), '"outcome":"signed","caller":"office","apiKey":"0b1de6","clientAddress":"127.0.0.1","variant":"A","operation":"inquiry",' +
    '"accountNumber":"102551","transactionId":"987654","idType":"FCRN","alsoSignedLike":"void"')

  const { app: voids } = inquiring(['void'])
  t.equal((await voids.inject(ask('987654', 'FCRN'))).statusCode, 403)
})

t.test('an inquiry without an id needs the right inquiry-without-id, which allows no other request', async t => {
  const statuses = async (operations: string[]) => {
    const { app, log } = policyApp(t, policy.replace('["refund"]', JSON.stringify(operations)))
    const { amount, ...common } = purchase
    const inquiries = [{}, { transactionId: '', idType: 'FCRN' }, { transactionId: 'O-1', idType: 'ORDER_ID' },
      { transactionId: '0f8fad5b-d9cb-169f-2165-70867728950e', idType: 'CORRUID' }]
    const responses = []
    for (const fields of [...inquiries, { operationType: 'void', transactionFCRN: '1' }]) {
      responses.push(await app.inject(send({ ...common, operationType: 'inquiry', ...fields }, 'Bearer key-of-the-office')))
    }
    return { codes: responses.map(({ statusCode }) => statusCode), error: responses[0]?.json().error, log: log() }
  }
  const without = await statuses(['purchase', 'refund', 'void', 'inquiry'])
  t.strictSame(without.codes, [403, 403, 200, 200, 200])
  t.equal(without.error, 'caller "office" may not sign an inquiry without a transactionId: ' +
    'the right "inquiry-without-id" is missing (operations)')
  const only = await statuses(['inquiry-without-id'])
  t.strictSame(only.codes, [200, 200, 403, 403, 403])
  t.match(only.log, '"operation":"inquiry","accountNumber":"102551","clientTimeStamp":"1709912345678"')
  t.strictSame((await statuses(['inquiry', 'inquiry-without-id'])).codes, [200, 200, 200, 200, 403])
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

t.test('a key without Bearer, and another scheme, are told to send a key', async t => {
  const { app, log } = policyApp(t)
  for (const authorization of ['key-of-the-office', 'Bearer', 'Bearer two keys', 'Basic a2V5', 'Token key-of-the-office', '']) {
    const response = await app.inject(send(purchase, authorization))
    t.equal(`${response.statusCode} ${response.headers['error-code']}`, '401 api-key-required', authorization)
    t.equal(response.headers['www-authenticate'], 'Bearer')
  }
  t.notMatch(log(), 'key-of-the-office')
})

t.test('without an anonymous caller a key is required, but not for preflights and probes', async t => {
  const { app } = policyApp(t, JSON.stringify({ callers: JSON.parse(policy).callers.slice(1) }))
  const response = await app.inject(send(purchase))
  t.equal(response.statusCode, 401)
  t.same(response.json(), { error: 'An API key is required: send it as Authorization: Bearer' })
  t.equal(response.headers['www-authenticate'], 'Bearer')
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  t.equal((await app.inject({ method: 'OPTIONS', url, headers })).statusCode, 204)
  t.equal((await app.inject('/health')).statusCode, 200)
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
  const settings = { ...defaults, variant: 'A', reader: readerOf('A'), policy: JSON.parse(policy) } as const
  app.register(reportOnly, settings)
  app.register(reading, settings)
  app.register(policyPlugin, settings)
  await t.rejects(async () => app.ready(), {
    message: whole('a policy needs the plugin strict-guard: without it, the rules compare ambiguous text')
  })
})

t.test('a policy that nobody can use under this configuration stops the start', async t => {
  const POLICY_FILE = join(t.testdir({ 'policy.json': policy }), 'policy.json')
  const { app } = testApp(t, { config: { POLICY_FILE, VARIANT: 'b', ACCOUNT_NUMBER_DIGITS: 8 } })
  await t.rejects(async () => app.ready(), {
    message: whole([
      'caller "anonymous": accountNumbers has "102551"; an account number must be 8 digits (ACCOUNT_NUMBER_DIGITS)',
      'caller "office": operations has "refund"; the only operation of variant B is "purchase"',
      'caller "office": accountNumbers has "102551"; an account number must be 8 digits (ACCOUNT_NUMBER_DIGITS)'
    ].map(fault => `POLICY_FILE is "${POLICY_FILE}": ${fault}`).join('\n'))
  })
})

t.test('reloading the policy', async t => {
  const { callers } = JSON.parse(policy)
  const onlyOffice = JSON.stringify({ callers: callers.slice(1) })

  /** Replaces a file atomically. */
  function replace (path: string, text: string): void {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }

  /** Returns an app that reloads its policy every five milliseconds. */
  function reloadingApp (t: Test, config = {}) {
    const path = join(t.testdir({ 'policy.json': policy }), 'policy.json')
    return { path, ...testApp(t, { config: { POLICY_FILE: path, ...config }, pollInterval: 5 }) }
  }

  const messages = (log: string) => log.split('\n').slice(0, -1).map(line => JSON.parse(line))
    .filter(({ msg }) => !/^request/.test(msg)).map(({ level, msg }) => [level, msg])

  t.test('a new policy applies from the next request', async t => {
    const { app, path, log, says } = reloadingApp(t)
    await portOf(app)
    t.equal((await app.inject(send(purchase))).statusCode, 200)
    replace(path, onlyOffice)
    await says('replaced')
    t.equal((await app.inject(send(purchase))).statusCode, 401)
    replace(path, JSON.stringify(JSON.parse(policy), null, 2))
    await says('replaced', 2)
    t.equal((await app.inject(send(purchase))).statusCode, 200)
    replace(path, policy)
    for (let count = 0; count < 3; count++) await app.watchedFiles[0]?.reload(false)
    t.strictSame(messages(log()), [
      [30, 'the policy was replaced, 1 caller'], [30, 'the policy was replaced, 2 callers']
    ], 'nothing is said of white space')
  })

  t.test('an invalid policy is ignored, with one log line for each fault', async t => {
    const { app, path, log } = reloadingApp(t)
    await app.ready()
    const faults = [
      ['{"callers":[]}', 'callers must be a list of at least one caller'],
      [policy.replace('"500.00"', '"500"'), 'callers.0.maximumAmount must be an amount such as "100.00"'],
      [policy.replace('"refund"', '"refund"],"operations":["void"'), 'callers.1.operations is given twice']
    ] as const
    for (const [text] of faults) {
      replace(path, text)
      for (let count = 0; count < 3; count++) await app.watchedFiles[0]?.reload(false)
      t.equal((await app.inject(send(purchase))).statusCode, 200)
    }
    t.strictSame(messages(log()), faults.map(([, fault]) =>
      [50, `POLICY_FILE is "${path}": ${fault}; keeping the current policy, 2 callers`]))
  })

  t.test('a request in flight is judged by the policy at its arrival', async t => {
    const { app, path, says } = reloadingApp(t)
    const port = await portOf(app)
    const body = JSON.stringify({ ...purchase, operationType: 'refund', transactionFCRN: '987654' })
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n' +
      `Authorization: Bearer key-of-the-office\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
    await once(socket, 'data') // 100 Continue: its key was found
    replace(path, JSON.stringify({ callers: callers.slice(0, 1) }))
    await says('replaced')
    socket.write(body)
    t.match((await socket.toArray()).join(''), /^HTTP\/1\.1 200 OK\r\n/m)
  })

  t.test('a policy that is an object is not reloaded', async t => {
    const app = Fastify()
    t.teardown(() => app.close())
    const watchedFiles: Array<{ reload (): Promise<void> }> = []
    app.register(signing, { ...defaults, variant: 'A', reader: readerOf('A'), policy: JSON.parse(policy), watchedFiles })
    await app.ready()
    t.strictSame(watchedFiles, [])
  })
})
