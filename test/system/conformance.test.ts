import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run as runMain } from '../support/command-line.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

const folder = join(root, 'test/conformance')
const python = join(folder, 'reference.py')

const withoutPython = lacking('python3')
const withoutPhp = lacking('php')

/** Runs `payment-signature conformance`. */
async function run (args: string[]): Promise<{ code: number, output: string }> {
  const { code, stdout } = await runMain(['conformance', ...args], { env: { PATH: process.env.PATH } })
  return { code, output: stdout }
}

/** The reference client with a change. */
function changed (t: Test, from: string, to: string): string {
  const program = readFileSync(python, 'utf8')
  t.ok(program.includes(from))
  return join(t.testdir({ 'client.py': program.replace(from, to) }), 'client.py')
}

t.test('a Python program signs all vectors', { skip: withoutPython }, async t => {
  const { code, output } = await run(['--batch', '--', 'python3', python, '--batch'])
  t.match(output, /\n444 of 444 vectors passed\n$/)
  t.match(output, /^ {2}✓ {2}A {2}4\.3 refund +7\/7$/m)
  t.notMatch(output, '✗')
  t.equal(code, 0)
})

t.test('PHP\'s SHA-256 gives all signatures of texts that its JSON decoder accepts', { skip: withoutPhp }, async t => {
  const { output } = await run(['--batch', '--', 'php', '-n', join(folder, 'reference.php')])
  t.strictSame(output.match(/✗ {2}.*/g), ['✗  A  4.2 lone surrogate              0/4', '✗  B  4.2 lone surrogate              0/3'])
  t.match(output, /\n437 of 444 vectors passed\n0 signed another text\n7 without a valid answer\n$/)
})

t.test('one Python process for each request signs all vectors', { skip: withoutPython }, async t => {
  const { code, output } = await run(['--rule', 'Lone SURROGATE', '--', 'python3', python])
  t.match(output, /\n7 of 7 vectors passed\n$/)
  t.equal(code, 0)
})

const sample = (name: string): string => join(root, 'examples/samples', name)

/** Number of vectors that a sample passes, according to the documentation. */
const documented = (name: string): number => {
  const page = readFileSync(join(root, 'docs/specification.md'), 'utf8')
  return Number(new RegExp(`\\[${name}\\]\\S*\\s+\\((?:passes\\s+)?(\\d+)\\)`).exec(page)?.[1])
}

for (const [name, skip, command] of [
  ['sign.py', withoutPython, () => ['--batch', '--', 'python3', sample('sign.py'), '--batch']],
  ['sign.php', withoutPhp, () => ['--', 'php', '-n', sample('sign.php')]],
  ['sign.go', lacking('go'), (program: string) => {
    execFileSync('go', ['build', '-o', program, sample('sign.go')])
    return ['--batch', '--', program, '--batch']
  }]
] as const) {
  t.test(`the sample ${name} passes what is documented`, { skip }, async t => {
    const { code, output } = await run(['--safe', ...command(join(t.testdir(), 'sign'))])
    t.match(output, `\n${documented(name)} of 444 vectors passed\n0 signed another text\n`)
    t.equal(code, 0, 'no wrong signature')
  })
}

t.test('a shell with sha256sum signs the vectors that need no JSON parser', { skip: lacking('sh', 'sed', 'sha256sum') }, async t => {
  const rules = ['4.3 purchase', '4.3 refund', '4.3 void', '4.4 no operation', '4.1 account number', 'nothing trimmed']
  const { code, output } = await run([...rules.flatMap(rule => ['--rule', rule]), '--', 'sh', join(folder, 'reference.sh')])
  t.match(output, /\n48 of 48 vectors passed\n$/)
  t.equal(code, 0)
})

t.test('an implementation that copies the FCRN into the order id fails', { skip: withoutPython }, async t => {
  const client = changed(t, 'order_id or "null"\n    if', 'order_id or optional(request, "transactionFCRN")\n    if')
  const { code, output } = await run(['--json', '--batch', '--variant=a', '--rule', '4.3 refund', '--', 'python3', client, '--batch'])
  t.equal(code, 1)
  const report = JSON.parse(output)
  t.same(report.rules, [{ variant: 'A', rule: '4.3 refund', passed: 3, total: 7 }])
  t.match(report.failures[0], {
    problem: '',
    expected: { part2: '1709912345678null<merchantToken>102551100.00987654' },
    hint: 'the order id is never filled in from transactionFCRN; when it is empty, part 2 has the text null'
  })
  t.equal('part1' in report.failures[0].expected, false)
  t.same(report.leftOut, [])
})
