import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { readerOf } from '../../../src/scheme/variants.js'
import { Attempt } from '../../../src/signing/attempt.js'
import { policyGuard } from '../../../src/signing/policy-guard.js'
import { CallerLabels } from '../../../src/signing/decision-metrics.js'
import { modesOf } from '../../../src/settings/modes.js'
import { defaults, type Environment } from '../../../src/settings/settings.js'
import { testApp } from '../../support/app.js'
import { backend } from '../../support/backend.js'
import { officeKey } from '../../support/example.js'
import { portOf } from '../../support/http.js'
import { replaceFile } from '../../support/replace-file.js'
import { whole } from '../../support/whole.js'

const url = '/api/generate-signature'
const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const purchase = { amount: '100.00', merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }

const policy = JSON.stringify({
  callers: [
    { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' },
    { name: 'office', apiKeySha256: officeKey, operations: ['refund'], accountNumbers: ['102551'] }
  ]
})

const onlyOffice = JSON.stringify({ callers: JSON.parse(policy).callers.slice(1) })

function policyApp (t: Test, text = policy, config: Partial<Environment> = {}) {
  const POLICY_FILE = join(t.testdir({ 'policy.json': text }), 'policy.json')
  return testApp(t, { config: { AUDIT: 'true', POLICY_FILE, ...config } })
}

const send = (payload: object | string, authorization?: string) => ({
  method: 'POST',
  url,
  payload,
  headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) }
}) as const

t.test('a clear cache has one name for policy, backend, audit and metrics, and shares its right with the inquiry without an id', async t => {
  const { merchantAccountNumber, clientTimeStamp } = purchase
  const account = { merchantAccountNumber, sid, clientTimeStamp }
  const [bare, clearCache, inquiry] = [account, { ...account, operationType: 'clearCache' }, { ...account, operationType: 'inquiry' }]
  const asked: unknown[] = []
  const AUTHORIZE_URL = await backend(t, async (incoming, response) => {
    asked.push(await text(incoming))
    response.writeHead(204).end()
  })
  const permitting = (...operations: string[]) =>
    policyApp(t, policy.replace('["refund"]', JSON.stringify(operations)), { AUTHORIZE_URL, ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1' })
  const answers = async ({ app }: Pick<ReturnType<typeof testApp>, 'app'>, ...bodies: object[]) =>
    (await Promise.all(bodies.map(body => app.inject(send(body, 'Bearer key-of-the-office')))))
      .map(response => [response.statusCode, response.json().error ?? response.json().signature])

  t.strictSame(await answers(permitting('purchase', 'refund', 'void', 'inquiry'), clearCache, bare), [
    [403, 'caller "office" may not sign a clear cache: the right "clear-cache" is missing (operations)'],
    [400, 'amount is required for a purchase; for clear cache, send operationType clearCache']
  ])
  t.strictSame(asked, [])
  const { app, log } = permitting('clear-cache')
  const signature = '073332f50642ae83005ce45ddd9187dd966fb0f7fcf621ae0b82d53858760ab1///' +
    '01b7fc982214937d1ec70c57550a2c2f0b077feb7f7fb59fff6c4a437926c0dd'
  t.strictSame(await answers({ app }, clearCache), [[200, signature]])
  t.strictSame(asked, ['{"operationType":"clear-cache","merchantAccountNumber":"102551",' +
    `"sid":"${sid}","clientTimeStamp":1709912345678,"alsoSignedLike":"inquiry","caller":"office","clientAddress":"127.0.0.1"}`])
  t.match(log(), '"outcome":"signed","caller":"office","apiKey":"0b1de6","clientAddress":"127.0.0.1","variant":"A",' +
    '"operation":"clear-cache","accountNumber":"102551","alsoSignedLike":"inquiry"')
  t.match(await app.metrics?.metrics(),
    'payment_signature_decisions_total{variant="A",operation="clear-cache",outcome="signed",caller="office"} 1')
  t.strictSame(await answers({ app }, inquiry), [[200, signature]])
  t.strictSame(await answers(permitting('inquiry-without-id'), clearCache, inquiry, purchase), [
    [200, signature], [200, signature], [403, 'caller "office" may not sign this operation (operations)']
  ])
})

t.test('who has no known key is refused before the body is read, but not preflights and probes', async t => {
  const closed = policyApp(t, onlyOffice)
  await closed.app.ready() // the next policy has the same path
  const open = policyApp(t)
  for (const [{ app }, authorization, code, challenge] of [
    [closed, undefined, 'api-key-required', 'Bearer'],
    ...['key-of-the-office', 'Bearer two keys', 'Basic a2V5', ''].map(text => [open, text, 'api-key-required', 'Bearer'] as const),
    [open, 'Bearer canary-key', 'api-key-unknown', 'Bearer error="invalid_token"']
  ] as const) {
    const { statusCode, headers } = await app.inject(send('{', authorization))
    t.strictSame([statusCode, headers['error-code'], headers['www-authenticate']], [401, code, challenge], String(authorization))
  }
  t.notMatch(open.log(), /canary-key|key-of-the-office/)
  t.match(open.log(), '"outcome":"unauthenticated","reason":"The API key is not known","caller":"unknown"')
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  t.equal((await closed.app.inject({ method: 'OPTIONS', url, headers })).statusCode, 204)
  t.equal((await closed.app.inject('/health')).statusCode, 200)
})

t.test('a key that the documentation shows is a warning, and stops the start in production', async t => {
  const known = policy.replace(officeKey, 'c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e')
  const { app, log } = policyApp(t, known)
  await app.ready()
  t.match(log(), /"level":40.*POLICY_FILE: caller \\"office\\": the documentation shows its key/)
  const { app: production } = policyApp(t, known, { NODE_ENV: 'production', MERCHANT_TOKEN: 'a token of production' })
  await t.rejects(async () => production.ready(), { message: /^POLICY_FILE is ".*": caller "office": the documentation shows its key/ })
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

  /** Returns an app that reloads its policy every five milliseconds. */
  function reloadingApp (t: Test, config = {}) {
    const path = join(t.testdir({ 'policy.json': policy }), 'policy.json')
    return { path, ...testApp(t, { config: { POLICY_FILE: path, ...config }, pollInterval: 5 }) }
  }

  const messages = (log: string) => log.split('\n').slice(0, -1).map(line => JSON.parse(line))
    .filter(({ msg }) => !/^request/.test(msg)).map(({ level, msg }) => [level, msg])

  t.test('a new policy applies from the next request; an invalid one is ignored, with a log line for each fault', async t => {
    const { app, path, log, says } = reloadingApp(t)
    await app.ready()
    const status = async () => (await app.inject(send(purchase))).statusCode
    t.equal(await status(), 200)
    replaceFile(path, onlyOffice)
    await says('replaced')
    t.equal(await status(), 401)
    replaceFile(path, JSON.stringify(JSON.parse(policy), null, 2))
    await says('replaced', 2)
    const faults = [
      ['{"callers":[]}', 'callers must be a list of at least one caller'],
      [policy.replace('"500.00"', '"500"'), 'callers.0.maximumAmount must be an amount such as "100.00"']
    ] as const
    for (const [text] of [[policy], ...faults]) { // white space is not reported
      replaceFile(path, text)
      for (let count = 0; count < 3; count++) await app.watchedFiles[0]?.reload(false)
      t.equal(await status(), 200)
    }
    t.strictSame(messages(log()), [
      [30, 'the policy was replaced, 1 caller'], [30, 'the policy was replaced, 2 callers'],
      ...faults.map(([, fault]) => [50, `POLICY_FILE is "${path}": ${fault}; keeping the current policy, 2 callers`])
    ])
  })

  t.test('a body that arrives after the caller is gone gets no signature', async t => {
    const { app, path, says } = reloadingApp(t)
    const port = await portOf(app)
    const body = JSON.stringify({ ...purchase, operationType: 'refund', transactionFCRN: '987654' })
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n' +
      `Authorization: Bearer key-of-the-office\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
    await once(socket, 'data') // 100 Continue: its key was found
    replaceFile(path, JSON.stringify({ callers: callers.slice(0, 1) }))
    await says('replaced')
    socket.write(body)
    t.match((await socket.toArray()).join(''), /^HTTP\/1\.1 401 Unauthorized\r\n/m)
  })

  t.test('a policy that is an object is not reloaded; whoever comes without rules is refused', async t => {
    const app = Fastify()
    t.teardown(() => app.close())
    const watchedFiles: Array<{ reload (): Promise<void> }> = []
    const options = { ...defaults, policy: JSON.parse(policy), watchedFiles }
    const signing = { variant: 'A', reader: readerOf('A'), merchants: undefined } as const
    const guard = await policyGuard(app, { ...options, ...signing, modes: modesOf(options) }, new CallerLabels())
    await app.ready()
    t.strictSame(watchedFiles, [])
    const lost = new Attempt({ headers: {}, ip: '127.0.0.1' } as FastifyRequest)
    t.match(guard?.judge?.(lost, readerOf('A').read(purchase)), { code: 'api-key-required' })
  })
})

// Wrong keys are counted by address.

const right = 'Bearer key-of-the-office'
const unknown = '{"error":"The API key is not known"}'
const missing = '{"error":"An API key is required: send it as Authorization: Bearer"}'
const tooMany = '{"error":"Too many requests without a known API key: try again in 60 seconds"}'

/**
 * An app behind a proxy, and a function that requests a refund as a client at an address and returns status and body.
 * The clock is stopped until a test moves it.
 */
function guessedApp (t: Test, config: Partial<Environment> = {}, text = onlyOffice) {
  const clock = { now: 1000 }
  t.intercept(performance, 'now', { value: () => clock.now })
  const { app, log } = policyApp(t, text, { AUDIT: 'false', TRUST_PROXY: '127.0.0.1', ...config })
  async function ask (authorization?: string, address = '192.0.2.1') {
    const { headers, ...rest } = send({ ...purchase, operationType: 'refund', transactionFCRN: '987654' }, authorization)
    const { statusCode, body } = await app.inject({ ...rest, headers: { ...headers, 'x-forwarded-for': address } })
    return [statusCode, statusCode === 200 ? 'signed' : body]
  }
  return { app, log, ask, clock }
}

t.test('wrong keys get 429 after the limit, and the right key a signature', async t => {
  const { app, ask } = guessedApp(t)
  for (let sent = 0; sent < 20; sent++) t.strictSame(await ask(`Bearer guess-${sent}`), [401, unknown])
  for (let sent = 0; sent < 5; sent++) {
    t.strictSame(await ask(`Bearer guess-${sent}`), [429, tooMany])
    t.strictSame(await ask(right), [200, 'signed'])
  }
  t.strictSame(await ask('Bearer guess', '192.0.2.2'), [401, unknown], 'another address')
  const headers = { authorization: 'Bearer guess', origin: 'https://shop.example', 'x-forwarded-for': '192.0.2.1' }
  t.match((await app.inject({ method: 'POST', url, payload: '{', headers })).headers, {
    'retry-after': '60', 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*'
  })
})

t.test('a right key is not counted and does not reset the count, which restarts after a minute', async t => {
  const { ask, clock } = guessedApp(t)
  const guess = async (address?: string) => { for (let sent = 0; sent < 20; sent++) t.strictSame(await ask('Bearer guess', address), [401, unknown]) }
  for (let sent = 0; sent < 3; sent++) t.strictSame(await ask(right), [200, 'signed'])
  await guess()
  t.strictSame(await ask(right), [200, 'signed'])
  clock.now += 59_500
  t.strictSame(await ask('Bearer guess'), [429, tooMany.replace('60 seconds', '1 second')])
  clock.now += 500
  await guess()
  t.strictSame(await ask('Bearer guess'), [429, tooMany])
  await guess('2001:db8:0:1::1')
  t.strictSame(await ask('Bearer guess', '2001:db8:0:1::2'), [429, tooMany], 'addresses are counted as in the rate limit')
})

t.test('a missing key counts as a wrong key, unless the policy has an anonymous caller', async t => {
  const { ask } = guessedApp(t)
  for (let sent = 0; sent < 10; sent++) {
    t.strictSame(await ask(), [401, missing])
    t.strictSame(await ask('Basic guess'), [401, missing])
  }
  t.strictSame(await ask(), [429, tooMany])
  const { ask: askOpen } = guessedApp(t, {}, policy)
  for (let sent = 0; sent < 21; sent++) t.match(await askOpen(), [403])
  for (let sent = 0; sent < 20; sent++) t.strictSame(await askOpen('Bearer guess'), [401, unknown])
  t.strictSame(await askOpen('Bearer guess'), [429, tooMany])
  t.match(await askOpen(), [403, 'caller \\"anonymous\\" may not sign this operation'])
})

// Strict fields, with and without a policy.

t.test('a repeated field is refused with its name', async t => {
  const { app: open } = testApp(t)
  const { app: strict } = testApp(t, { config: { STRICT: true } })
  const sent = JSON.stringify(purchase).slice(1)
  for (const [first, statusCode, error] of [
    ['"amount":"1.00"', 400, 'amount must be given only once'],
    ['"\\u0061mount":"100.00"', 400, 'amount must be given only once'],
    ['"sid":null,"a":[{"sid":1}]', 400, 'sid must be given only once'],
    ['"merchantToken":"","merchantToken":""', 400, 'merchantToken must be given only once'],
    ['"amount":"1.00","amount":"1.00","sid":null,"sid":null,"a":[{}]', 400, 'amount must be given only once'],
    ['"amount":"0","sid":"x","amount":"0"', 400, 'amount must be given only once'],
    ['"a":{"amount":1,"amount":2},"a":[{"sid":"s"}],"\\u0022":"\\",\\"amount\\":"', 200, undefined]
  ] as const) {
    t.equal((await open.inject(send(`{${first},${sent}`))).statusCode, 200, first)
    const response = await strict.inject(send(`{${first},${sent}`))
    t.strictSame([response.statusCode, response.json().error], [statusCode, error], first)
  }
  t.match((await strict.inject(send(`{"sid":"s",${sent.replace('"100.00"', '"0"')}`))).body, 'Invalid amount', 'the specification comes first')
})
