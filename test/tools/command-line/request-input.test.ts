import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fieldOptions } from '../../../tools/command-line/request-input.js'
import { flags, refusalOf, refuses, run } from '../../support/command-line.js'
import { body, signature } from '../../support/example.js'

t.test('each field except the token has a flag', async t => {
  const expected = [
    '--operation-type --amount --merchant-account-number --account-number --order-id --sid',
    '--client-time-stamp --transaction-fcrn --transaction-id --id-type'
  ]
  t.strictSame(Object.keys(fieldOptions).map(flag => `--${flag}`), expected.join(' ').split(' '))
  t.match((await run(['sign', '--help'])).stdout, expected.map(line => `${' '.repeat(30)}${line}\n`).join(''))
})

t.test('a request is read from flags, a file, a pipe, or several of them', async t => {
  const folder = t.testdir({ 'request.json': `\ufeff${body}\n`, 'other.json': body.replace('100.00', '5.00'), 'account.json': body.replace('102551', '7') })
  const request = join(folder, 'request.json')
  const ways: Array<[string, string[], string?]> = [
    ['flags', flags],
    ['flags, and a pipe that nobody reads', flags, 'not a request'],
    ['file', ['--request', request]],
    ['file, and a pipe that nobody reads', ['--request', request], 'not a request'],
    ['file and flag', ['--request', join(folder, 'other.json'), '--amount', '100.00']],
    ['pipe', [], body],
    ['-', ['-'], body],
    ['--request -', ['--request', '-'], body],
    ['file with merchantAccountNumber, and the flag of accountNumber', ['--request', join(folder, 'account.json'), '--account-number', '102551']],
    ['pipe and flag', ['--amount', '100.00'], body.replace('100.00', '5.00')],
    ['- and all flags', ['-', ...flags], '{"operationType":"refund"}'],
    ['- and flags, of which the pipe has the rest', ['-', ...flags.slice(4)], '{"operationType":"purchase","amount":"100.00"}'],
    ['a pipe that nobody reads, and accountNumber', flags.map(flag => flag.replace('--merchant-account', '--account')), 'no request']
  ]
  for (const [name, args, stdin] of ways) {
    t.strictSame(await run(['sign', ...args], stdin === undefined ? {} : { stdin }),
      { code: 0, stdout: `${signature}\n`, stderr: '', terminal: '' }, name)
  }
})

t.test('only a byte order mark at the beginning is ignored', async t => {
  const folder = t.testdir({ 'request.json': `\ufeff${body.replace('ORDER-12345', 'ORDER\ufeff1')}`, 'no-mark.json': body.replace('ORDER-12345', 'ORDER\ufeff1') })
  for (const name of ['request.json', 'no-mark.json']) {
    const { stdout } = await run(['explain', '--request', join(folder, name), '--json'])
    t.match(JSON.parse(stdout).terms, [{ name: 'clientTimeStamp' }, {}, {}, {}, { name: 'orderIdOrNull', text: 'ORDER\ufeff1' }], name)
  }
})

t.test('unreadable input is an error that names the fault', async t => {
  const nested = `${'{"sid":'.repeat(300_000)}1${'}'.repeat(300_000)}`
  const folder = t.testdir({ latin1: Buffer.from('{"sid":"\xe9"}', 'latin1'), 'empty.json': '' })
  const cases: Array<[string[], string, (string | Buffer)?]> = [
    [[], 'no request: pass --request FILE or flags such as --amount, or pipe one in'],
    [[], 'standard input is empty: it must contain a request', ''],
    [['-', ...flags], 'standard input is empty: it must contain a request', ''],
    [['--request', join(folder, 'empty.json')], `${join(folder, 'empty.json')} is empty: it must contain a request`],
    [['--request', join(folder, 'missing')], `${join(folder, 'missing')} cannot be read (ENOENT)`],
    [['--request', ''], 'the file with an empty name cannot be read (ENOENT)'],
    [['--request', '/dev/zero'], '/dev/zero is longer than 8 MiB'],
    [['-'], 'standard input is longer than 8 MiB', 'a'.repeat(8 * 2 ** 20 + 1)],
    ...[',', '[', '{', '\n'].map(separator =>
      [['-'], 'standard input has more than 500000 values or lines: pass a part of it', separator.repeat(500_001)] as [string[], string, string]),
    [['-'], 'standard input is empty: it must contain a request', '\n'.repeat(500_000)],
    [['--request', folder], `${folder} cannot be read (EISDIR)`],
    [['--request', join(folder, 'latin1')], `${join(folder, 'latin1')} is not UTF-8 text`],
    [['-'], 'standard input is not UTF-8 text', readFileSync(join(folder, 'latin1'))],
    [['-', '--request', 'x'], 'pass either --request or -, not both'],
    [['request'], 'unexpected argument (not shown: it may be a secret); did you mean --request FILE?']
  ]
  for (const [args, message, stdin] of cases) await refuses(t, ['sign', ...args], message, stdin === undefined ? {} : { stdin })
  const { message, code } = refusalOf(nested)
  await refuses(t, ['sign', '-'], message, { stdin: nested }, code)
})
