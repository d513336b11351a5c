import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testApp } from '../../support/app.js'
import { fieldsWith, refuses, run } from '../../support/command-line.js'
import { portOf } from '../../support/http.js'

t.test('sign reports a request that cannot be signed', async t => {
  await refuses(t, ['sign', ...fieldsWith('sid= ')], 'sid must be a non-empty string', {}, 1)
})

t.test('each term, both parts and warnings are shown', async t => {
  const { code, stdout, stderr } = await run(['explain', ...fieldsWith('amount=100', 'transactionId=1')])
  t.equal(stdout, `variant A, purchase
  clientTimeStamp  "1709912345678"                clientTimeStamp
  sid              "client-generated-session-id"  sid
  amount           "100"                          amount
  referenceNumber  ""                             nothing: a purchase has no reference
  orderIdOrNull    "ORDER-12345"                  orderId
  merchantToken    "<merchantToken>"              the configured token
  accountNumber    "102551"                       merchantAccountNumber

part 1 = sha256(clientTimeStamp + sid + amount + referenceNumber)
  text    1709912345678client-generated-session-id100
  digest  72fcb9a6ae844efeeddc10f5542a0b2bd67f27bf39e6035ea38fbbf0523503e6

part 2 = sha256(clientTimeStamp + orderIdOrNull + merchantToken + accountNumber + amount + referenceNumber)
  text    1709912345678ORDER-12345<merchantToken>102551100
  digest  2858b605fb6f5c3b77e32a269ff34734abb59e1a82ae8d4c038c639dca2f4eae

signature
  72fcb9a6ae844efeeddc10f5542a0b2bd67f27bf39e6035ea38fbbf0523503e6///2858b605fb6f5c3b77e32a269ff34734abb59e1a82ae8d4c038c639dca2f4eae

warning transactionId is given, but a purchase does not use it.
warning amount is not digits, a point and two decimals, as in 100.00.
`)
  t.equal(stderr, '')
  t.equal(code, 0)
  const { stdout: painted } = await run(['explain', ...fieldsWith('amount=100', 'transactionId=1')], { isTTY: true })
  const titles = painted.split('\x1b[1m').slice(1).map(piece => piece.split('\x1b[22m')[0])
  t.strictSame(titles, ['variant A, purchase', 'part 1', 'part 2', 'signature'])
})

t.test('variant B, without a token', async t => {
  const { code, stdout } = await run(
    ['explain', ...fieldsWith('sid=5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11').slice(1), '--variant', 'B'], { env: {} })
  t.equal(stdout, `variant B, purchase
  clientTimeStamp  "1709912345678"                         clientTimeStamp
  sid              "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11"  sid
  amount           "100.00"                                amount
  referenceNumber  "ORDER-12345"                           orderId
  merchantToken    "<merchantToken>"                       the configured token
  accountNumber    "102551"                                merchantAccountNumber

part 1 = sha256(clientTimeStamp + sid + amount + referenceNumber)
  text    17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00ORDER-12345
  digest  9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9

part 2 = sha256(clientTimeStamp + merchantToken + accountNumber + amount + referenceNumber)
  text    1709912345678<merchantToken>102551100.00ORDER-12345
  digest  unknown without the token: set MERCHANT_TOKEN or pass --token-file

signature
  unknown without the token: set MERCHANT_TOKEN or pass --token-file
`)
  t.equal(code, 0)
})

t.test('control characters of a request are shown, not sent to the terminal', async t => {
  const stdin = '{"sid":"\\u001b]0;owned\\u0007","clientTimeStamp":1,"accountNumber":"1","amount":"\\u202e5"}'
  const { stdout } = await run(['explain'], { stdin })
  t.match(stdout, 'text    1\\u{1b}]0;owned\\u{7}\\u{202e}5\n')
  t.notMatch(stdout, /[\x00-\x09\x0b-\x1f\u202e]/) // eslint-disable-line no-control-regex -- it is what must not be there
})

t.test('a request that cannot be signed', async t => {
  await refuses(t, ['explain', 'amount=1.00'], 'merchantAccountNumber or accountNumber is required', {}, 1)
})

// A file of merchants.

process.umask(0o077)

// The digests are those of the Debian program sha256sum.
const request = ['amount=100.00', 'orderId=O-1', 'sid=5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  'clientTimeStamp=1709912345678']
const part2OfFirst = '4e0dbbb63067d522ca31b8ab7247b15b1774fb4a2fe19504cdd22faf28aa98fd'
const part2OfSecond = '8d6fcc1a28e7927bc08f221d32e2cbd33e06bcf9580b9c404e11b04e7f01b649'

function fileOf (t: Test, merchants: object[]): string {
  return join(t.testdir({ 'merchants.json': JSON.stringify({ merchants }) }), 'merchants.json')
}

const merchants = [
  { name: 'shop-1', accountNumbers: ['102551'], token: 'token-of-shop-1-4b7d93' },
  { name: 'shop-2', accountNumbers: ['200417'], token: 'token-of-shop-2-8ce1a5', variant: 'B' }
]

t.test('each command chooses token and variant by the account number', async t => {
  const env = { MERCHANTS_FILE: fileOf(t, merchants), MERCHANT_TOKEN: 'token-of-nobody-4b7d93' }
  const ofNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const given = ['--signature', `${ofNothing}///${part2OfSecond}`]
  const explained = '! part 1 differs, and this explains it'
  for (const [name, args, right, otherwise] of [
    ['sign', [], part2OfSecond, /^(?!.*8d6fcc1a28e7927b)/], ['explain', [], part2OfSecond, /^(?![^]*8d6fcc1a28e7927b)/],
    ['diagnose', given, `${explained}\n✓ part 2 matches\n`, `${explained}\n✗ part 2 differs`]
  ] as const) {
    const ask = (account: string, more: string[] = [], own = {}) =>
      run([name, ...request, `accountNumber=${account}`, ...args, ...more], { env: { ...env, ...own } })
    t.match(await ask('200417'), { stdout: right, stderr: '' }, name)
    t.match((await ask('200417', ['--variant', 'A'])).stdout, otherwise, name)
    if (args.length === 0) t.match(await ask('102551'), { code: 0, stdout: part2OfFirst, stderr: '' })
    t.match(await ask('1'), { code: 2, stdout: '', stderr: 'payment-signature: no merchant has the account number of the request\n' })
    t.match((await ask('200417', [], { MERCHANTS_FILE: '/nowhere' })).stderr, /^payment-signature: MERCHANTS_FILE is "\/nowhere"/)
  }
})

t.test('one source of the token', async t => {
  const path = fileOf(t, merchants)
  await refuses(t, ['sign', ...request, 'accountNumber=102551', '--merchants-file', path, '--token-file', path],
    '--token-file and --merchants-file are both given; leave one out')
  const own = { amount: '1.00', accountNumber: '102551', sid: 's', clientTimeStamp: 1, merchantToken: 'own-token-of-the-request' }
  t.match(await run(['sign', '--merchants-file', path], { stdin: JSON.stringify(own) }), { code: 0 })
})

t.test('check-policy judges as the service with these merchants', async t => {
  const callers = [{ name: 'anonymous', operations: ['purchase'], accountNumbers: ['102551', '200417', '999999'] }]
  const folder = t.testdir({
    'merchants.json': JSON.stringify({ merchants }),
    'policy.json': JSON.stringify({ callers })
  })
  const env = { MERCHANTS_FILE: join(folder, 'merchants.json') }
  const purchase = { amount: '100.00', orderId: 'O-1', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }
  for (const [account, more, expected] of [
    ['102551', { operationType: 'purchase' }, '✓ 200, signed'],
    ['200417', {}, '✓ 200, signed'],
    ['200417', { operationType: 'purchase' }, '✗ 400 strict; field=operationType: '],
    ['999999', {}, '✗ 403 account-number-unknown: the account number is not known'],
    ['300000', {}, '✗ 403 policy; reason=accountNumbers: caller "anonymous" may not sign for this account (accountNumbers)'],
    ['102551', { merchantToken: 'own' }, /✗ 400 [a-z-]+; field=merchantToken: /]
  ] as const) {
    const stdin = JSON.stringify({ ...purchase, merchantAccountNumber: account, ...more })
    const { stdout, stderr } = await run(['check-policy', join(folder, 'policy.json'), '--request', '-'], { env, stdin })
    t.match(stdout, expected)
    t.equal(stderr, '')
  }
})

t.test('doctor checks with the token of the account', async t => {
  const path = fileOf(t, merchants)
  const config = { MERCHANT_TOKEN: undefined, MERCHANTS_FILE: path } as never
  const { app } = testApp(t, { config })
  const url = `http://127.0.0.1:${await portOf(app)}`
  for (const account of ['102551', '200417']) {
    const { stdout } = await run(['doctor', url, '--merchants-file', path, `merchantAccountNumber=${account}`, 'amount=1.00'], { env: {} })
    t.match(stdout, /variant A,B, [^]*signature {2}both parts are right/)
  }
  const { stdout } = await run(['doctor', url, 'merchantAccountNumber=200417', 'amount=1.00'], { env: {} })
  t.match(stdout, 'part 1 is right; to check part 2')
})
