import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import type { Io } from '../../../tools/command-line/command.js'
import { report, reportOnAll } from '../../../tools/command-line/diagnose-command.js'
import { diagnoseAll } from '../../../tools/diagnosis/diagnose-all.js'
import { diagnose } from '../../../tools/diagnosis/diagnose.js'
import { body, signature } from '../../support/example.js'
import { fields, fieldsWith, formOf, run } from '../../support/command-line.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const givenWith = (...changes: string[]): string[] => fieldsWith('--signature', signature, ...changes)
const given = givenWith()

t.test('a mistake is found', async t => {
  const { code, stdout, stderr } = await run(['diagnose', ...givenWith('amount=100')])
  t.equal(stdout.replace(/\d+ texts/, '72 texts'), `1. amount was "100.00" when it was signed; your request has "100".
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

! part 1 differs, and this explains it
! part 2 differs, and this explains it

72 texts hashed
`)
  t.equal(stderr, '')
  t.equal(code, 1)
})

t.test('advice that two mistakes share is printed once', async t => {
  const { stdout } = await run(['diagnose', ...givenWith('sid=Client-generated-session-id', 'orderId=order-12345')])
  t.match(stdout, /^1\. sid was "client-gen.*\n \+ orderId was "ORDER-12345" .*\n/)
  t.equal(stdout.split('Perhaps its letters had a different case.').length, 2)
  t.match(stdout, / {3}Perhaps its letters had a different case\.\n {3}→ Sign and send it as it is stored.*\n\n! part 1/)
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
    const { stdout } = await run(['diagnose', '--signature', signature], { env, stdin: JSON.stringify(request) })
    const [told = '', rest = ''] = stdout.split(/\n\n(?:2\.[^]*?\n\n)?/)
    t.strictSame(told.split('\n').filter(line => line !== '' && !line.startsWith('   →')), lines)
    t.ok(rest.startsWith(end), rest)
  })
}

t.test('a line break of Windows behind the token, on either side', async t => {
  const [unix, windows] = ['secret-token-1', 'secret-token-1\r']
  for (const [signer, verifier, said, fix] of [
    [windows, unix, 'Perhaps the token was different: the signer had a line break of Windows, with \\r, at its end.', 'Remove \\r from its file with tr -d \'\\r\''],
    [unix, windows, 'Perhaps your side has a line break of Windows, with \\r, at its end.', 'Remove \\r from its file with tr -d \'\\r\''],
    [`${unix}\n`, unix, 'Perhaps the token was different: the signer had a line break at its end.', 'Write it with printf \'%s\' instead of echo']
  ] as const) {
    const signed = await run(['sign'], { env: { MERCHANT_TOKEN: signer }, stdin: body })
    const { stdout } = await run(['diagnose', '--signature', signed.stdout.trim()], { env: { MERCHANT_TOKEN: verifier }, stdin: body })
    t.match(stdout, `\n   ${said}\n   → ${fix}, and take off the line break where a file is read.\n`)
  }
})

t.test('another token that was given proves where the terms beside it end', async t => {
  const env = { MERCHANT_TOKEN: 'Zk8!qW2e_live-7f31c0de99aa4b5c' }
  const tokens = join(t.testdir({ tokens: 'staging=staging-token-91c4ab77e0' }), 'tokens')
  const signature = `${rightPart1}///a97244504871009068cba81eaf8dc7797b442f6b6d81a831361a06683647503d`
  const { stdout } = await run(['diagnose', '--signature', signature, '--tokens-file', tokens], { env, stdin: JSON.stringify(neighbours.purchase) })
  t.match(stdout, /[+.] orderId was "inv-2024-000871" when/)
  t.match(stdout, /The token had 24 characters when[^]*Perhaps it was the token named staging/)
})

t.test('the other part proves where a changed term ends: the sid in uppercase, and the amount without a zero', async t => {
  const signature = '46db5326b702265705dc0d96722d2959677a4f81e128c9e239c04097cd1f7137///990d88e39e6a78485c425a9e774c80035cd1a5f3982dc530a607c3b219e0a3b6'
  const env = { MERCHANT_TOKEN: 'Zk8!qW2e_live-7f31c0de99aa4b5c' }
  const given = ['diagnose', '--signature', signature]
  const { stdout } = await run(given, { env, stdin: JSON.stringify(neighbours.purchase) })
  t.match(stdout, /^1\. sid was "7C9E[^]*\n \+ amount was "1250\.5" when[^]*\n! part 1/)
  const withoutToken = await run(given, { env: {}, stdin: JSON.stringify(neighbours.purchase) })
  t.match(withoutToken.stdout, /^1\. The joined text of sid and amount was "7C9E[^"]*71250\.5" when/)
})

/** A pipe. */
const io = { stdout: {}, env: {} } as Io

/** Next steps after a match. The key check value is that of openssl dgst -hmac. */
const refused = `If it is refused: was exactly this sent to the payment side? Compare it, as the other request (--other-request).
Does the payment side have this token, key check value 63e1e6? A right token of another environment, such as test, is refused too.
Does the payment side expect variant A?
`

/** The example with the number 100 as its amount, and its signature by sha256sum. */
const numeric = { ...JSON.parse(body), amount: 100 }
const signatureOf100 = '72fcb9a6ae844efeeddc10f5542a0b2bd67f27bf39e6035ea38fbbf0523503e6///' +
  '2858b605fb6f5c3b77e32a269ff34734abb59e1a82ae8d4c038c639dca2f4eae'
const number = 'amount was a number, and the text that JavaScript makes of it is hashed: 100.00 becomes 100. Send a string.\n' +
  'amount is not digits, a point and two decimals, as in 100.00.\n'

t.test('after a match come warnings, and what to check next', async t => {
  const matching = '✓ part 1 matches\n✓ part 2 matches\nThe signature matches the request.\n\n'
  const stdin = JSON.stringify(numeric)
  t.same(await run(['diagnose', '--signature', signatureOf100], { stdin }), { code: 0, stdout: matching + number + refused, stderr: '' })
  const json = JSON.parse((await run(['diagnose', '--signature', signatureOf100, '--json'], { stdin })).stdout)
  t.strictSame(json.hints, (number + refused).trim().split('\n'))
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
    const given = ['diagnose', '--signature', signatureOf100, '--other-request', path]
    const { code, stdout, stderr } = await run(given, { stdin: JSON.stringify(numeric) })
    t.strictSame([...stdout.matchAll(/^(?:1\.| \+) (.*)/gm)].map(([, finding]) => finding), findings)
    t.match(stdout, findings.length > 0 ? 'The signature matches the request, and not the other request.\n' : 'The other request has the same signed texts.\n')
    t.strictSame([code, stderr], [findings.length > 0 ? 1 : 0, ''])
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
    const { code, stdout } = await run(['diagnose'], { stdin })
    t.match(stdout, /^1\. amount was signed with "100"; the other request has "100\.00"\.\n[^]*\n✓ part 1 matches\n✓ part 2 matches\n/)
    t.match(stdout, '\nThe signature matches the request, and not the other request.\n')
    t.equal(code, 1)
    const two = stdin.replace(']}}', `,${JSON.stringify(signedAs('5.00', 1))}]}}`)
    t.match((await run(['diagnose'], { stdin: two })).stdout, '✗ 1 of 2 fail\n\n1. explains 1 of 1, such as sid "client-generated-session-id"\n   amount was signed with')
  }
})

t.test('a token in a HAR, a form or a log is never printed', async t => {
  const sent = { ...numeric, amount: '100.00', sid: 'another' }
  const path = join(t.testdir({ other: JSON.stringify({ ...sent, merchantToken: 'canary-token-of-a-test' }) }), 'other')
  const request = JSON.stringify({ ...numeric, merchantToken: 'canary-token-of-a-test' })
  const log = [1, 2].map(index => JSON.stringify({ ...signedAs('5.00', index, '6.00').request, merchantToken: 'canary-token-of-a-test', signature })).join('\n')
  for (const stdin of [harOf(sent, true), harOf(sent, false), `${request} ${signature}`, `${request} ${signatureOf100}`, log]) {
    for (const [name = '', ...args] of [['diagnose'], ['diagnose', '--json'], ['diagnose', '--other-request', path], ['explain'], ['sign']]) {
      const { stdout, stderr } = await run([name, ...args], { stdin })
      t.not(stdout + stderr, '', 'there is an output')
      t.notMatch(stdout + stderr, /canary/i, name)
    }
  }
  t.match(await run(['explain'], { stdin: request, env: {} }), { code: 0, stdout: /merchantToken of the request(?![^]*canary)/, stderr: '' })
})

t.test('the operationType that a refund lacks is told first', async t => {
  const { operationType, ...purchase } = JSON.parse(body)
  const refund = { ...purchase, operationType: 'refund', transactionFCRN: '4312' }
  const other = join(t.testdir({ other: JSON.stringify(refund) }), 'other')
  const ofRefund = (await run(['sign'], { stdin: JSON.stringify(refund) })).stdout.trim()
  for (const given of [signature, ofRefund]) {
    const { code, stdout } = await run(['diagnose', '--signature', given, '--other-request', other], { stdin: JSON.stringify(purchase) })
    t.match(stdout, /^1\. The refund's operationType is missing, so the service signs a purchase\.\n {3}→ Send operationType refund/)
    t.equal(code, 1)
  }
})

// The signatures of the README, changed. `diagnose` also answers what needs no search.
const [part1 = '', part2 = ''] = signature.split('///')
const plain = '64 lowercase hexadecimal digits, /// and 64 more.\n\n✓ part 1 matches\n✓ part 2 matches\n'

t.test('the form of a signature and each part are judged', async t => {
  for (const [given, args, report] of [
    [signature, ['amount=0'], 'The service would refuse this request: Invalid amount: amount must be greater than 0.'],
    [`"${signature}"`, [], `1. The signature was in quotes.\n   → Send the signature as the service returns it: ${plain}`],
    [signature.toUpperCase(), [], '1. The digests were written in uppercase.\n'],
    [`${part1}\n///${part2}\n`, [], '1. The signature had white space or a line break inside.\n'],
    [`{"signature":"${signature}"}\n`, [], ' + The whole response was used as the signature, not its field "signature".\n'],
    [`${part2}///${part1}`, [], '1. The parts were in the wrong order.\n   → Put part 1, which has the session id, first.\n'],
    [signature.slice(0, -1), [], '1. In part 2: Only the beginning of the right digest was given: the rest is missing.\n'],
    ['0'.repeat(64), [], '✗ part 1 differs\n✗ part 2 differs'],
    ['', [], '✗ part 1 differs\n✗ part 2 differs\n\nThis is not a signature: it is empty.\n']
  ] as ReadonlyArray<readonly [string, string[], string]>) {
    t.match(await run(['diagnose', ...fieldsWith(...args), '--signature', given]), { code: 1, stdout: report })
  }
})

t.test('the report says that a search reached its limit', async t => {
  const diagnosis = diagnose(signature, { ...JSON.parse(body), amount: '77' }, { variant: 'A', merchantToken: 'development-only-token', maxTries: 50 })
  t.match(report(diagnosis, io), /\nThe search reached its limit before everything was tried\.\n\n45 texts hashed\n$/)
})

t.test('--tokens-file and --other-request are searched', async t => {
  const folder = t.testdir({
    lines: '# of the environments\n\nproduction=an-unrelated-secret-token\r\ntest=development-only-token\r\n',
    'other.json': body
  })
  const env = { MERCHANT_TOKEN: 'another-secret-token-of-mine' }
  t.match(await run(['diagnose', ...given, '--tokens-file', join(folder, 'lines')], { env }), {
    code: 1, stdout: /^1\. The token had 22 characters when it was signed; yours has 28 characters\.\n {3}Perhaps it was the token named test\./, stderr: /^$/
  })
  const { stdout } = await run(['diagnose', ...givenWith('sid=unrelated', '--other-request', join(folder, 'other.json'))])
  t.match(stdout, /^1\. [^]*Perhaps it was that of the other request\./m)
})

const noToken = 'part 1 is right; no token to check part 2: set MERCHANT_TOKEN, or pass --token-file'

t.test('without a token, only part 1 is searched', async t => {
  const found = await run(['diagnose', ...givenWith('amount=100')], { env: {} })
  t.match(found.stdout, /^1\. amount was "100\.00"[^]*\n! part 1 differs.*\n- part 2 was not searched: there is no token\n/)
  t.match(found.stdout, /Part 1 is explained: .*\nPart 2 was not searched, because there is no token\. It probably has the same mistake\. Part 2 also contains the order id/)
  t.same([found.code, found.stderr], [1, ''])
  const right = await run(['diagnose', ...given], { env: {} })
  t.match(right.stdout, /^✓ part 1 matches\n- part 2 was not searched/)
  t.strictSame([right.code, right.stderr], [2, `payment-signature: ${noToken}\n`])
  const nothing = diagnose(signature, { ...JSON.parse(body), sid: 'unrelated' }, { variant: 'A', maxTries: 2000 })
  t.match(report(nothing, io), /^✗ part 1 differs\n- part 2 was not searched.*\n\nPart 1 differs/)
})

t.test('wrong usage is an error without a token', async t => {
  const folder = t.testdir({ lines: 'test=ok\ncanary-token\n', empty: 'test=\n', nameless: '=test=canary\n', json: '{"a":1}' })
  const cases: Array<[string[], string]> = [
    [fields, 'missing --signature SIGNATURE'],
    [['--request', join(folder, 'json')], `missing --signature SIGNATURE: ${join(folder, 'json')} has no request with a signature beside it`],
    [[...given, '--tokens-file', join(folder, 'lines')], `${join(folder, 'lines')}: token 2 must be NAME=TOKEN`],
    [[...given, '--tokens-file', join(folder, 'empty')], `${join(folder, 'empty')}: token 1 must be NAME=TOKEN`],
    [[...given, '--tokens-file', join(folder, 'nameless')], `${join(folder, 'nameless')}: token 1 must be NAME=TOKEN`],
    [[...given, '--tokens-file', '-'], 'standard input is for the request: --other-request and --tokens-file need a file'],
    [[...given, '--other-request', '-'], 'standard input is for the request: --other-request and --tokens-file need a file']
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await run(['diagnose', ...args])
    t.equal(stderr, `payment-signature: ${message}\n`)
    t.equal(code, 2)
  }
})

t.test('two explanations of one text are alternatives', async t => {
  const secondOf = (order: string): string =>
    createHash('sha256').update(`1709912345678${order}development-only-token102551100.00`).digest('hex')
  const spaced = await run(['diagnose', ...fields, '--signature', `${part1}///${secondOf('ORDER-12345 ')}`])
  t.match(spaced.stdout, /^1\. Between orderId and the token[^]*\n2\. Between orderId and the token/)
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

t.test('many requests in lines of JSON', async t => {
  const { code, stdout, stderr } = await run(['diagnose'], { stdin: asNumbers.map(own => JSON.stringify(own)).join('\n') })
  t.equal(stdout.replace(/\d+ texts/, '3000 texts'), `✗ 40 of 41 fail: each whose amount ends in 0, and no other

1. explains 40 of 40, such as sid "s-0"
   amount was "10.5" when it was signed; your request has "10.50".
   Perhaps its decimals were different.
   → Format the amount once, with two decimals, and sign and send that same text.

3000 texts hashed
`)
  t.strictSame([code, stderr], [1, ''])
})

t.test('many requests: what explains one request is tried on the others, whose values are candidates', async t => {
  const diagnosed = async (all: readonly object[]) =>
    (await run(['diagnose'], { stdin: all.map(own => JSON.stringify(own)).join('\n') })).stdout
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

t.test('many requests: several mistakes, unexplained requests and common properties', async t => {
  const diagnosed = (all: ReadonlyArray<ReturnType<typeof signedAs>>, maxTries: number) =>
    diagnoseAll(all.map(({ request, signature }) => ({ request, signatures: [signature] })), { variant: 'A', merchantToken: 'development-only-token', maxTries })
  const right = [signedAs('30.10', 1), signedAs('20.20', 2)]
  const { stdout } = await run(['diagnose'], { stdin: right.map(own => JSON.stringify(own)).join('\n') })
  t.equal(stdout, `✓ 2 of 2 match\n\n${refused}`)
  for (const [wrong, pattern] of [
    [[signedAs('1000.10', 3, '1'), signedAs('1200.20', 4, '1')], 'begins with 1'],
    [[signedAs('99.10', 3, '1'), signedAs('120.20', 4, '1')], 'is 99.1 or more'],
    [[signedAs('9.10', 3, '1'), signedAs('9.10', 4, '1')], 'is "9.10"'],
    [[signedAs('9.10', 3, '1'), signedAs('12.20', 4, '1')], 'is 12.2 or less']
  ] as const) {
    t.match(reportOnAll(diagnosed([...right, ...wrong], 100), true, io), `✗ 2 of 4 fail: each whose amount ${pattern}, and no other\n`)
  }
  const later = [signedAs('30.10', 3, '30.10', 'the-newer-token'), signedAs('20.20', 4, '20.20', 'the-newer-token')]
  t.match(reportOnAll(diagnosed([...right, ...later], 100), true, io), 'each whose clientTimeStamp is 1709912345681 or more, and no other\n')
  const mixed = [signedAs('30.10', 1, '30.1'), signedAs('20.20', 2, '20.2'), signedAs('5.00', 3, '5.00', 'development-only-token\n'), signedAs('7.00', 4, 'x', 'y')]
  const several = reportOnAll(diagnosed(mixed, 3000), true, io)
  t.match(several, /^✗ 4 of 4 fail\n\n1\. explains 2 of 4, such as sid "s-1"\n[^]*\n2\. explains 1 of 4, such as sid "s-3"/)
  t.match(several, '✗ nothing explains 1 of 4, such as sid "s-4"')
})

t.test('many requests: a value without a text names no other request', async t => {
  const [payment, unreadable] = [signedAs('5.00', 1), signedAs('6.00', 2)]
  const stdin = [
    { ...payment, signature: '' }, { ...unreadable, request: { ...unreadable.request, amount: { toString: 1 } } }
  ].map(own => JSON.stringify(own)).join('\n')
  t.notMatch((await run(['diagnose'], { stdin })).stdout, 'that of another request')
})

t.test('many requests with one signature, or one time stamp', async t => {
  const all = [1, 2, 3].map(index => ({ ...signedAs(`${index}.00`, index), signature }))
  const lines = (all: readonly object[]) => ({ stdin: all.map(own => JSON.stringify(own)).join('\n') })
  const cached = await run(['diagnose'], lines(all))
  t.match(cached, { code: 1, stdout: /^All 3 requests have the same signature, which no signer makes for different requests\.\n {3}→ Request a signature for each payment/ })
  t.notMatch(cached.stdout, 'texts hashed')
  const constant = all.map(({ request }, index) => ({ request: { ...request, clientTimeStamp: 7 }, signature: signature.replace('8', String(index)) }))
  const repeated = diagnoseAll(constant.map(({ request, signature }) => ({ request, signatures: [signature] })), { variant: 'A', merchantToken: 'development-only-token', maxTries: 9 })
  t.match(reportOnAll(repeated, true, io), /^All 3 requests have the same clientTimeStamp\.\n/)
})

t.test('of many requests, at most 50 are searched', async t => {
  const all = Array.from({ length: 52 }, (_, index) => signedAs('1.00', index))
  const swapped = all.map((own, index) => ({ ...own, signature: all[index ^ 1]!.signature }))
  const { code, stdout } = await run(['diagnose'], { stdin: JSON.stringify(swapped) })
  t.match(stdout, /^✗ 52 of 52 fail\n\n1\. explains 50 of 52, such as sid "s-0"\n/)
  t.match(stdout, /\n0 texts hashed; 2 more failing requests were not searched\n$/)
  t.equal(code, 1)
})

t.test('many requests without a token', async t => {
  const stdin = JSON.stringify(asNumbers)
  const { code, stdout } = await run(['diagnose'], { stdin, env: {} })
  t.match(stdout, /^✗ 40 of 41 fail: each whose amount ends in 0, and no other\n- part 2 was not searched: there is no token\n\n1\. explains 40 of 40/)
  t.equal(code, 1)
  const right = await run(['diagnose'], { stdin: JSON.stringify([signedAs('1.00', 1), signedAs('2.00', 2)]), env: {} })
  t.match(right, { code: 2, stdout: '✓ 2 of 2 match in part 1\n- part 2 was not searched: there is no token\n', stderr: noToken })
})

t.test('one request with its signatures, and an argument that overrides a field', async t => {
  const [{ request, signature: wrong }] = asNumbers as [typeof asNumbers[number]]
  const stdin = `${JSON.stringify(request)}\nexpected ${signedAs('10.50', 0).signature} but got ${wrong}`
  t.match(await run(['diagnose'], { stdin }), { code: 1, stdout: 'amount was "10.5" when it was signed; your request has "10.50".' })
  t.match(await run(['diagnose', '--request', '-', 'amount=10.5'], { stdin: JSON.stringify({ ...request, signature: wrong }) }), { code: 0, stdout: /^✓ part 1 matches\n✓ part 2 matches\n/ })
})
