import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { body, signature } from '../../support/example.js'
import { flags, flagsWith, formOf, run } from '../../support/command-line.js'
import type { SignatureRequest } from '../../../src/scheme/request.js'
import { readLoosely } from '../../../tools/diagnosis/read-loosely.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const givenWith = (...changes: string[]): string[] => flagsWith('--signature', signature, ...changes)
const given = givenWith()

t.test('a mistake is found', async t => {
  const { code, stdout, stderr } = await run(['diagnose', ...givenWith('--amount', '100')])
  t.equal(stdout.replace(/\d+ texts/, '72 texts'), `1. amount was "100.00" when it was signed; your request has "100".
     signed  "100.00"  6 characters
     sent    "100"     3 characters
                 ^^^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

No other explanation was found.
! part 1 differs, and this explains it
! part 2 differs, and this explains it

72 texts hashed
`)
  t.equal(stderr, '')
  t.equal(code, 0)
})

t.test('two mistakes are found together', async t => {
  const { code, stdout } = await run(['diagnose', ...givenWith('--amount', '100', '--order-id', 'ORDER-12345 ')])
  t.match(stdout, /^1\. amount was "100\.00"[^]*\n {3}→ .*\n \+ orderId was "ORDER-12345"[^]*\n {3}→ .*\n\nNo other explanation was found\.\n/)
  t.equal(code, 0)
})

t.test('advice that two mistakes share is printed once', async t => {
  const { stdout } = await run(['diagnose', ...givenWith('--sid', 'Client-generated-session-id', '--order-id', 'order-12345')])
  t.match(stdout, /^1\. sid was "client-gen.*\n {5}signed .*\n {5}sent .*\n.*\n \+ orderId was "ORDER-12345" .*\n/)
  t.equal(stdout.split('Perhaps its letters had a different case.').length, 2)
  t.match(stdout, / {3}Perhaps its letters had a different case\.\n {3}→ Sign and send it as it is stored.*\n\nNo other explanation/)
})

const neighbours = {
  refund: {
    operationType: 'refund',
    amount: '75.00',
    merchantAccountNumber: '102551',
    orderId: 'INV-2024-000872',
    transactionFCRN: 'AB12',
    sid: 'a3bb189e-8bf9-4888-9912-ace4e6543002',
    clientTimeStamp: 1731936112345
  },
  purchase: {
    amount: '1250.50', merchantAccountNumber: '00102551', orderId: 'INV-2024-000871', sid: '7c9e6679-7425-40de-944b-e07fc1f90ae7', clientTimeStamp: 1731936012345
  }
}
const rightPart1 = '514327dca3583809588bd2fed7a864d79a81b5822194ae2db138238af78b5808'
// The signatures were made with printf and sha256sum.
for (const [what, request, signature, lines, end] of [
  ['the amount as it is, and FCRN "0ab12"', neighbours.refund,
    '11b08ef5e8d442233c733076c98a87090778888a2d797661bd3137b98647939e///9ce6af3ae62d4baaeded62da6e859789ddadf68580a9645586fe918b4bbb1fcf',
    ['1. The joined text of amount and transactionFCRN was "75.000ab12" when it was signed; your request has "75.00AB12".',
      '   Perhaps amount was "75.000": its decimals were different.', '   Perhaps transactionFCRN was "ab12": its letters had a different case.'],
    '! part 1 differs, and this explains it'],
  ['the token with a line break after it, and the account number without zeros', neighbours.purchase,
    `${rightPart1}///888cf6d96336b78d12ce12cf8dac983c9164e07a5d5188a778f0b5e7efb1c028`,
    ['1. The joined text of the token and merchantAccountNumber had 37 characters when it was signed; yours has 38 characters.',
      '   Perhaps the token was different: the signer had a line break at its end.',
      '   Perhaps merchantAccountNumber was "102551": it was converted to a number, which drops zeros or adds .0.'],
    '✓ part 1 matches'],
  ['the sid in uppercase, the amount without a zero, and the account number without zeros', neighbours.purchase,
    '46db5326b702265705dc0d96722d2959677a4f81e128c9e239c04097cd1f7137///8949b50aa4e63b4a2c5abe1ad5a7af9b6202a614713d6ba555c859d66f644cc1',
    ['1. The joined text of sid and amount was "7C9E6679-7425-40DE-944B-E07FC1F90AE71250.5" when it was signed; your request has "7c9e6679-7425-40de-944b-e07fc1f90ae71250.50".',
      '   Perhaps sid was "7C9E6679-7425-40DE-944B-E07FC1F90AE7": its letters had a different case.',
      '   Perhaps amount was "1250.5": its decimals were different.',
      ' + The joined text of merchantAccountNumber and amount was "1025511250.5" when it was signed; your request has "001025511250.50".',
      '   Perhaps merchantAccountNumber was "102551": it was converted to a number, which drops zeros or adds .0.'],
    '! part 1 differs, and this explains it']
] as const) {
  t.test(`where a changed term ends beside another one is no fact: ${what}`, async t => {
    const env = { MERCHANT_TOKEN: 'Zk8!qW2e_live-7f31c0de99aa4b5c' }
    const { stdout } = await run(['diagnose', '--signature', signature, '-'], { env, stdin: JSON.stringify(request) })
    const [told = '', rest = ''] = stdout.split(/\n\n(?!2\.)/)
    t.strictSame(told.split('\n').filter(line => line !== '' && !line.startsWith('   →')), lines)
    t.ok(rest.startsWith(end), rest)
  })
}

t.test('another token that was given proves where the terms beside it end', async t => {
  const env = { MERCHANT_TOKEN: 'Zk8!qW2e_live-7f31c0de99aa4b5c' }
  const tokens = join(t.testdir({ tokens: 'staging=staging-token-91c4ab77e0' }), 'tokens')
  const signature = `${rightPart1}///a97244504871009068cba81eaf8dc7797b442f6b6d81a831361a06683647503d`
  const { stdout } = await run(['diagnose', '--signature', signature, '--tokens', tokens, '-'], { env, stdin: JSON.stringify(neighbours.purchase) })
  t.match(stdout, /[+.] orderId was "inv-2024-000871" when/)
  t.match(stdout, /The token had 24 characters when[^]*Perhaps it was the token named staging/)
})

t.test('the other part proves where a changed term ends: the sid in uppercase, and the amount without a zero', async t => {
  const signature = '46db5326b702265705dc0d96722d2959677a4f81e128c9e239c04097cd1f7137///990d88e39e6a78485c425a9e774c80035cd1a5f3982dc530a607c3b219e0a3b6'
  const env = { MERCHANT_TOKEN: 'Zk8!qW2e_live-7f31c0de99aa4b5c' }
  const given = ['diagnose', '--signature', signature, '-']
  const { stdout } = await run(given, { env, stdin: JSON.stringify(neighbours.purchase) })
  t.match(stdout, /^1\. sid was "7C9E[^]*\n \+ amount was "1250\.5" when[^]*\nNo other explanation was found\.\n/)
  const withoutToken = await run(given, { env: {}, stdin: JSON.stringify(neighbours.purchase) })
  t.match(withoutToken.stdout, /^1\. The joined text of sid and amount was "7C9E[^"]*71250\.5" when/)
})

/** Next steps after a match. The key check value is that of openssl dgst -hmac. */
const refused = `If it is refused: was exactly this sent to the payment side? Compare it, as the other request (--other-request).
Does the payment side have this token, key check value 63e1e6? A right token of another environment, such as test, is refused too.
Does the payment side expect variant A?
`

t.test('a right signature has no cause', async t => {
  const { code, stdout } = await run(['diagnose', ...given])
  t.equal(stdout, `✓ part 1 matches
✓ part 2 matches
The signature matches the request.

${refused}`)
  t.equal(code, 0)
})

/** The example with the number 100 as its amount, and its signature by sha256sum. */
const numeric = { ...JSON.parse(body), amount: 100 }
const signatureOf100 = '72fcb9a6ae844efeeddc10f5542a0b2bd67f27bf39e6035ea38fbbf0523503e6///' +
  '2858b605fb6f5c3b77e32a269ff34734abb59e1a82ae8d4c038c639dca2f4eae'
const number = 'amount was a number, and the text that JavaScript makes of it is hashed: 100.00 becomes 100. Send a string.\n' +
  'amount is not digits, a point and two decimals, as in 100.00.\n'

t.test('after a match come warnings, and what to check next', async t => {
  const matching = '✓ part 1 matches\n✓ part 2 matches\nThe signature matches the request.\n\n'
  const stdin = JSON.stringify(numeric)
  for (const name of ['diagnose', 'verify']) {
    t.match(await run([name, '--signature', signatureOf100, '-'], { stdin }), { code: 0, stdout: matching + number + refused })
    const json = JSON.parse((await run([name, '--signature', signatureOf100, '-', '--json'], { stdin })).stdout)
    t.strictSame(json.hints, (number + refused).trim().split('\n'))
  }
  const refund = { ...numeric, operationType: ' refund', amount: '100', transactionFCRN: '7', orderId: 0, clientTimeStamp: 1709912345 }
  const text = JSON.stringify({ ...refund, Amount: '1' }).replace('"orderId":0', '"orderId":9007199254740993')
  const { stdout: signature } = await run(['sign', '-'], { stdin: text })
  t.match((await run(['diagnose', '--signature', signature.trim(), '-'], { stdin: text })).stdout, `request.

operationType has white space around it, so this is signed as a purchase.
The request has the key Amount, which is not read: the field is amount.
orderId was a number, and the text that JavaScript makes of it is hashed, with other digits: it is above 2^53. Send a string.
transactionFCRN is given, but a purchase does not use it.
amount is not digits, a point and two decimals, as in 100.00.
clientTimeStamp has 10 digits; epoch milliseconds have 13, seconds 10, microseconds 16.
If it is refused`)
})

t.test('the other request is compared with one whose signature matches', async t => {
  const canary = 'canary-token-of-a-test'
  for (const [other, findings] of [
    [{ ...numeric, amount: '100.00' }, ['amount was signed with "100"; the other request has "100.00".']],
    [{ ...numeric, Amount: 999, amount: undefined, sid: 'other', orderId: undefined }, ['sid was signed with "client-generated-session-id"; the other request has "other".',
      'amount was signed with "100"; the other request has "999".', 'orderId was signed with "ORDER-12345"; the other request has none.']],
    [{ ...numeric, merchantAccountNumber: undefined, accountNumber: '102551' }, []],
    [{ ...numeric, operationType: undefined, merchantToken: canary },
      ['The requests have different merchantToken: the key check value is 63e1e6 for the signature, and 95a791 in the other request.']],
    [{ ...numeric, operationType: 'refund', transactionFCRN: '7' }, ['operationType "purchase" is signed as a purchase; the other request is a refund.',
      'transactionFCRN was not signed; the other request has "7".']]
  ] as const) {
    const path = join(t.testdir({ other: JSON.stringify(other) }), 'other')
    const given = ['diagnose', '--signature', signatureOf100, '--other-request', path, '-']
    const { code, stdout, stderr } = await run(given, { stdin: JSON.stringify(numeric) })
    t.strictSame([...stdout.matchAll(/^(?:1\.| \+) (.*)/gm)].map(([, finding]) => finding), findings)
    t.match(stdout, findings.length > 0 ? 'The signature matches the request, and not the other request.\n' : 'The other request has the same signed texts.\n')
    t.strictSame([code, stderr], [0, ''])
    const json = await run([...given, '--json'], { stdin: JSON.stringify(numeric) })
    const changes = findings.map(finding => ({ finding }))
    t.match(JSON.parse(json.stdout), { valid: true, causes: changes.length === 0 ? [] : [{ changes }] })
    t.notMatch(stdout + json.stdout, canary)
  }
})

/** Two calls of a payment in a HAR: the request for the signature, and what was sent, with a token. */
function harOf (sent: object, isForm: boolean, token = 'canary-token-of-a-test'): string {
  const payment = { ...sent, merchantToken: token, signature: signatureOf100 }
  const form = formOf(payment)
  const answer = JSON.stringify({ signature: signatureOf100 })
  const entries = [
    { request: { postData: { text: JSON.stringify(numeric) } }, response: { content: { text: answer } } },
    { request: { postData: { text: isForm ? form : JSON.stringify(payment) } }, response: { content: { text: '{"error":"refused"}' } } }
  ]
  return JSON.stringify({ log: { entries } })
}

t.test('of the two calls of a payment, what differs is named', async t => {
  for (const isForm of [true, false]) {
    const stdin = harOf({ ...numeric, amount: '100.00' }, isForm, 'development-only-token')
    const { code, stdout } = await run(['diagnose', '-'], { stdin })
    t.match(stdout, /^1\. amount was signed with "100"; the other request has "100\.00"\.\n[^]*\n✓ part 1 matches\n✓ part 2 matches\n/)
    t.equal(code, 0)
    t.match(await run(['verify', '-'], { stdin }), {
      code: 1,
      stdout: /^1\. amount was signed with "100"; the other request has "100\.00"\.\n[^]*\nThe signature matches the request, and not the other request\.\n/
    })
    const two = stdin.replace(']}}', `,${JSON.stringify(signedAs('5.00', 1))}]}}`)
    t.match((await run(['diagnose', '-'], { stdin: two })).stdout, '✗ 1 of 2 fail\n\n1. explains 1 of 1, such as sid "client-generated-session-id"\n   amount was signed with')
  }
})

t.test('a token in a HAR, a form or a log is never printed', async t => {
  const sent = { ...numeric, amount: '100.00', sid: 'another' }
  const path = join(t.testdir({ other: JSON.stringify({ ...sent, merchantToken: 'canary-token-of-a-test' }) }), 'other')
  const request = JSON.stringify({ ...numeric, merchantToken: 'canary-token-of-a-test' })
  const log = [1, 2].map(index => JSON.stringify({ ...signedAs('5.00', index, '6.00').request, merchantToken: 'canary-token-of-a-test', signature })).join('\n')
  for (const stdin of [harOf(sent, true), harOf(sent, false), `${request} ${signature}`, `${request} ${signatureOf100}`, log]) {
    for (const [name = '', ...args] of [['diagnose', '--max-tries', '9'], ['diagnose', '--other-request', path, '--max-tries', '9'], ['verify'], ['explain'], ['sign']]) {
      for (const more of [[], ['--json']]) {
        const { stdout, stderr } = await run([name, '-', ...args, ...more], { stdin })
        t.not(stdout + stderr, '', 'there is an output')
        t.notMatch(stdout + stderr, /canary/i, name)
      }
    }
  }
  t.match(await run(['explain', '-'], { stdin: request, env: {} }), { code: 0, stdout: /merchantToken of the request(?![^]*canary)/, stderr: '' })
})

const order = {
  operationType: 'purchase', amount: '350.00', merchantAccountNumber: '731904', orderId: 'R-88', sid: 'c7a2e1', clientTimeStamp: 1751000000456
}
const [orderToken, start] = ['Vb8kPz2Qw6Ls4+Tn', '1751000000456'] as const
const firstPart = sha256(`${start}c7a2e1350.00`)
/** Returns a signature with the right part 1 of the order. */
const withPart2 = (text: string | Buffer): string => `${firstPart}///${createHash('sha256').update(text).digest('hex')}`
const rightOrder = withPart2(`${start}R-88${orderToken}731904350.00`)
const french = { ...order, orderId: 'Caf\u00e9 d\u2019Or' }
const inLatin = Buffer.from(`${start}Caf\xe9 d\x92Or${orderToken}731904350.00`, 'latin1')
const bytesOfToken = 'pwJ7gm3vW8yZt1xK9sLd4g=='
/** Lines of a log in which the token changes after the second. */
const rotated = ['1', '2', '3', '4'].map(digit => {
  const [sid, time] = [`s-${digit}`, `175100000${digit}456`]
  const token = Number(digit) > 2 ? 'the-newer-token-9f' : orderToken
  const signature = `${sha256(`${time}${sid}350.00`)}///${sha256(`${time}R-88${token}731904350.00`)}`
  return JSON.stringify({ ...order, sid, clientTimeStamp: Number(time), signature })
}).join('\n')

/** The commonest reports: the request, the signature, and the beginning of the answer. */
for (const [what, request, signature, answer, token = orderToken, exitCode = 0] of [
  ['the signature matches, and another amount was sent', { ...order, amount: 350 }, `${sha256(`${start}c7a2e1350`)}///${sha256(`${start}R-88${orderToken}731904350`)}`,
    /^1\. amount was signed with "350"; the other request has "350\.00"\./],
  ['the signature matches, and the amount is a number', { ...order, amount: 350 }, `${sha256(`${start}c7a2e1350`)}///${sha256(`${start}R-88${orderToken}731904350`)}`,
    /^✓ part 1 matches\n✓ part 2 matches\nThe signature matches the request\.\n\namount was a number, [^]*\(--other-request\)[^]*key check value/],
  ['the signature matches, and the operation has a blank', { ...order, operationType: ' purchase', clientTimeStamp: 1751000000 },
    `${sha256('1751000000c7a2e1350.00')}///${sha256(`1751000000R-88${orderToken}731904350.00`)}`,
    /\n\noperationType has white space around it, so this is signed as a purchase\.\nclientTimeStamp has 10 digits/],
  ['the formula of another product', order, withPart2(`731904R-88350.00${orderToken}`),
    /^1\. The text of part 2 was made of accountNumber, orderIdOrNull, amount, merchantToken only, in this order\.\n.*FawryPay/],
  ['a token in base64, decoded to bytes', order, withPart2(Buffer.concat([Buffer.from(`${start}R-88`), Buffer.from(bytesOfToken, 'base64'), Buffer.from('731904350.00')])),
    /^1\. The token had 16 bytes when it was signed; yours has 24 characters\.\n {3}Perhaps it is base64, and was decoded to bytes before it was hashed\./, bytesOfToken],
  ['Windows-1252', french, withPart2(inLatin), /^1\. In part 2: The text was hashed as Windows-1252, not as UTF-8\./],
  ['a straight apostrophe', french, withPart2(`${start}Caf\u00e9 d'Or${orderToken}731904350.00`), /^1\. orderId was "Caf\u00e9 d'Or" when it was signed;[^]*typographic/],
  ['a token with $ in a shell', order, withPart2(`${start}R-88y0731904350.00`), /^1\. The token had 2 characters [^]*a shell, Compose, Make or PHP expanded \$/, '$2y$10$KzqIh7BsW'],
  ['an empty token', order, withPart2(`${start}R-88731904350.00`), /^1\. The token had 0 characters [^]*→ Check that the variable reaches the process that signs/],
  ['one half in base64', order, `${firstPart}///${Buffer.from(rightOrder.slice(67), 'hex').toString('base64')}`,
    /^1\. The digest of part 2 was written in base64, not in hexadecimal\./],
  ['the JSON body', order, `${sha256(JSON.stringify(order))}///${sha256(JSON.stringify(order) + orderToken)}`,
    /^1\. The text of part 1 was the JSON of the body\.\n \+ The text of part 2 was the JSON of the body, and the token after it\./],
  ['a request that PHP prints', `Array\n(\n${Object.entries(order).map(([name, value]) => `    [${name}] => ${value}\n`).join('')})\n`, rightOrder,
    /^✓ part 1 matches\n✓ part 2 matches\n/],
  ['a token that changes in a log', rotated, undefined,
    /^✗ 2 of 4 fail: .*\n\nPart 1 matches in all requests, and part 2 only before clientTimeStamp 1751000003456, .*: the token changed then\. .* \(--tokens\)\.\n\n✗ nothing else/, orderToken, 1],
  ['a log whose older token is unknown', rotated, undefined, /^✗ 2 of 4 fail: .*\n\nPart 1 matches in all requests, and part 2 only from clientTimeStamp 1751000003456 on, /, 'the-newer-token-9f', 1]
] as ReadonlyArray<readonly [string, object | string, string | undefined, RegExp, string?, number?]>) {
  t.test(`a report: ${what}`, async t => {
    const other = what.includes('was sent') ? ['--other-request', join(t.testdir({ 'other.json': JSON.stringify(order) }), 'other.json')] : []
    const args = ['diagnose', '-', ...signature === undefined ? ['--max-tries', '500'] : ['--signature', signature], ...other]
    const stdin = typeof request === 'string' ? request : JSON.stringify(request)
    const { code, stdout } = await run(args, { stdin, env: { MERCHANT_TOKEN: token } })
    t.match(stdout, answer)
    t.notMatch(stdout, token)
    t.equal(code, exitCode)
  })
}

t.test('the operationType that a refund lacks is told first', async t => {
  const { operationType, ...purchase } = JSON.parse(body)
  const refund = { ...purchase, operationType: 'refund', transactionFCRN: '4312' }
  const other = join(t.testdir({ other: JSON.stringify(refund) }), 'other')
  const ofRefund = (await run(['sign', '-'], { stdin: JSON.stringify(refund) })).stdout.trim()
  for (const given of [signature, ofRefund]) {
    const { code, stdout } = await run(['diagnose', '--signature', given, '--other-request', other, '-'], { stdin: JSON.stringify(purchase) })
    t.match(stdout, /^1\. The refund's operationType is missing, so the service signs a purchase\.\n {3}→ Send operationType refund/)
    t.equal(code, 0)
  }
})

t.test('a token that is unknown has no cause', async t => {
  const { code, stdout } = await run(['diagnose', ...givenWith('--account-number', '1', '--merchant-account-number', '999999', '--max-tries', '2000')])
  t.match(stdout, /^✓ part 1 matches\n✗ part 2 differs\n\n.*\n[^]*\n\d+ texts hashed, the limit; --max-tries raises it; --deep tries many more\n$/)
  t.equal(code, 1)
})

t.test('--max-tries limits the search', async t => {
  const { code, stdout } = await run(['diagnose', ...givenWith('--amount', '77', '--max-tries', '50')])
  t.match(stdout, /\n45 texts hashed, the limit; --max-tries raises it; --deep tries many more\n$/)
  t.equal(code, 1)
})

t.test('--tokens and --other-request are searched', async t => {
  const folder = t.testdir({
    lines: '# of the environments\n\nproduction=an-unrelated-secret-token\r\ntest=development-only-token\r\n',
    json: '\ufeff{"production":"an-unrelated-secret-token","test":"development-only-token"}',
    'other.json': body
  })
  const env = { MERCHANT_TOKEN: 'another-secret-token-of-mine' }
  for (const file of ['lines', 'json']) {
    const { code, stdout, stderr } = await run(['diagnose', ...given, '--tokens', join(folder, file)], { env })
    t.match(stdout, /^1\. The token had 22 characters when it was signed; yours has 28 characters\.\n {3}Perhaps it was the token named test\.\n[^]*\n✓ part 1 matches\n! part 2 differs, and this explains it\n/)
    t.equal(stderr, '')
    t.equal(code, 0)
  }
  const { stdout } = await run(['diagnose', ...givenWith('--sid', 'unrelated', '--other-request', join(folder, 'other.json'))])
  t.match(stdout, /^1\. [^]*Perhaps sid of the other request was used\./m)
})

t.test('without a token, only part 1 is searched', async t => {
  const found = await run(['diagnose', ...givenWith('--amount', '100')], { env: {}, typed: ['unused\r'] })
  t.match(found.stdout, /^1\. amount was "100\.00"[^]*\n! part 1 differs.*\n- part 2 was not searched: there is no token\n/)
  t.match(found.stdout, /Part 1 is explained: .*\nPart 2 was not searched, because there is no token\. It probably has the same mistake\. Part 2 also contains the order id/)
  t.same([found.code, found.stderr, found.terminal], [0, '', ''])
  const right = await run(['diagnose', ...given], { env: {} })
  t.match(right.stdout, /^✓ part 1 matches\n- part 2 was not searched/)
  t.equal(right.code, 1)
  const nothing = await run(['diagnose', ...givenWith('--sid', 'unrelated', '--max-tries', '2000')], { env: {} })
  t.match(nothing.stdout, /^✗ part 1 differs\n- part 2 was not searched.*\n\nPart 1 differs, and no cause was found/)
  t.equal(nothing.code, 1)
})

t.test('an unknown sid is a hint, not a cause', async t => {
  const { stdout, code } = await run(['diagnose', ...givenWith('--sid', 'unrelated', '--max-tries', '20000')])
  t.match(stdout, /^✗ part 1 differs\n✓ part 2 matches\n\nPart 2 matches: .* most often the sid: generate[^]*\n\d+ texts hashed, the limit; --max-tries raises it; --deep tries many more\n$/)
  t.equal(code, 1)
})

t.test('a terminal shows progress after two seconds', async t => {
  const search = ['diagnose', ...givenWith('--amount', '77', '--sid', 'unrelated', '--max-tries', '60000')]
  const { now } = performance
  t.teardown(() => { performance.now = now })
  const clock = (step: number): void => {
    let calls = 0
    performance.now = () => step * calls++
  }
  clock(2000)
  t.equal((await run(search, { isTTY: true })).stderr, '\rsearching: 50000 texts hashed so far\r\x1b[K')
  t.equal((await run(search)).stderr, '', 'a file does not')
})

t.test('lines are wrapped between words at a terminal of 80 columns', async t => {
  const { stdout } = await run(['diagnose', ...givenWith('--client-time-stamp', '1709912345')], { isTTY: true, env: { NO_COLOR: '1', MERCHANT_TOKEN: 'development-only-token' } })
  t.match(stdout, /^1\. clientTimeStamp was "1709912345678" when it was signed; your request has\n {5}"1709912345"\.\n/)
  t.strictSame(stdout.split('\n').filter(line => line.length > 80), [])
})

t.test('--json prints the Diagnosis', async t => {
  const { stdout } = await run(['diagnose', ...givenWith('--amount', '100', '--json')])
  t.match(JSON.parse(stdout), {
    valid: false,
    part1: 'explained',
    part2: 'explained',
    causes: [{ changes: [{ hypothesis: 'amount-decimals', fix: 'Format the amount once, with two decimals, and sign and send that same text.' }] }],
    hints: [],
    complete: true
  })
})

t.test('wrong usage is an error without a token', async t => {
  const folder = t.testdir({ lines: 'test=ok\ncanary-token\n', empty: 'test=\n', nameless: '=test=canary\n', json: '{"test":"ok","canary":5}', none: '{"test":""}', broken: '{"canary' })
  const cases: Array<[string[], string]> = [
    [flags, 'missing --signature SIGNATURE'],
    [['--request', join(folder, 'json')], `missing --signature SIGNATURE: ${join(folder, 'json')} has no request with a signature beside it`],
    [[...given, '--tokens', join(folder, 'lines')], `${join(folder, 'lines')}: line 2 is not NAME=TOKEN`],
    [[...given, '--tokens', join(folder, 'empty')], `${join(folder, 'empty')}: line 1 is not NAME=TOKEN`],
    [[...given, '--tokens', join(folder, 'nameless')], `${join(folder, 'nameless')}: line 1 is not NAME=TOKEN`],
    [[...given, '--tokens', join(folder, 'json')], `${join(folder, 'json')}: member 2 must be a non-empty string`],
    [[...given, '--tokens', join(folder, 'none')], `${join(folder, 'none')}: member 1 must be a non-empty string`],
    [[...given, '--tokens', join(folder, 'broken')], `${join(folder, 'broken')} is not JSON: see line 1, column 9`],
    [[...given, '--tokens', '-'], 'standard input is for the request: --other-request and --tokens need a file'],
    [[...given, '--other-request', '-'], 'standard input is for the request: --other-request and --tokens need a file'],
    [[...given, '--max-tries', 'many'], '--max-tries must be an integer greater than 0']
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await run(['diagnose', ...args])
    t.equal(stderr, `payment-signature: ${message}\n`)
    t.equal(code, 2)
  }
})

t.test('a finding with two interpretations is printed once; a finding without one is proven', async t => {
  const order = ' order-12345'
  const [part1 = ''] = signature.split('///')
  const two = await run(['diagnose', ...flags, '--signature',
    `${part1}///${sha256(`1709912345678${order}development-only-token102551100.00`)}`])
  t.equal(two.stdout.match(/The joined text of clientTimeStamp and orderId was "1709912345678 order-12345" when/g)?.length, 1)
  t.match(two.stdout, /Perhaps orderId was " order-12345": the signer had white space\.[^]*: its letters had a different case\./)
  const { stdout } = await run(['diagnose', ...flags, '--signature', signature.toUpperCase()])
  t.match(stdout, /^1\. The digests were written in uppercase\.\n {3}→ .*\n\n✓ part 1/)
  const echo = ['client-generated-session-id100.00', 'ORDER-12345development-only-token102551100.00'].map(text => sha256(`1709912345678${text}\n`))
  t.match((await run(['diagnose', ...flags, '--signature', echo.join('///')])).stdout, /^1\. The hashed text had a line break at its end, or amount had\.\n[^]*\nExplanation 1 of 2 is the most likely\.\n! part 1 differs, and the first of these explains it\n/)
})

t.test('a number in the request is told as a number', async t => {
  const number = 'amount was a number, and the text that JavaScript makes of it is hashed: 100.00 becomes 100. Send a string.\n'
  const sent = { sid: 'client-generated-session-id', clientTimeStamp: 1709912345678, merchantAccountNumber: '102551', orderId: 'ORDER-12345' }
  const found = await run(['diagnose', '--signature', signature, '-'], { stdin: JSON.stringify({ ...sent, amount: 100 }) })
  t.match(found.stdout, 'your request has "100".')
  t.match(found.stdout, number)
  const text = await run(['diagnose', '--signature', signature, '-'], { stdin: JSON.stringify({ ...sent, amount: '100' }) })
  t.notMatch(text.stdout, 'a number')
})

t.test('two explanations of one text are alternatives, and long texts are not compared', async t => {
  const [part1 = ''] = signature.split('///')
  const secondOf = (order: string): string =>
    createHash('sha256').update(`1709912345678${order}development-only-token102551100.00`).digest('hex')
  const spaced = await run(['diagnose', ...flags, '--signature', `${part1}///${secondOf('ORDER-12345 ')}`])
  t.match(spaced.stdout, /^1\. Between orderId and the token[^]*\n2\. or: Between orderId and the token[^]*\nExplanations 1 to 2 are equally likely\.\n/)
  const long = 'Order-'.repeat(20)
  const upper = await run(['diagnose', ...flagsWith('--order-id', long, '--signature', `${part1}///${secondOf(long.toUpperCase())}`)])
  t.match(upper.stdout, /your request has "Order-.*"\.\n {3}Perhaps its letters/)
  const short = await run(['diagnose', ...flagsWith('--order-id', 'a', '--signature', `${part1}///${secondOf('A')}`)])
  t.match(short.stdout, '     signed  "A"  1 character\n     sent    "a"  1 character\n              ^\n')
})

/** A purchase of an amount by its number, with the signature of another amount. */
function signedAs (amount: string, index: number, other = amount, token = 'development-only-token') {
  const [time, sid, order] = [1709912345678 + index, `s-${index}`, `ORD-${1000 + index}`]
  return {
    request: { amount, merchantAccountNumber: '102551', orderId: order, sid, clientTimeStamp: time },
    signature: `${sha256(`${time}${sid}${other}`)}///${sha256(`${time}${order}${token}102551${other}`)}`
  }
}

/** 40 amounts that end in 0, and 1 that does not, signed as JavaScript's numbers. */
const asNumbers = Array.from({ length: 41 }, (_, index) => index === 17 ? '12.55' : `${10 + index}.${index % 3 === 0 ? '5' : '0'}0`)
  .map((amount, index) => signedAs(amount, index, String(Number(amount))))

const log = asNumbers.map(({ request, signature }, index) => [
  `2026-11-22T10:00:00Z INFO [pay-${index}] {ctx} sending ${JSON.stringify(request)}`,
  `2026-11-22T10:00:01Z ERROR [pay-${index}] refused: expected ${signedAs(request.amount, index).signature} but got ${signature}`
].join('\n')).join('\n')

for (const [name, text] of Object.entries({
  'lines of JSON': asNumbers.map(own => JSON.stringify(own)).join('\n'), 'a log': log
})) {
  t.test(`many requests in ${name}`, async t => {
    const { code, stdout, stderr } = await run(['diagnose', '-'], { stdin: text })
    t.equal(stdout.replace(/\d+ texts/, '3000 texts'), `✗ 40 of 41 fail: each whose amount ends in 0

1. explains 40 of 40, such as sid "s-0"
   amount was "10.5" when it was signed; your request has "10.50".
     signed  "10.5"   4 characters
     sent    "10.50"  5 characters
                  ^
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

3000 texts hashed
`)
    t.strictSame([code, stderr], [0, ''])
  })
}

t.test('many requests: what explains one request is tried on the others, whose values are candidates', async t => {
  const diagnosed = async (all: readonly object[]) =>
    (await run(['diagnose', '-'], { stdin: all.map(own => JSON.stringify(own)).join('\n') })).stdout
  const [one, two] = [signedAs('10.00', 1), signedAs('20.00', 2)]
  t.match(await diagnosed([{ ...one, signature: two.signature }, { ...two, signature: one.signature }]),
    /1\. explains 2 of 2, such as sid "s-1"\n {3}The signature is that of another request in the file, sid "s-2"\.\n/)
  const stale = { ...two, signature: `${sha256('1709912345680s-120.00')}///${two.signature.slice(67)}` }
  t.match(await diagnosed([one, stale]), /sid was "s-1" when it was signed[^]*Perhaps it was that of another request in the file, sid "s-1"\./)
  const reordered = Array.from({ length: 20 }, (_, index) => {
    const { request, signature } = signedAs(`${index + 10}.00`, index)
    const { amount, orderId, clientTimeStamp } = request
    return { request, signature: `${signature.slice(0, 67)}${sha256(`102551${amount}${clientTimeStamp}${orderId}development-only-token`)}` }
  })
  t.match(await diagnosed(reordered), /1\. explains 20 of 20/)
})

t.test('many requests: several causes, unexplained requests and common properties', async t => {
  const diagnosed = async (all: readonly object[], ...args: string[]) => {
    const { code, stdout } = await run(['diagnose', '-', ...args], { stdin: all.map(own => JSON.stringify(own)).join('\n') })
    return { code, stdout }
  }
  const right = [signedAs('30.10', 1), signedAs('20.20', 2)]
  t.strictSame(await diagnosed(right), { code: 0, stdout: `✓ 2 of 2 match\n\n${refused}` })
  for (const [wrong, pattern] of [
    [[signedAs('1000.10', 3, '1'), signedAs('1200.20', 4, '1')], 'begins with 1'],
    [[signedAs('99.10', 3, '1'), signedAs('120.20', 4, '1')], 'is 99.1 or more'],
    [[signedAs('9.10', 3, '1'), signedAs('9.10', 4, '1')], 'is "9.10"'],
    [[signedAs('9.10', 3, '1'), signedAs('12.20', 4, '1')], 'is 12.2 or less']
  ] as const) t.match((await diagnosed([...right, ...wrong], '--max-tries', '100')).stdout, `✗ 2 of 4 fail: each whose amount ${pattern}\n`)
  const others = right.map(own => ({ ...own, request: { ...own.request, transactionId: '7' } }))
  const without = await diagnosed([...others, signedAs('30.10', 3, '1'), signedAs('20.20', 4, '1')], '--max-tries', '100')
  t.match(without.stdout, '✗ 2 of 4 fail: each whose transactionId is absent\n')
  const noText = { ...signedAs('1.00', 5), request: { ...signedAs('1.00', 5).request, amount: { toString: 1 } } }
  t.match(await diagnosed([...right, noText]), { code: 1, stdout: /^✗ 1 of 3 fail\n\n✗ nothing explains 1 of 1, such as sid "s-5"\n {3}The service would refuse/ })
  const alike = [signedAs('30.10', 1), signedAs('20.20', 4), signedAs('30.10', 2, '1'), signedAs('20.20', 3, '1')]
  t.match((await diagnosed(alike, '--max-tries', '100')).stdout, /^✗ 2 of 4 fail\n[^]*\n180 texts hashed\n$/, 'the sum')
  const withTokens = alike.map((own, index) => index < 2 ? own : { ...own, request: { ...own.request, merchantToken: 'canary' } })
  t.match((await diagnosed(withTokens, '--max-tries', '100')).stdout, /^✗ 2 of 4 fail\n/, 'a token is no pattern')
  const mixed = [signedAs('30.10', 1, '30.1'), signedAs('20.20', 2, '20.2'), signedAs('5.00', 3, '5.00', 'development-only-token\n'), signedAs('7.00', 4, 'x', 'y')]
  const { code, stdout } = await diagnosed(mixed, '--max-tries', '3000')
  t.match(stdout, /^✗ 4 of 4 fail\n\n1\. explains 2 of 4, such as sid "s-1"\n[^]*\n2\. explains 1 of 4, such as sid "s-3"\n {3}Between the token and merchantAccountNumber, "\\n" was added when[^]*\n✗ nothing explains 1 of 4, such as sid "s-4"\n {3}Neither part matches[^]*\n\d+ texts hashed\n$/)
  t.equal(code, 1)
  const json = JSON.parse((await diagnosed(mixed, '--max-tries', '3000', '--json')).stdout)
  t.match(json, { total: 4, failing: 4, pattern: null, causes: [{ failures: [{ request: { sid: 's-1' } }, { request: { sid: 's-2' } }] }, {}], unexplained: [{}], unsearched: 0 })
})

t.test('many requests: of two explanations, the one with a mistake that others show is told', async t => {
  const purchases = [1, 2].map(index => signedAs('10.00', index, ''))
  const reference = 'RRN-7'
  const request = { ...signedAs('10.00', 3).request, operationType: 'refund', orderId: undefined, transactionFCRN: reference }
  const refund = { // alone, it was signed as a void
    request,
    signature: `${sha256(`1709912345681s-3${reference}`)}///${sha256(`1709912345681${reference}development-only-token102551${reference}`)}`
  }
  const { stdout } = await run(['diagnose', '-'], { stdin: [...purchases, refund].map(own => JSON.stringify(own)).join('\n') })
  t.match(stdout, /\n1\. explains 2 of 3, [^]*\n {3}amount was "" [^]*\n2\. explains 1 of 3, [^]*\n {3}amount was "" /)
})

t.test('of many requests, at most 50 are searched', async t => {
  const all = Array.from({ length: 52 }, (_, index) => signedAs('1.00', index))
  const swapped = all.map((own, index) => ({ ...own, signature: all[index ^ 1]!.signature }))
  const { code, stdout } = await run(['diagnose', '-'], { stdin: JSON.stringify(swapped) })
  t.match(stdout, /^✗ 52 of 52 fail\n\n1\. explains 50 of 52, such as sid "s-0"\n/)
  t.match(stdout, /\n0 texts hashed; 2 more failing requests were not searched\n$/)
  t.equal(code, 1)
})

t.test('many requests without a token', async t => {
  const stdin = JSON.stringify(asNumbers)
  const { code, stdout } = await run(['diagnose', '-'], { stdin, env: {} })
  t.match(stdout, /^✗ 40 of 41 fail: each whose amount ends in 0\n- part 2 was not searched: there is no token\n\n1\. explains 40 of 40/)
  t.equal(code, 0)
  const right = await run(['diagnose', '-'], { stdin: JSON.stringify([signedAs('1.00', 1), signedAs('2.00', 2)]), env: {} })
  t.match(right, { code: 1, stdout: '✓ 2 of 2 match\n- part 2 was not searched: there is no token\n' })
})

t.test('one request with its signatures, and a flag that overrides a field', async t => {
  const [{ request, signature: wrong }] = asNumbers as [typeof asNumbers[number]]
  const stdin = `${JSON.stringify(request)}\nexpected ${signedAs('10.50', 0).signature} but got ${wrong}`
  t.match(await run(['diagnose', '-'], { stdin }), { code: 0, stdout: 'amount was "10.5" when it was signed; your request has "10.50".' })
  t.match(await run(['diagnose', '-', '--amount', '10.5'], { stdin: JSON.stringify({ ...request, signature: wrong }) }), { code: 0, stdout: /^✓ part 1 matches\n✓ part 2 matches\n/ })
})

t.test('a loose reading refuses only values that have no text', async t => {
  const request = { merchantAccountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }
  t.match(readLoosely('B', { ...request, amount: '-1', sid: 7 }), { amount: '-1', sid: '7' })
  t.match(readLoosely('A', {} as SignatureRequest), { sid: '', clientTimeStamp: 'undefined', accountNumber: 'undefined' })
  t.equal(readLoosely('A', { ...request, idType: { toString: 1 } }), undefined)
})
