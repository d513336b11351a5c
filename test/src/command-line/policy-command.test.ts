import { join } from 'node:path'
import t from 'tap'
import { refuses, run } from '../../support/command-line.js'

// printf '%s' key-of-the-office | sha256sum
const digest = '0b1de613ef1d8a750f9092dfe13ce8fd2a2e21424bcf1fdcbf5db7f1402a2553'
const policy = '{"callers":[{"name":"anonymous","anonymous":true,"operations":["purchase"],"accountNumbers":["102551"]},' +
  `{"name":"back-office","apiKeySha256":"${digest}",` +
  '"operations":["refund"],"accountNumbers":["102551"]}]}'
const withKnownKey = policy.replace(digest, 'c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e')
const permitting = (operations: string): string => policy.replace('["purchase"]', operations)

const valid = '✓ callers: anonymous, back-office\n'
const inquires = 'caller "anonymous" may inquire but not void: its inquiries by a transactionId of digits only, by FCRN or ORDER_ID, ' +
  'get 403, since their signatures are also those of voids; those by CORRUID, or by an order id with a letter, - or _, are signed'
const lists = 'may inquire without a transactionId: the dates are not signed, so one such signature lists any period of the account'
const soMay = 'so may everybody who reaches the service, unless AUTHORIZE_URL refuses'
const refunds = '✗ caller "back-office": operations has "refund"; the only operation of variant B is "purchase"\n'
const accounts = ['anonymous', 'back-office'].map(name => `✗ caller "${name}": accountNumbers has "102551"; ` +
  'an account number must be 8 digits (ACCOUNT_NUMBER_DIGITS)\n').join('')

for (const [name, stdin, code, stdout, args = [], env = {}] of [
  ['a valid policy', policy, 0, valid],
  ['two faults', policy.replace('"refund"', '"refunds"').replace('}]}', ',"max\\u001bAmount":"1.00"}]}'), 1, '✗ callers.1.max\\u{1b}Amount is not known\n' +
    '✗ callers.1.operations.0 must be purchase, refund, void, inquiry or inquiry-without-id\n'],
  ['a key that is given twice, one of them escaped', permitting('["purchase"],"operation\\u0073":["refund"]'), 1, '✗ callers.0.operations is given twice\n'],
  ['an operation that --variant does not have', policy, 1, refunds, ['--variant', 'B']],
  ['an operation that VARIANT does not have', policy, 1, refunds, [], { VARIANT: 'b' }],
  ['--variant before VARIANT', policy, 0, valid, ['--variant', 'A'], { VARIANT: 'B' }],
  ['an account number of another length than --account-number-digits', policy, 1, accounts, ['--account-number-digits', '8']],
  ['an account number of another length than ACCOUNT_NUMBER_DIGITS', policy, 1, accounts, [], { ACCOUNT_NUMBER_DIGITS: '08' }],
  ['--account-number-digits before ACCOUNT_NUMBER_DIGITS', policy, 0, valid, ['--account-number-digits', '6'], { ACCOUNT_NUMBER_DIGITS: '8' }],
  ['inquiries without voids', permitting('["purchase","inquiry"]'), 0, `${valid}! ${inquires}\n`],
  ['inquiries and voids', policy.replace('["refund"]', '["inquiry","void"]'), 0, valid],
  ['anonymous refunds', permitting('["refund"]'), 0, `${valid}! caller "anonymous" may have refunds or voids signed: ${soMay}\n`],
  ['anonymous voids', permitting('["void"]'), 0, `${valid}! caller "anonymous" may have refunds or voids signed: ${soMay}\n`],
  ['inquiries without an id', permitting('["inquiry-without-id"]').replace('["refund"]', '["inquiry-without-id","refund"]'), 0,
    `${valid}! caller "anonymous" ${lists}; ${soMay}\n! caller "back-office" ${lists}\n`],
  ['JSON of a valid policy', permitting('["purchase","inquiry"]'), 0, `{"ok":true,"faults":[],"notes":[${JSON.stringify(inquires)}]}\n`, ['--json']],
  ['JSON of faults', '{"callers":[]}', 1, '{"ok":false,"faults":["callers must be a list of at least one caller"],"notes":[]}\n', ['--json']]
] as ReadonlyArray<[string, string, number, string, string[]?, Record<string, string>?]>) {
  t.test(name, async t => {
    t.strictSame(await run(['policy', 'check', '-', ...args], { stdin, env }), { code, stdout, stderr: '', terminal: '' })
  })
}

t.test('a key that the documentation shows is a warning, and a fault in production', async t => {
  const path = join(t.testdir({ 'policy.json': withKnownKey }), 'policy.json')
  t.match(await run(['policy', 'check', path]), {
    code: 0, stdout: valid, stderr: /^payment-signature: warning: caller "back-office": the documentation shows its key/
  })
  t.match(await run(['policy', 'check', path], { env: { NODE_ENV: 'production' } }), {
    code: 1, stdout: /^✗ caller "back-office": the documentation shows its key/, stderr: /^$/
  })
})

t.test('wrong usage', async t => {
  const usage = 'usage: payment-signature policy check FILE'
  for (const [args, message, env = {}] of [
    [['check', '-'], 'standard input is not JSON: see line 2, column 1'],
    [['check', '/nowhere/policy.json'], '/nowhere/policy.json cannot be read (ENOENT)'],
    [['check'], usage],
    [['test', 'policy.json'], usage],
    [['check', '--variant', 'C', '-'], '--variant must be A or B'],
    ...['0', '33', '-1', 'six', '6.0', ''].map(digits =>
      [['check', `--account-number-digits=${digits}`, '-'], '--account-number-digits must be an integer from 1 to 32']),
    [['check', '-'], 'ACCOUNT_NUMBER_DIGITS must be an integer from 1 to 32', { ACCOUNT_NUMBER_DIGITS: '' }]
  ] as ReadonlyArray<[string[], string, Record<string, string>?]>) {
    await refuses(t, ['policy', ...args], message, { stdin: '{"callers":1,\n}', env })
  }
})
