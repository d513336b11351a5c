import { join } from 'node:path'
import t from 'tap'
import { refuses, run } from '../../support/command-line.js'

// printf '%s' key-of-the-office | sha256sum
const digest = '0b1de613ef1d8a750f9092dfe13ce8fd2a2e21424bcf1fdcbf5db7f1402a2553'
const documented = '5e3f8e11cf4fefe495cc5586d9445ae01ea260eafbb2ec42b905b1ca926dd0ad'
const policy = '{"callers":[{"name":"anonymous","operations":["purchase"],"accountNumbers":["102551"]},' +
  `{"name":"back-office","apiKeySha256":"${digest}",` +
  '"operations":["refund"],"accountNumbers":["102551"]}]}'
const permitting = (operations: string): string => policy.replace('["purchase"]', operations)

const valid = '✓ callers: anonymous (any amount), back-office (any amount)\n'
const limited = valid.replace(' (any amount)', '')
const inquires = 'caller "anonymous" may inquire but not void: inquiries by FCRN, or by an order id of digits, get 403'
const lists = 'may inquire without a transactionId, and clear the cache, which has the same signature: the dates are not signed, ' +
  'so one such signature lists any period of the account'
const soMay = 'so may everybody who reaches the service, unless AUTHORIZE_URL refuses'
const refunds = '✗ caller "back-office": the only operation of variant B is "purchase"\n'
const accounts = ['anonymous', 'back-office']
  .map(name => `✗ caller "${name}": account number "102551" must have 8 digits (ACCOUNT_NUMBER_DIGITS)\n`).join('')

for (const [name, stdin, code, stdout, args = [], env = {}] of [
  ['a valid policy', policy, 0, valid],
  ['two faults', policy.replace('"refund"', '"refunds"').replace('}]}', ',"max\\u001bAmount":"1.00"}]}'), 1, '✗ callers.1.max\\u{1b}Amount is not known\n' +
    '✗ callers.1.operations.0 must be purchase, refund, void, inquiry or inquiry-without-id\n'],
  ['a key that is given twice, one of them escaped', permitting('["purchase"],"operation\\u0073":["refund"]'), 1, '✗ an object has "operations" twice\n'],
  ['an operation that --variant does not have', policy, 1, refunds, ['--variant', 'B']],
  ['an operation that VARIANT does not have', policy, 1, refunds, [], { VARIANT: 'B' }],
  ['an account number of another length than ACCOUNT_NUMBER_DIGITS', policy, 1, accounts, [], { ACCOUNT_NUMBER_DIGITS: '08' }],
  ['inquiries without voids', permitting('["purchase","inquiry"]'), 0, `${valid}! ${inquires}\n`],
  ['inquiries and voids', policy.replace('["refund"]', '["inquiry","void"]'), 0, '✓ callers: anonymous (any amount), back-office\n'],
  ['a digest of the documents', policy.replace(digest, documented), 1,
    '✗ caller "back-office": the digest is that of the documents, whose key nobody has: paste one of new-key\n'],
  ['limits of the amount', policy.replaceAll('],"acc', '],"maximumAmount":"9.00","acc'), 0, '✓ callers: anonymous, back-office\n'],
  ['anonymous refunds', permitting('["refund"]'), 0, `${valid}! caller "anonymous" may have refunds or voids signed: ${soMay}\n`],
  ['anonymous voids', permitting('["void"]'), 0, `${limited}! caller "anonymous" may have refunds or voids signed: ${soMay}\n`],
  ['inquiries without an id', permitting('["inquiry-without-id"]').replace('["refund"]', '["inquiry-without-id","refund"]'), 0,
    `${limited}! caller "anonymous" ${lists}; ${soMay}\n! caller "back-office" ${lists}\n`]
] as ReadonlyArray<[string, string, number, string, string[]?, Record<string, string>?]>) {
  t.test(name, async t => {
    t.strictSame(await run(['check-policy', '-', ...args], { stdin, env }), { code, stdout, stderr: '' })
  })
}

t.test('the variant is that of the merchants', async t => {
  const merchants = (...variants: string[]) => JSON.stringify({
    merchants: variants.map((variant, index) => ({ name: `m${index}`, accountNumbers: [`10255${index}`], token: `${'ab'[index]}Zq81xW-token-${index}`, variant }))
  })
  const folder = t.testdir({ b: merchants('B', 'B'), ab: merchants('A', 'B') })
  for (const [file, VARIANT, expected] of [['b', 'A', { code: 1, stdout: refunds }], ['ab', 'B', { code: 0, stdout: valid }]] as const) {
    const env = { MERCHANTS_FILE: join(folder, file), VARIANT }
    t.strictSame(await run(['check-policy', '-'], { stdin: policy, env }), { ...expected, stderr: '' })
  }
})

const folder = t.testdir({
  'policy.json': policy.replace('["purchase"],', '["purchase"],"maximumAmount":"500.00",'),
  'keys-only.json': policy.replace(/\{"name":"anonymous".*?\},/, '')
})

for (const [name, change, code, line, args = []] of [
  ['a request that is signed', {}, 0, '✓ 200, signed'],
  ['a rule', { amount: '500.01' }, 1, '✗ 403 policy; reason=maximumAmount: caller "anonymous" may not sign an amount above 500.00 (maximumAmount)'],
  ['strict fields, which a policy implies', { amount: 12.5 }, 1,
    '✗ 400 strict; field=amount: amount must be a string: 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'],
  ['a field of the specification', { sid: '' }, 1, '✗ 400 sid-required; field=sid: sid is required (client-generated session ID)'],
  ['another caller', {}, 1, '✗ 403 policy; reason=operations: caller "back-office" may not sign this operation (operations)', ['--caller', 'back-office']]
] as ReadonlyArray<[string, object, number, string, string[]?]>) {
  t.test(`--request: ${name}`, async t => {
    const stdin = JSON.stringify({ amount: '1.00', merchantAccountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678, ...change })
    const outcome = await run(['check-policy', join(folder, 'policy.json'), '--request', '-', ...args], { stdin })
    t.strictSame(outcome, { code, stdout: `${limited}${line}\n`, stderr: '' })
  })
}

t.test('--request without a key, under a policy without an anonymous caller', async t => {
  const outcome = await run(['check-policy', join(folder, 'keys-only.json'), '--request', '-'], { stdin: '{"sid":"s"}' })
  t.strictSame(outcome, {
    code: 1, stderr: '', stdout: '✓ callers: back-office (any amount)\n✗ 401 api-key-required: An API key is required: send it as Authorization: Bearer\n'
  })
})

t.test('--request judges duplicate fields and the time stamp, as the service does', async t => {
  const file = join(folder, 'policy.json')
  const purchase = '"operationType":"purchase","merchantAccountNumber":"102551","sid":"s","amount":"1.00"'
  const ahead = Date.now() + 90_000_000
  for (const [request, message] of [
    [`{${purchase},"clientTimeStamp":1709912345678}`, '✓ 200, signed'],
    [`{${purchase},"amount":"2.00","clientTimeStamp":1709912345678}`, '✗ 400 strict; field=amount: amount must be given only once'],
    [`curl -d '{${purchase},"clientTimeStamp":1709912345678}' http://pay.example`, '✓ 200, signed'],
    [`curl -d '{${purchase},"sid":"t","clientTimeStamp":1709912345678}' x`, '✗ 400 strict; field=sid: sid must be given only once'],
    [JSON.stringify({ level: 30, body: JSON.parse(`{${purchase},"clientTimeStamp":1709912345678}`) }), '✓ 200, signed'],
    [`{${purchase},"clientTimeStamp":${ahead}}`, '✗ 400 strict; field=clientTimeStamp: clientTimeStamp']
  ] as const) {
    const { stdout } = await run(['check-policy', file, '--request', '-'], { stdin: request })
    t.match(stdout, message, request)
  }
  await refuses(t, ['check-policy', file, '--request', '{"sid":"canary"}'],
    'the file, whose name is not shown (pass the path of a file) cannot be read (ENOENT)')
})

t.test('wrong usage of --request', async t => {
  const file = join(folder, 'policy.json')
  for (const [args, message] of [
    [['--request', '-', '--caller', 'ofice'], 'the policy has no caller "ofice"'],
    [['--caller', 'anonymous'], '--caller needs --request']
  ] as const) await refuses(t, ['check-policy', file, ...args], message, { stdin: '{"sid":"s"}' })
})

t.test('wrong usage', async t => {
  for (const [args, message, env = {}] of [
    [['-'], 'standard input is not JSON: see line 2, column 1'],
    [['/nowhere/policy.json'], '/nowhere/policy.json cannot be read (ENOENT)'],
    [[], 'missing FILE: the path of the policy, such as policy.json'],
    ...['0', '33', '-1', 'six', '6.0', ''].map((digits): [string[], string, Record<string, string>] =>
      [['-'], 'ACCOUNT_NUMBER_DIGITS must be an integer from 1 to 32', { ACCOUNT_NUMBER_DIGITS: digits }])
  ] as ReadonlyArray<[string[], string, Record<string, string>?]>) {
    await refuses(t, ['check-policy', ...args], message, { stdin: '{"callers":1,\n}', env })
  }
})
