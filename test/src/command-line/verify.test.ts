import t from 'tap'
import { signature } from '../../support/example.js'
import { flags, run } from '../../support/command-line.js'

const seek = 'To find the mistake, run payment-signature diagnose with the same arguments.\n'

t.test('it matches', async t => {
  t.same(await run(['verify', ...flags, '--signature', signature]), {
    code: 0, stdout: '✓ part 1 matches\n✓ part 2 matches\nThe signature matches the request.\n', stderr: '', terminal: ''
  })
  t.equal((await run(['verify', ...flags, '--signature', signature, '--json'])).stdout,
    '{"variant":"A","valid":true,"part1":true,"part2":true,"refusal":""}\n')
})

t.test('it does not, and where to look', async t => {
  const cases: Array<[string[], string, string]> = [
    [['--order-id', 'ORDER-1'], signature, '✓ part 1 matches\n✗ part 2 differs\nThe signature does not match the request: ' +
      `check the token, the account number and, in variant A, the order id.\n${seek}`],
    [['--sid', 'other'], signature, '✗ part 1 differs\n✓ part 2 matches\nThe signature does not match the request: ' +
      `check the sid: part 2 confirms the rest of part 1.\n${seek}`],
    [['--amount', '100'], signature, '✗ part 1 differs\n✗ part 2 differs\nThe signature does not match the request: ' +
      `check the time stamp, the amount and the reference first: both parts contain them.\n${seek}`],
    [[], `${signature}///`, '✓ part 1 matches\n✓ part 2 matches\nThe signature does not match the request: ' +
      `something follows the second part.\n${seek}`],
    [['--amount', '0'], signature, '✗ the request cannot be signed: Invalid amount: amount must be greater than 0\n']
  ]
  for (const [args, given, report] of cases) {
    const { code, stdout, stderr } = await run(['verify', ...flags, ...args, '--signature', given])
    t.equal(stdout, report)
    t.equal(stderr, '')
    t.equal(code, 1)
  }
  const { code, stdout } = await run(['verify', ...flags, '--amount', '0', '--signature', signature, '--json'])
  t.equal(stdout, '{"variant":"A","valid":false,"part1":false,"part2":false,' +
    '"refusal":"Invalid amount: amount must be greater than 0"}\n')
  t.equal(code, 1)
})

t.test('without a signature it cannot', async t => {
  const { code, stderr } = await run(['verify', ...flags])
  t.equal(stderr, 'payment-signature: missing --signature SIGNATURE\n')
  t.equal(code, 2)
})
