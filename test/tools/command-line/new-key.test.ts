import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { refuses, run } from '../../support/command-line.js'

const merchants = JSON.stringify({
  merchants: [
    { name: 'shop-1', accountNumbers: ['102551', '102552'], token: 'token-of-shop-1-4b7d93' },
    { name: 'shop-2', accountNumbers: ['200417'], token: 'token-of-shop-2-8ce1a5', variant: 'B' }
  ]
})
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

t.test('new-key prints a key once, and the entry of the policy with its digest', async t => {
  const { code, stdout, stderr } = await run(['new-key', 'office', '--account-numbers', '102551, 102552', '--operations', 'refund,void'])
  t.match({ code, stderr }, { code: 0, stderr: /^$/ })
  const [, key = '', entry = ''] = /^The key, which is shown only now:\n\n(psk_[0-9a-f]{64})\n\nIts entry .*\n\n(\{[^]*\})\n$/.exec(stdout) ?? []
  t.strictSame(JSON.parse(entry), {
    name: 'office', apiKeySha256: sha256(key), operations: ['refund', 'void'], accountNumbers: ['102551', '102552']
  })
  const again = JSON.parse((await run(['new-key', 'office', '--account-numbers', '102551'])).stdout.replace(/^[^{]*/, ''))
  t.match(again, { apiKeySha256: /^[0-9a-f]{64}$/, operations: ['purchase'] })
  t.not(again.apiKeySha256, sha256(key))
  t.match(await run(['check-policy', '-'], { stdin: JSON.stringify({ callers: [again] }) }), { code: 0, stdout: '✓ callers: office (any amount)\n' })
})

t.test('new-key writes a key for each merchant into a private file, and prints a policy', async t => {
  const folder = t.testdir({ 'merchants.json': merchants })
  const [path, out] = [join(folder, 'merchants.json'), join(folder, 'keys.json')]
  chmodSync(path, 0o600)
  const { code, stdout } = await run(['new-key', '--merchants-file', path, '--keys-file', out])
  t.equal(code, 0)
  t.equal(statSync(out).mode & 0o777, 0o600)
  const keys = JSON.parse(readFileSync(out, 'utf8'))
  t.match(keys, { 'shop-1': /^psk_[0-9a-f]{64}$/, 'shop-2': /^psk_[0-9a-f]{64}$/ })
  t.strictSame(JSON.parse(stdout), {
    callers: [
      { name: 'shop-1', apiKeySha256: sha256(keys['shop-1']), operations: ['purchase'], accountNumbers: ['102551', '102552'] },
      { name: 'shop-2', apiKeySha256: sha256(keys['shop-2']), operations: ['purchase'], accountNumbers: ['200417'] }
    ]
  })
  await refuses(t, ['new-key', '--merchants-file', path, '--keys-file', out], `${out} exists, and may have keys that are in use: pass the path of a new file`)
  t.strictSame(JSON.parse(readFileSync(out, 'utf8')), keys)
  t.match(await run(['new-key', 'shop-2', '--merchants-file', path]), { code: 0, stdout: /"accountNumbers": \[\n {4}"200417"\n {2}\]/ })
  await refuses(t, ['new-key', 'shop-3', '--merchants-file', path], `${path} has no merchant "shop-3"`)
  await refuses(t, ['new-key', '--merchants-file', path, '--operations', 'refund', '--keys-file', `${out}2`],
    'caller "shop-2": the only operation of variant B is "purchase"')
  await refuses(t, ['new-key', '--merchants-file', path], 'missing --keys-file FILE: the file for the keys of all merchants')
  await refuses(t, ['new-key', 'a', '--account-numbers', '102551', '--keys-file', join(folder, 'none/keys')], `${folder}/none/keys cannot be written (ENOENT)`)
})

for (const [args, message] of [
  [[], 'pass either --account-numbers LIST or --merchants-file FILE'],
  [['--account-numbers', '102551'], 'missing NAME: the name of the caller'],
  [['a b', '--account-numbers', '102551'], 'name must be 1 to 64 ASCII letters, digits, points, - and _'],
  [['a', '--account-numbers', '1025'], 'caller "a": account number "1025" must have 6 digits (ACCOUNT_NUMBER_DIGITS)'],
  [['a', '--account-numbers', '102551', '--operations', 'all'], 'operations.0 must be purchase, refund, void, inquiry or inquiry-without-id']
] as const) {
  t.test(`new-key ${args.join(' ')}`, async t => refuses(t, ['new-key', ...args], message))
}
