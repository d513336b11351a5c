import { join } from 'node:path'
import t from 'tap'
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
