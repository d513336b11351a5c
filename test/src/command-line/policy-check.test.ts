import { join } from 'node:path'
import t from 'tap'
import { run } from '../../support/command-line.js'

const policy = '{"callers":[{"name":"anonymous","anonymous":true,"operations":["purchase"],"accountNumbers":["102551"]},' +
  '{"name":"back-office","apiKeySha256":"c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e",' +
  '"operations":["refund"],"accountNumbers":["102551"]}]}'
const faulty = policy.replace('"refund"', '"refunds"').replace('}]}', ',"max\u001bAmount":"1.00"}]}')

t.test('one that can be used', async t => {
  const path = join(t.testdir({ 'policy.json': policy }), 'policy.json')
  t.same(await run(['policy', 'check', path]), { code: 0, stdout: '✓ callers: anonymous, back-office\n', stderr: '', terminal: '' })
  t.equal((await run(['policy', 'check', '-', '--json'], { stdin: policy })).stdout, '{"ok":true,"faults":[]}\n')
})

t.test('each fault is a line', async t => {
  const { code, stdout, stderr } = await run(['policy', 'check', '-'], { stdin: faulty.replace('\u001b', '\\u001b') })
  t.equal(stdout, '✗ callers.1.max\\u{1b}Amount is not known\n' +
    '✗ callers.1.operations.0 must be purchase, refund, void or inquiry\n')
  t.equal(stderr, '')
  t.equal(code, 1)
  const asJson = await run(['policy', 'check', '-', '--json'], { stdin: '{"callers":[]}' })
  t.equal(asJson.stdout, '{"ok":false,"faults":["callers must be a list of at least one caller"]}\n')
  t.equal(asJson.code, 1)
})

t.test('what is no policy file', async t => {
  const cases: Array<[string[], string]> = [
    [['check', '-'], 'standard input is not JSON: see line 2, column 1'],
    [['check', '/nowhere/policy.json'], '/nowhere/policy.json cannot be read (ENOENT)'],
    [['check'], 'usage: payment-signature policy check FILE'],
    [['test', 'policy.json'], 'usage: payment-signature policy check FILE']
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await run(['policy', ...args], { stdin: '{"callers":1,\n}' })
    t.equal(stderr, `payment-signature: ${message}\n`)
    t.equal(code, 2)
  }
})
