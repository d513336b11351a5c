import { join } from 'node:path'
import t from 'tap'
import { refuses, run } from '../../support/command-line.js'

// printf '%s' key-of-the-office | sha256sum
const digest = '0b1de613ef1d8a750f9092dfe13ce8fd2a2e21424bcf1fdcbf5db7f1402a2553'
const documented = '5e3f8e11cf4fefe495cc5586d9445ae01ea260eafbb2ec42b905b1ca926dd0ad'
const policy = '{"callers":[{"name":"anonymous","anonymous":true,"operations":["purchase"],"accountNumbers":["102551"]},' +
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
    '✗ callers.1.operations.0 must be purchase, refund, void, inquiry, inquiry-without-id or clear-cache\n'],
  ['a key that is given twice, one of them escaped', permitting('["purchase"],"operation\\u0073":["refund"]'), 1, '✗ an object has "operations" twice\n'],
  ['an operation that --variant does not have', policy, 1, refunds, ['--variant', 'B']],
  ['an operation that VARIANT does not have', policy, 1, refunds, [], { VARIANT: 'b' }],
  ['--variant before VARIANT', policy, 0, valid, ['--variant', 'A'], { VARIANT: 'B' }],
  ['an account number of another length than ACCOUNT_NUMBER_DIGITS', policy, 1, accounts, [], { ACCOUNT_NUMBER_DIGITS: '08' }],
  ['inquiries without voids', permitting('["purchase","inquiry"]'), 0, `${valid}! ${inquires}\n`],
  ['inquiries and voids', policy.replace('["refund"]', '["inquiry","void"]'), 0, '✓ callers: anonymous (any amount), back-office\n'],
  ['a digest of the documents', policy.replace(digest, documented), 0,
    `${valid}! the digests of back-office are those of the documents, whose keys nobody has: paste those of "key new"\n`],
  ['limits of the amount', policy.replaceAll('],"acc', '],"maximumAmount":"9.00","acc'), 0, '✓ callers: anonymous, back-office\n'],
  ['anonymous refunds', permitting('["refund"]'), 0, `${valid}! caller "anonymous" may have refunds or voids signed: ${soMay}\n`],
  ['anonymous voids', permitting('["void"]'), 0, `${limited}! caller "anonymous" may have refunds or voids signed: ${soMay}\n`],
  ['inquiries without an id', permitting('["inquiry-without-id"]').replace('["refund"]', '["clear-cache","refund"]'), 0,
    `${limited}! caller "anonymous" ${lists}; ${soMay}\n! caller "back-office" ${lists}\n`],
  ['JSON of a valid policy', permitting('["purchase","inquiry"]'), 0, `{"ok":true,"faults":[],"notes":[${JSON.stringify(inquires)}]}\n`, ['--json']],
  ['JSON of faults', '{"callers":[]}', 1, '{"ok":false,"faults":["callers must be a list of at least one caller"],"notes":[]}\n', ['--json']]
] as ReadonlyArray<[string, string, number, string, string[]?, Record<string, string>?]>) {
  t.test(name, async t => {
    t.strictSame(await run(['policy', 'check', '-', ...args], { stdin, env }), { code, stdout, stderr: '' })
  })
}

t.test('the variant is that of the merchants', async t => {
  const merchants = (...variants: string[]) => JSON.stringify({
    merchants: variants.map((variant, index) => ({ name: `m${index}`, accountNumbers: [`10255${index}`], token: `${'ab'[index]}Zq81xW-token-${index}`, variant }))
  })
  const folder = t.testdir({ b: merchants('B', 'B'), ab: merchants('A', 'B') })
  for (const [file, VARIANT, expected] of [['b', 'A', { code: 1, stdout: refunds }], ['ab', 'B', { code: 0, stdout: valid }]] as const) {
    const env = { MERCHANTS_FILE: join(folder, file), VARIANT }
    t.strictSame(await run(['policy', 'check', '-'], { stdin: policy, env }), { ...expected, stderr: '' })
  }
})

const recorded = (caller: string, fields: object, outcome = 'signed') =>
  `${JSON.stringify({ level: 30, audit: { outcome, caller, variant: 'A', accountNumber: '102551', clientTimeStamp: '1709912345678', ...fields } })}\n`

const folder = t.testdir({
  'policy.json': policy.replace('["purchase"],', '["purchase"],"maximumAmount":"500.00",'),
  'keys-only.json': policy.replace(/\{"name":"anonymous".*?\},/, ''),
  'known.log': recorded('back-office', { operation: 'purchase', amount: '1.00' }),
  'odd.log': `${recorded('anonymous', { accountNumber: '' })}\n{"audit":{"outcome":"signed","caller":"anonymous"}}`,
  'audit.log': [
    '{"level":30,"msg":"listening"}', 'no JSON', 'null', '',
    ...[['anonymous', '500.00'], ['anonymous', '500.01'], ['anonymous', '9000.00'], ['unknown', '1.00'], ['back-office', '1.00']]
      .map(([caller = '', amount]) => recorded(caller, { operation: 'purchase', amount })),
    recorded('back-office', { operation: 'refund', amount: '1.00', transactionFCRN: '1' }),
    recorded('anonymous', { operation: 'purchase', amount: '9000.00' }, 'forbidden'),
    recorded('anonymous', { operation: 'purchase', variant: 'B', amount: '1.00', orderId: 'O' })
  ].join('\n')
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
    const outcome = await run(['policy', 'check', join(folder, 'policy.json'), '--request', '-', ...args], { stdin })
    t.strictSame(outcome, { code, stdout: `${limited}${line}\n`, stderr: '' })
  })
}

t.test('--request without a key, under a policy without an anonymous caller', async t => {
  const outcome = await run(['policy', 'check', join(folder, 'keys-only.json'), '--request', '-', '--json'], { stdin: '{"sid":"s"}' })
  t.match(outcome, { code: 1, stderr: '' })
  t.strictSame(JSON.parse(outcome.stdout), {
    ok: false, faults: [], notes: [], response: { status: 401, code: 'api-key-required', error: 'An API key is required: send it as Authorization: Bearer' }
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
    const { stdout } = await run(['policy', 'check', file, '--request', '-'], { stdin: request })
    t.match(stdout, message, request)
  }
  await refuses(t, ['policy', 'check', file, '--request', '{"sid":"canary"}'],
    'the file, whose name is not shown (pass the path of a file) cannot be read (ENOENT)')
})

t.test('--audit counts the signed requests that the rules would refuse', async t => {
  const audit = ['--audit', join(folder, 'audit.log')]
  const unjudged = 'would be refused by its rules; the strict fields are not judged: the audit has no types, and cuts long values\n'
  t.strictSame(await run(['policy', 'check', join(folder, 'policy.json'), ...audit]), {
    code: 1,
    stdout: `${limited}✗ 4 of 7 signed requests ${unjudged}! lines that are not JSON: 1\n  2 anonymous (maximumAmount)\n  1 unknown (callers)\n  1 back-office (operations)\n`,
    stderr: ''
  })
  const both = policy.replace('["refund"]', '["refund","purchase"]')
  t.match(await run(['policy', 'check', '-', '--audit', join(folder, 'known.log')], { stdin: both }),
    { code: 0, stdout: `✓ 0 of 1 signed requests ${unjudged}` })
  const { stdout } = await run(['policy', 'check', join(folder, 'policy.json'), ...audit, '--json'])
  t.strictSame(JSON.parse(stdout).audit.refused[0], { caller: 'anonymous', rule: 'maximumAmount', count: 2 })
  const odd = await run(['policy', 'check', join(folder, 'policy.json'), '--audit', join(folder, 'odd.log')])
  t.match(odd, { code: 1, stdout: `✗ 2 of 2 signed requests ${unjudged}  2 anonymous (incomplete)\n`, stderr: '' })
})

t.test('wrong usage of --request and --audit', async t => {
  const file = join(folder, 'policy.json')
  for (const [args, message] of [
    [['--request', '-', '--caller', 'ofice'], 'the policy has no caller "ofice"'],
    [['--caller', 'anonymous'], '--caller needs --request'],
    [['--audit', '/nowhere/audit.log'], '/nowhere/audit.log cannot be read (ENOENT)'],
    [['--audit', folder], `${folder} cannot be read (EISDIR)`],
    [['--audit', file], `${file} has no audit line of a signed request`]
  ] as const) await refuses(t, ['policy', 'check', file, ...args], message, { stdin: '{"sid":"s"}' })
})

t.test('wrong usage', async t => {
  const usage = 'usage: payment-signature policy check FILE [options]; see --help'
  for (const [args, message, env = {}] of [
    [['check', '-'], 'standard input is not JSON: see line 2, column 1'],
    [['check', '/nowhere/policy.json'], '/nowhere/policy.json cannot be read (ENOENT)'],
    [['check'], usage],
    [['test', 'policy.json'], usage],
    [['check', '--variant', 'C', '-'], '--variant must be A or B'],
    ...['0', '33', '-1', 'six', '6.0', ''].map((digits): [string[], string, Record<string, string>] =>
      [['check', '-'], 'ACCOUNT_NUMBER_DIGITS must be an integer from 1 to 32', { ACCOUNT_NUMBER_DIGITS: digits }])
  ] as ReadonlyArray<[string[], string, Record<string, string>?]>) {
    await refuses(t, ['policy', ...args], message, { stdin: '{"callers":1,\n}', env })
  }
})
