import t from 'tap'
import { flags, refuses, run } from '../../support/command-line.js'

t.test('each term, both parts and warnings are shown', async t => {
  const { code, stdout, stderr } = await run(['explain', ...flags, '--amount', '100', '--transaction-id', '1'])
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
  const { stdout: painted } = await run(['explain', ...flags, '--amount', '100', '--transaction-id', '1'], { isTTY: true })
  const titles = painted.split('\x1b[1m').slice(1).map(piece => piece.split('\x1b[22m')[0])
  t.strictSame(titles, ['variant A, purchase', 'part 1', 'part 2', 'signature'])
})

t.test('variant B, without a token', async t => {
  const { code, stdout } = await run(
    ['explain', ...flags.slice(2), '--sid', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', '--variant', 'B', '--bytes'], { env: {} })
  t.equal(stdout, `variant B
  clientTimeStamp  "1709912345678"                         clientTimeStamp
  sid              "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11"  sid
  amount           "100.00"                                amount
  referenceNumber  "ORDER-12345"                           orderId
  merchantToken    "<merchantToken>"                       the configured token
  accountNumber    "102551"                                merchantAccountNumber

part 1 = sha256(clientTimeStamp + sid + amount + referenceNumber)
  text    17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00ORDER-12345
  bytes   3137303939313233343536373835663063356634652d396330622d346134332d386436652d3064396633643061376231313130302e30304f524445522d3132333435
  digest  9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9

part 2 = sha256(clientTimeStamp + merchantToken + accountNumber + amount + referenceNumber)
  text    1709912345678<merchantToken>102551100.00ORDER-12345
  bytes   31373039393132333435363738<merchantToken>3130323535313130302e30304f524445522d3132333435
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
  t.notMatch((await run(['explain', '--json'], { stdin })).stdout, /[\x00-\x09\x0b-\x1f\u202e]/) // eslint-disable-line no-control-regex
})

t.test('as JSON', async t => {
  const { stdout } = await run(['explain', ...flags, '--json'], { env: {} })
  t.match(JSON.parse(stdout), {
    variant: 'A',
    operation: 'purchase',
    terms: [{ name: 'clientTimeStamp', text: '1709912345678', source: 'clientTimeStamp' }],
    part1: { digest: '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db' },
    part2: { preImage: '1709912345678ORDER-12345<merchantToken>102551100.00', digest: null },
    signature: null,
    warnings: []
  })
})

t.test('a request that cannot be signed', async t => {
  await refuses(t, ['explain', '--amount', '1.00'], 'merchantAccountNumber or accountNumber is required', {}, 1)
})
