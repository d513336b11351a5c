import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testApp } from '../../support/app.js'
import { run } from '../../support/command-line.js'
import { portOf } from '../../support/http.js'

process.umask(0o077)

// The digests are those of the Debian program sha256sum, the key check values those of openssl dgst -hmac.
const request = ['--amount', '100.00', '--order-id', 'O-1', '--sid', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  '--client-time-stamp', '1709912345678', '--account-number']
const part2OfFirst = '4e0dbbb63067d522ca31b8ab7247b15b1774fb4a2fe19504cdd22faf28aa98fd'
const part2OfSecond = '8d6fcc1a28e7927bc08f221d32e2cbd33e06bcf9580b9c404e11b04e7f01b649'

function fileOf (t: Test, merchants: object[]): string {
  return join(t.testdir({ 'merchants.json': JSON.stringify({ merchants }) }), 'merchants.json')
}

const merchants = [
  { name: 'shop-1', accountNumbers: ['102551'], token: 'token-of-shop-1-4b7d93' },
  { name: 'shop-2', accountNumbers: ['200417'], token: 'token-of-shop-2-8ce1a5', variant: 'B' }
]

t.test('kcv prints the key check value of each merchant', async t => {
  const path = fileOf(t, merchants)
  t.match(await run(['kcv', '--merchants', path]), { code: 0, stdout: 'shop-1 221ca6\nshop-2 9b42eb\n', stderr: '' })
  const { stdout } = await run(['kcv', '--json'], { env: { MERCHANTS_FILE: path } })
  t.same(JSON.parse(stdout), { 'shop-1': '221ca6', 'shop-2': '9b42eb' })
  const short = await run(['kcv', '--merchants', fileOf(t, [{ ...merchants[0], token: 'short' }])])
  t.match(short.stderr, 'payment-signature: warning: --merchants: merchant "shop-1": the token has fewer than 16 characters')
})

t.test('verify and diagnose choose token and variant by the account number', async t => {
  const env = { MERCHANTS_FILE: fileOf(t, merchants) }
  const signature = `${'0'.repeat(64)}///${part2OfSecond}`
  for (const name of ['verify', 'diagnose']) {
    const { stdout } = await run([name, ...request, '200417', '--signature', signature], { env })
    t.match(stdout, '✗ part 1 differs\n✓ part 2 matches\n', name)
    const asGiven = await run([name, ...request, '200417', '--variant', 'A', '--signature', signature], { env })
    t.match(asGiven.stdout, '✗ part 1 differs', name)
    const unknown = await run([name, ...request, '1', '--signature', signature], { env })
    t.match(unknown, { code: 2, stderr: 'payment-signature: no merchant has the account number of the request\n' })
    const faulty = await run([name, ...request, '200417', '--signature', signature], { env: { MERCHANTS_FILE: '/nowhere' } })
    t.match(faulty.stderr, /^payment-signature: MERCHANTS_FILE is "\/nowhere"/)
  }
})

t.test('sign and explain choose token and variant by the account number', async t => {
  const env = { MERCHANTS_FILE: fileOf(t, merchants), MERCHANT_TOKEN: 'token-of-nobody-4b7d93' }
  for (const name of ['sign', 'explain']) {
    for (const [account, part2] of [['102551', part2OfFirst], ['200417', part2OfSecond]] as const) {
      t.match(await run([name, ...request, account], { env }), { code: 0, stdout: part2, stderr: '' })
    }
    t.notMatch((await run([name, ...request, '200417', '--variant', 'A'], { env })).stdout, part2OfSecond)
    const unknown = await run([name, ...request, '1'], { env })
    t.match(unknown, { code: 2, stdout: '', stderr: 'payment-signature: no merchant has the account number of the request\n' })
  }
})

t.test('one source of the token, and a line for each fault', async t => {
  const path = fileOf(t, merchants)
  const ofRequest = [...request, '102551', '--merchants', path]
  for (const name of ['sign', 'kcv']) {
    const args = name === 'sign' ? ofRequest : ['--merchants', path]
    t.match(await run([name, ...args, '--token-file', path]),
      { code: 2, stderr: 'payment-signature: --token-file and --merchants are both given; leave one out\n' })
  }
  const own = { amount: '1.00', accountNumber: '102551', sid: 's', clientTimeStamp: 1, merchantToken: 'own-token-of-the-request' }
  t.match(await run(['sign', '--merchants', path, '-'], { stdin: JSON.stringify(own) }), {
    code: 0,
    stderr: 'payment-signature: ' +
    'warning: the merchantToken of the request is not used: the token of merchant "shop-1" takes precedence\n'
  })
  const faulty = fileOf(t, [{ ...merchants[0], keyCheckValue: '000000' }, merchants[0]!])
  t.match(await run(['kcv', '--merchants', faulty]), {
    code: 2,
    stderr: 'payment-signature: --merchants: merchant "shop-1": ' +
    'the token has the key check value 221ca6, not 000000\npayment-signature: --merchants: merchant "shop-1": another'
  })
  const { stderr } = await run(['kcv', '--merchants', faulty, '--json'])
  t.match(JSON.parse(stderr).error, 'not 000000\n--merchants')
})

t.test('policy check judges as the service with these merchants', async t => {
  const callers = [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551', '200417', '999999'] }]
  const folder = t.testdir({
    'merchants.json': JSON.stringify({ merchants }),
    'policy.json': JSON.stringify({ callers }),
    'refunds.json': JSON.stringify({ callers: [{ ...callers[0], operations: ['refund'], accountNumbers: ['200417'] }] })
  })
  const env = { MERCHANTS_FILE: join(folder, 'merchants.json') }
  const purchase = { amount: '100.00', orderId: 'O-1', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }
  for (const [account, more, expected] of [
    ['102551', { operationType: 'purchase' }, '✓ 200, signed'],
    ['200417', {}, '✓ 200, signed'],
    ['200417', { operationType: 'purchase' }, '✗ 400 strict; field=operationType: '],
    ['999999', {}, '✗ 403 account-number-unknown: the account number is not known'],
    ['300000', {}, '✗ 403 policy: caller "anonymous" may not sign for this account (accountNumbers)'],
    ['102551', { merchantToken: 'own' }, '✗ 400 body-token; field=merchantToken: ']
  ] as const) {
    const stdin = JSON.stringify({ ...purchase, merchantAccountNumber: account, ...more })
    const { stdout, stderr } = await run(['policy', 'check', join(folder, 'policy.json'), '--request', '-'], { env, stdin })
    t.match(stdout, expected)
    t.equal(stderr, 'payment-signature: warning: account number 999999: no merchant has it\n')
  }
  t.match(await run(['policy', 'check', join(folder, 'refunds.json'), '--merchants', env.MERCHANTS_FILE], { env: {} }),
    { code: 1, stdout: '✗ caller "anonymous": operations has "refund"; the only operation of variant B is "purchase"\n' })
  const refusing = await run(['policy', 'check', join(folder, 'policy.json'), '--request', '-'], {
    env: { ACCEPT_BODY_TOKEN: 'false' },
    stdin: JSON.stringify({ ...purchase, merchantAccountNumber: '102551', merchantToken: 'own' })
  })
  t.match(refusing.stdout, '✗ 400 body-token')
})

t.test('doctor checks with the token of the account', async t => {
  const path = fileOf(t, merchants)
  const config = { MERCHANT_TOKEN: undefined, MERCHANTS_FILE: path } as never
  const { app } = testApp(t, { config })
  const url = `http://127.0.0.1:${await portOf(app)}`
  for (const account of ['102551', '200417']) {
    const { stdout } = await run(['doctor', url, '--merchants', path, '--merchant-account-number', account], { env: {} })
    t.match(stdout, /health {5}variant A,B, \d+ ms[^]*signature {2}both parts are right/)
  }
  const { stdout } = await run(['doctor', url, '--merchant-account-number', '200417'], { env: {} })
  t.match(stdout, 'part 1 is right; to check part 2')
})
