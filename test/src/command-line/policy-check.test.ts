import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { testApp } from '../../support/app.js'
import { run } from '../../support/command-line.js'
import { freePort } from '../../support/free-port.js'
import { portOf } from '../../support/http.js'
import { listen } from '../../../src/service/listen.js'

// printf '%s' key-of-the-office | sha256sum
const digest = '0b1de613ef1d8a750f9092dfe13ce8fd2a2e21424bcf1fdcbf5db7f1402a2553'
const policy = '{"callers":[{"name":"anonymous","anonymous":true,"operations":["purchase"],"accountNumbers":["102551"]},' +
  `{"name":"back-office","apiKeySha256":"${digest}",` +
  '"operations":["refund"],"accountNumbers":["102551"]}]}'
const faulty = policy.replace('"refund"', '"refunds"').replace('}]}', ',"max\u001bAmount":"1.00"}]}')

t.test('one that can be used', async t => {
  const path = join(t.testdir({ 'policy.json': policy }), 'policy.json')
  t.same(await run(['policy', 'check', path]), { code: 0, stdout: '✓ callers: anonymous, back-office\n', stderr: '', terminal: '' })
  const known = policy.replace(digest, 'c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e')
  const { code, stderr } = await run(['policy', 'check', '-'], { stdin: known })
  t.equal(code, 0)
  t.match(stderr, /^payment-signature: warning: caller "back-office": the documentation shows its key/)
  t.equal((await run(['policy', 'check', '-', '--json'], { stdin: policy })).stdout, '{"ok":true,"faults":[],"notes":[]}\n')
})

t.test('each fault is a line', async t => {
  const { code, stdout, stderr } = await run(['policy', 'check', '-'], { stdin: faulty.replace('\u001b', '\\u001b') })
  t.equal(stdout, '✗ callers.1.max\\u{1b}Amount is not known\n' +
    '✗ callers.1.operations.0 must be purchase, refund, void, inquiry or inquiry-without-id\n')
  t.equal(stderr, '')
  t.equal(code, 1)
  const asJson = await run(['policy', 'check', '-', '--json'], { stdin: '{"callers":[]}' })
  t.equal(asJson.stdout, '{"ok":false,"faults":["callers must be a list of at least one caller"],"notes":[]}\n')
  t.equal(asJson.code, 1)
})

t.test('what nobody could have signed under the configuration is a fault', async t => {
  const refunds = '✗ caller "back-office": operations has "refund"; the only operation of variant B is "purchase"\n'
  const accounts = ['anonymous', 'back-office'].map(name => `✗ caller "${name}": accountNumbers has "102551"; ` +
    'an account number must be 8 digits (ACCOUNT_NUMBER_DIGITS)\n')
  const check = async (flags: string[], env = {}) => {
    const { code, stdout } = await run(['policy', 'check', '-', ...flags], { stdin: policy, env })
    return [code, stdout]
  }
  t.strictSame(await check(['--variant', 'B']), [1, refunds])
  t.strictSame(await check([], { VARIANT: 'b' }), [1, refunds])
  t.match(await check(['--variant', 'A'], { VARIANT: 'B' }), [0])
  t.strictSame(await check(['--account-number-digits', '8']), [1, accounts.join('')])
  t.strictSame(await check([], { ACCOUNT_NUMBER_DIGITS: '08' }), [1, accounts.join('')])
  t.match(await check(['--account-number-digits', '6'], { ACCOUNT_NUMBER_DIGITS: '8' }), [0])
})

t.test('it says what callers will be refused who may inquire but not void', async t => {
  const inquiring = policy.replace('["purchase"]', '["purchase","inquiry"]')
  const note = 'caller "anonymous" may inquire but not void: its inquiries by a transactionId of digits only, by FCRN or ORDER_ID, ' +
    'get 403, since their signatures are also those of voids; those by CORRUID, or by an order id with a letter, - or _, are signed'
  const { code, stdout } = await run(['policy', 'check', '-'], { stdin: inquiring })
  t.equal(stdout, `✓ callers: anonymous, back-office\n! ${note}\n`)
  t.equal(code, 0)
  const { stdout: asJson } = await run(['policy', 'check', '-', '--json'], { stdin: inquiring })
  t.strictSame(JSON.parse(asJson), { ok: true, faults: [], notes: [note] })
  t.equal((await run(['policy', 'check', '-'], { stdin: policy.replace('["refund"]', '["inquiry","void"]') })).stdout,
    '✓ callers: anonymous, back-office\n')
  for (const operation of ['refund', 'void']) {
    const { stdout } = await run(['policy', 'check', '-'], { stdin: policy.replace('["purchase"]', `["${operation}"]`) })
    t.equal(stdout, '✓ callers: anonymous, back-office\n! caller "anonymous" may have refunds or voids signed: so may whoever ' +
      'reaches the service, unless AUTHORIZE_URL says no\n')
  }
})

t.test('it says which callers may inquire without an id, and that this lists any period', async t => {
  const stdin = policy.replace('["purchase"]', '["inquiry-without-id"]').replace('["refund"]', '["inquiry-without-id","refund"]')
  const means = 'may inquire without a transactionId: the dates are not signed, so one such signature lists any period of the account'
  t.equal((await run(['policy', 'check', '-'], { stdin })).stdout, '✓ callers: anonymous, back-office\n' +
    `! caller "anonymous" ${means}; so may whoever reaches the service, unless AUTHORIZE_URL says no\n` +
    `! caller "back-office" ${means}\n`)
})

t.test('a key that is given twice is a fault, however it is written', async t => {
  const stdin = policy.replace('"operations":["purchase"]', '"operations":["purchase"],"operation\\u0073":["refund"]')
  const { code, stdout } = await run(['policy', 'check', '-'], { stdin })
  t.equal(stdout, '✗ callers.0.operations is given twice\n')
  t.equal(code, 1)
})

t.test('in production a key that the documentation shows is a fault', async t => {
  const stdin = policy.replace(digest, 'c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e')
  const { code, stdout, stderr } = await run(['policy', 'check', '-'], { stdin, env: { NODE_ENV: 'production' } })
  t.match(stdout, /^✗ caller "back-office": the documentation shows its key/)
  t.equal(stderr, '')
  t.equal(code, 1)
})

t.test('what is no policy file', async t => {
  const cases: Array<[string[], string, Record<string, string>?]> = [
    [['check', '-'], 'standard input is not JSON: see line 2, column 1'],
    [['check', '/nowhere/policy.json'], '/nowhere/policy.json cannot be read (ENOENT)'],
    [['check'], 'usage: payment-signature policy check FILE'],
    [['test', 'policy.json'], 'usage: payment-signature policy check FILE'],
    [['check', '--variant', 'C', '-'], '--variant must be A or B'],
    ...['0', '33', '-1', 'six', '6.0', ''].map((digits): [string[], string] => [
      ['check', `--account-number-digits=${digits}`, '-'], '--account-number-digits must be an integer from 1 to 32'
    ]),
    [['check', '-'], 'ACCOUNT_NUMBER_DIGITS must be an integer from 1 to 32', { ACCOUNT_NUMBER_DIGITS: '' }]
  ]
  for (const [args, message, env = {}] of cases) {
    const { code, stderr } = await run(['policy', ...args], { stdin: '{"callers":1,\n}', env })
    t.equal(stderr, `payment-signature: ${message}\n`)
    t.equal(code, 2)
  }
})

t.test('health check', async t => {
  t.test('healthy, and ready', async t => {
    const { app } = testApp(t)
    const port = await portOf(app)
    const nothing = { code: 0, stdout: '', stderr: '', terminal: '' }
    t.same(await run(['healthcheck', `http://127.0.0.1:${port}/health`]), nothing)
    t.same(await run(['healthcheck'], { env: { PORT: String(port) } }), nothing)
    t.same(await run(['healthcheck', '--ready'], { env: { PORT: String(port) } }), nothing)
    t.equal((await run(['healthcheck', '--json'], { env: { PORT: String(port) } })).stdout,
      '{"ok":true,"status":200,"reason":""}\n')
    app.drain()
    t.same(await run(['healthcheck'], { env: { PORT: String(port) } }), nothing)
    t.same(await run(['healthcheck', '--ready'], { env: { PORT: String(port) } }),
      { ...nothing, code: 1, stderr: 'payment-signature: not healthy: status 503\n' })
  })

  t.test('it follows HOST', async t => {
    const { app } = testApp(t)
    const [url = ''] = await listen(app, ['127.0.0.2'], 0)
    const PORT = new URL(url).port
    t.equal((await run(['healthcheck'], { env: { HOST: '127.0.0.2', PORT } })).code, 0)
    t.equal((await run(['healthcheck'], { env: { HOST: '127.0.0.1', PORT } })).code, 1)
    t.equal((await run(['healthcheck'], { env: { PORT } })).code, 1)
  })

  for (const [HOST, address] of [
    ['0.0.0.0', '127.0.0.1'], ['127.0.0.1', '127.0.0.1'], ['localhost', '127.0.0.1'], ['', '127.0.0.1'],
    ['::', '::1'], ['::1', '::1']
  ] as const) {
    t.test(`HOST=${HOST}`, async t => {
      const { app } = testApp(t)
      const urls = await listen(app, [address], 0).catch(({ cause }) => {
        t.match(cause, { code: 'EADDRNOTAVAIL' }, 'this machine has no IPv6')
        return []
      })
      for (const url of urls) {
        t.equal((await run(['healthcheck'], { env: { HOST, PORT: new URL(url).port } })).code, 0)
      }
    })
  }

  t.test('not healthy', async t => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    t.teardown(() => silent.close())
    await once(silent, 'listening')
    const cases: Array<[string, string]> = [
      [`http://127.0.0.1:${await freePort()}/health`, 'ECONNREFUSED'],
      [`http://127.0.0.1:${(silent.address() as AddressInfo).port}/health`, 'no response within 50 ms']
    ]
    for (const [url, reason] of cases) {
      const { code, stdout, stderr } = await run(['healthcheck', '--timeout', '50', url])
      t.equal(stderr, `payment-signature: not healthy: ${reason}\n`)
      t.equal(stdout, '')
      t.equal(code, 1)
      const { stdout: line } = await run(['healthcheck', '--timeout', '50', '--json', url])
      t.equal(line, `{"ok":false,"status":null,"reason":"${reason}"}\n`)
    }
  })

  t.test('without PORT it is a port too', async t => {
    const { code } = await run(['healthcheck', '--timeout', '1'], { env: {} })
    t.not(code, 2, 'whatever listens there')
  })

  t.test('what cannot be asked', async t => {
    const cases: Array<[string[], string, Record<string, string>?]> = [
      [['localhost:3001'], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'],
      [['http://user:canary@localhost'], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'],
      [['http://:canary@localhost'], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'],
      [['ftp://a/http://b'], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'],
      [['http://a b'], 'the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name or password'],
      [['--ready', 'http://localhost'], '--ready works only with the default URL: pass the URL of /ready instead'],
      [['--timeout', '0', 'http://localhost'], '--timeout must be an integer greater than 0'],
      [[], 'PORT must be a port number', { PORT: 'x' }]
    ]
    for (const [args, message, env = {}] of cases) {
      const { code, stderr } = await run(['healthcheck', ...args], { env })
      t.equal(stderr, `payment-signature: ${message}\n`)
      t.equal(code, 2)
    }
  })
})
