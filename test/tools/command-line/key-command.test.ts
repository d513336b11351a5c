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

t.test('key new prints a key once, and the entry of the policy with its digest', async t => {
  const { code, stdout, stderr } = await run(['key', 'new', 'office', '--account-numbers', '102551, 102552', '--operations', 'refund,void'])
  t.match({ code, stderr }, { code: 0, stderr: /^$/ })
  const [, key = '', entry = ''] = /^The key, which is shown only now:\n\n(psk_[0-9a-f]{64})\n\nIts entry .*\n\n(\{[^]*\})\n$/.exec(stdout) ?? []
  t.strictSame(JSON.parse(entry), {
    name: 'office', apiKeySha256: sha256(key), operations: ['refund', 'void'], accountNumbers: ['102551', '102552']
  })
  const again = JSON.parse((await run(['key', 'new', 'office', '--account-numbers', '102551', '--json'])).stdout)
  t.equal(again.caller.apiKeySha256, sha256(again.key))
  t.not(again.key, key)
  t.strictSame(again.caller.operations, ['purchase'])
  t.match(await run(['policy', 'check', '-'], { stdin: JSON.stringify({ callers: [again.caller] }) }), { code: 0, stdout: '✓ callers: office (any amount)\n' })
})

t.test('key new writes a key for each merchant into a private file, and prints a policy', async t => {
  const folder = t.testdir({ 'merchants.json': merchants })
  const [path, out] = [join(folder, 'merchants.json'), join(folder, 'keys.json')]
  chmodSync(path, 0o600)
  const { code, stdout } = await run(['key', 'new', '--merchants', path, '--out', out])
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
  await refuses(t, ['key', 'new', '--merchants', path, '--out', out], `${out} exists, and may have keys that are in use: pass the path of a new file`)
  t.strictSame(JSON.parse(readFileSync(out, 'utf8')), keys)
  t.match(await run(['key', 'new', 'shop-2', '--merchants', path]), { code: 0, stdout: /"accountNumbers": \[\n {4}"200417"\n {2}\]/ })
  await refuses(t, ['key', 'new', 'shop-3', '--merchants', path], `${path} has no merchant "shop-3"`)
  await refuses(t, ['key', 'new', '--merchants', path, '--operations', 'refund', '--out', `${out}2`],
    'caller "shop-2": the only operation of variant B is "purchase"')
  await refuses(t, ['key', 'new', '--merchants', path], 'missing --out FILE: the file for the keys of all merchants')
  await refuses(t, ['key', 'new', 'a', '--account-numbers', '102551', '--out', join(folder, 'none/keys')], `${folder}/none/keys cannot be written (ENOENT)`)
})

for (const [args, message] of [
  [[], 'usage: payment-signature key new NAME --account-numbers LIST'],
  [['new'], 'pass either --account-numbers LIST or --merchants FILE'],
  [['new', '--account-numbers', '102551'], 'missing NAME: the name of the caller'],
  [['new', 'a b', '--account-numbers', '102551'], 'name must be 1 to 64 ASCII letters, digits, points, - and _'],
  [['new', 'a', '--account-numbers', '1025'], 'caller "a": account number "1025" must have 6 digits (ACCOUNT_NUMBER_DIGITS)'],
  [['new', 'a', '--account-numbers', '102551', '--operations', 'all'], 'operations.0 must be purchase, refund, void, inquiry, inquiry-without-id or clear-cache']
] as const) {
  t.test(`key ${args.join(' ')}`, async t => refuses(t, ['key', ...args], message))
}
