import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { flags, flagsWith, refuses, run } from '../../support/command-line.js'
import { sign, signature } from '../../support/example.js'
import { listening, root, server } from '../../support/server.js'

t.test('sign prints only the signature', async t => {
  t.same(await run(['sign', ...flags]), { code: 0, stdout: `${signature}\n`, stderr: '', terminal: '' })
  t.equal((await run(['sign', ...flags, '--json'])).stdout, `{"variant":"A","signature":"${signature}"}\n`)
})

t.test('sign and verify use variant B', async t => {
  const { stdout } = await run(['sign', ...flagsWith('--sid', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', '--variant', 'B')])
  // printf '%s' 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00ORDER-12345 | sha256sum
  // printf '%s' 1709912345678development-only-token102551100.00ORDER-12345 | sha256sum
  t.equal(stdout, '9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9///3a927f56178f37dd54a59d71097fd3e210a9a0acc9c1cb55df9cb8dfcbcc9af8\n')
})

t.test('sign reports a request that cannot be signed', async t => {
  await refuses(t, ['sign', ...flagsWith('--sid', ' ')], 'sid must be a non-empty string', {}, 1)
})

const seek = 'To find the mistake, run payment-signature diagnose with the same arguments.\n'

t.test('verify accepts a right signature', async t => {
  t.same(await run(['verify', ...flags, '--signature', signature]), {
    code: 0, stdout: '✓ part 1 matches\n✓ part 2 matches\nThe signature matches the request.\n', stderr: '', terminal: ''
  })
  t.equal((await run(['verify', ...flags, '--signature', signature, '--json'])).stdout,
    '{"variant":"A","valid":true,"part1":true,"part2":true,"ownToken":false,"form":[],"refusal":""}\n')
})

t.test('verify names the fields to check for a wrong signature', async t => {
  const cases: Array<[string[], string]> = [
    [['--order-id', 'ORDER-1'], '✓ part 1 matches\n✗ part 2 differs\nThe signature does not match the request: ' +
      `check the token, the account number and, in variant A, the order id.\n${seek}`],
    [['--sid', 'other'], '✗ part 1 differs\n✓ part 2 matches\nThe signature does not match the request: ' +
      `check the sid: part 2 confirms the rest of part 1.\n${seek}`],
    [['--amount', '100'], '✗ part 1 differs\n✗ part 2 differs\nThe signature does not match the request: ' +
      `check the time stamp, the amount and the reference first: both parts contain them.\n${seek}`],
    [['--amount', '0'], '✗ the request cannot be signed: Invalid amount: amount must be greater than 0\n']
  ]
  for (const [args, report] of cases) {
    t.strictSame(await run(['verify', ...flagsWith(...args), '--signature', signature]), { code: 1, stdout: report, stderr: '', terminal: '' })
  }
  const { code, stdout } = await run(['verify', ...flagsWith('--amount', '0', '--signature', signature, '--json')])
  t.equal(stdout, '{"variant":"A","valid":false,"part1":false,"part2":false,"ownToken":false,' +
    '"form":[],"refusal":"Invalid amount: amount must be greater than 0"}\n')
  t.equal(code, 1)
})

const fix = '  → Send the signature as the service returns it: 64 lowercase hexadecimal digits, /// and 64 more.\n'
const right = '✓ part 1 matches\n✓ part 2 matches\nApart from its form, the signature matches the request.\n'
const half = '✓ part 1 matches\n✗ part 2 differs\nThe signature does not match the request.\n'
const neither = '✗ part 1 differs\n✗ part 2 differs\nThe signature does not match the request.\n'
const [part1 = '', part2 = ''] = signature.split('///')

t.test('verify reports faults of the form, and does not blame time stamp or amount', async t => {
  const cases: Array<[string, string]> = [
    [`"${signature}"`, `✗ The signature was in quotes.\n${fix}${right}`],
    [signature.toUpperCase(), `✗ The digests were written in uppercase.\n${fix}${right}`],
    [`${part1}\n///${part2}\n`, `✗ The signature had white space or a line break inside.\n${fix}${right}`],
    [`{"signature":"${signature}"}\n`, '✗ The signature had white space around it.\n' +
      `✗ The whole response was used as the signature, not its field "signature".\n${fix}${right}`],
    [`${part2}///${part1}`, '✗ The parts were in the wrong order.\n' +
      `  → Put part 1, which has the session id, first.\n${right}`],
    [signature.slice(0, -1), `✗ This is not a signature: part 2 has 63 hexadecimal digits, not 64.\n${fix}${half}`],
    [`${signature}///`, '✗ This is not a signature: a signature is 64 hexadecimal digits, /// and 64 more, 131 characters; ' +
      `this has 134.\n${fix}${right}`],
    [part1, `✗ Only part 1 was given.\n  → Send both parts with /// between them.\n${half}`],
    ['0'.repeat(64), `✗ Only one of the two parts was given.\n${fix}${neither}`],
    ['0'.repeat(32), '✗ The digests have 128 bits, not 256.\n' +
      `✗ Only one of the two parts was given.\n  → Use SHA-256.\n${fix}${neither}`],
    [`${'0'.repeat(32)}///${'0'.repeat(32)}`, '✗ The digests have 128 bits, not 256.\n' +
      `  → Use SHA-256.\n${neither}`],
    ['', `✗ This is not a signature: it is empty.\n${fix}${neither}`],
    ['8e55f6…///21a07e…', `✗ This is not a signature: part 1 has "…" at position 7, which is not a hexadecimal digit.\n${fix}${neither}`]
  ]
  for (const [given, report] of cases) {
    t.strictSame(await run(['verify', ...flags, '--signature', given]), { code: 1, stdout: report, stderr: '', terminal: '' })
  }
  t.equal((await run(['verify', ...flags, '--signature', `'${signature}'`, '--json'])).stdout,
    '{"variant":"A","valid":false,"part1":true,"part2":true,"ownToken":false,"form":["The signature was in quotes."],"refusal":""}\n')
  t.match((await run(['verify', ...flagsWith('--amount', '7.00', '--signature', `'${signature}'`)])).stdout,
    `✗ The signature was in quotes.\n${fix}✗ part 1 differs\n✗ part 2 differs\nThe signature does not match the request: check the time stamp`)
})

t.test('verify without a signature is wrong usage', async t => {
  await refuses(t, ['verify', ...flags], 'missing --signature SIGNATURE')
})

t.test('serve runs the service in its own process', async t => {
  const module = pathToFileURL(join(root, 'dist/src/command-line/serve-command.js'))
  const code = `const { command } = await import('${module}'); await command.run([])`
  const service = server(t, {}, { nodeOptions: ['--input-type=module', '--eval', code], isCovered: true })
  const [, port = ''] = await service.says(listening)
  t.same(await sign(port), { signature })
  t.equal(await service.terminate(), 0)
})

t.test('each term, both parts and warnings are shown', async t => {
  const { code, stdout, stderr } = await run(['explain', ...flagsWith('--amount', '100', '--transaction-id', '1')])
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
  const { stdout: painted } = await run(['explain', ...flagsWith('--amount', '100', '--transaction-id', '1')], { isTTY: true })
  const titles = painted.split('\x1b[1m').slice(1).map(piece => piece.split('\x1b[22m')[0])
  t.strictSame(titles, ['variant A, purchase', 'part 1', 'part 2', 'signature'])
})

t.test('variant B, without a token', async t => {
  const { code, stdout } = await run(
    ['explain', ...flagsWith('--sid', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11').slice(2), '--variant', 'B', '--bytes'], { env: {} })
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
