import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { main } from '../../../tools/command-line/main.js'
import { refuses, run } from '../../support/command-line.js'
import { root } from '../../support/server.js'

const merchants = JSON.stringify({
  merchants: [
    { name: 'shop-1', accountNumbers: ['102551', '102552'], token: 'token-of-shop-1-4b7d93' },
    { name: 'shop-2', accountNumbers: ['200417'], token: 'token-of-shop-2-8ce1a5', variant: 'B' }
  ]
})
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const digest = sha256('an old key')
const policy = `{"callers":[
  {"name":"anonymous","operations":["purchase"],"accountNumbers":["102551"],"maximumAmount":"500.00"},
  {"name":"office","operations":["refund"],"accountNumbers":["102551"],"rate":30,"apiKeySha256":"${digest}"}]}`
const anonymous = { name: 'anonymous', operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' }
const office = { name: 'office', operations: ['refund'], accountNumbers: ['102551'], rate: 30 }

/** Makes a folder with a policy and a file of merchants. Returns their paths, and functions that read the policy. */
function files (t: Test) {
  const folder = t.testdir({ 'policy.json': policy, 'merchants.json': merchants })
  const path = join(folder, 'policy.json')
  chmodSync(join(folder, 'merchants.json'), 0o600)
  return {
    folder, path, merchantsFile: join(folder, 'merchants.json'), keysFile: join(folder, 'keys.json'), callers: () => JSON.parse(readFileSync(path, 'utf8')).callers
  }
}

const keyIn = (stdout: string): string => /^The key, which is shown only now:\n\n(psk_[0-9a-f]{64})\n\n/.exec(stdout)?.[1] ?? 'none'

t.test('new-key prints a key once, and the entry of the policy with its digest', async t => {
  const { code, stdout, stderr } = await run(['new-key', 'office', '--account-numbers', '102551, 102552', '--operations', 'refund,void'])
  t.match({ code, stderr }, { code: 0, stderr: /^$/ })
  t.equal(stdout.replace(/^.*\n\n.*\n\n/, ''), `Its entry in "callers" of the policy:

{
  "name": "office",
  "apiKeySha256": "${sha256(keyIn(stdout))}",
  "operations": ["refund", "void"],
  "accountNumbers": ["102551", "102552"]
}
`)
  const again = await run(['new-key', 'office', '--account-numbers', '102551'])
  t.match(again.stdout, '"operations": ["purchase"]')
  t.not(keyIn(again.stdout), keyIn(stdout))
})

t.test('new-key adds a caller to a policy, whose file keeps owner, group, mode and link', async t => {
  const { folder, path, callers } = files(t)
  const link = join(folder, 'link.json')
  symlinkSync('policy.json', link)
  chmodSync(path, 0o640)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(path, 61184, 61185)
  const { code, stdout } = await run(['new-key', 'reports', '--account-numbers', '102551', '--operations', 'inquiry', '--policy-file', link])
  t.equal(code, 0)
  t.match(stdout, `${link} has the digest of reports; the service reads it within 10 seconds\n`)
  t.strictSame(callers(), [anonymous, { ...office, apiKeySha256: digest }, {
    name: 'reports', apiKeySha256: sha256(keyIn(stdout)), operations: ['inquiry'], accountNumbers: ['102551']
  }])
  const { mode, uid, gid } = statSync(path)
  t.equal(mode & 0o777, 0o640)
  if (isRoot) t.strictSame([uid, gid], [61184, 61185])
  t.strictSame(readdirSync(folder).toSorted(), ['link.json', 'merchants.json', 'policy.json'])
  t.equal(readFileSync(link, 'utf8'), readFileSync(path, 'utf8'))
  await refuses(t, ['new-key', 'reports', '--account-numbers', '102551', '--policy-file', path],
    `${path} has a caller "reports": --add-digest makes a second key for it, --replace another one`)
})

t.test('the first key of a policy with the caller anonymous is a warning: Authorization must be a key from then on', async t => {
  const { path } = files(t)
  const add = async (name: string) => (await run(['new-key', name, '--account-numbers', '102551', '--policy-file', path])).stdout
  t.notMatch(await add('reports'), '! ', 'the policy had a key')
  writeFileSync(path, JSON.stringify({ callers: [anonymous] }))
  t.match(await add('reports'), /seconds\n! the policy had no key: from now on, the header Authorization must have a key, and pages that send a session in it get 401\n$/)
  t.notMatch(await add('office'), '! ')
})

t.test('a rotation: a second key, then another one', async t => {
  const { path, callers } = files(t)
  const second = keyIn((await run(['new-key', 'office', '--policy-file', path, '--add-digest'])).stdout)
  t.strictSame(callers(), [anonymous, { ...office, apiKeySha256: [digest, sha256(second)] }])
  const other = keyIn((await run(['new-key', 'office', '--policy-file', path, '--replace'])).stdout)
  t.strictSame(callers(), [anonymous, { ...office, apiKeySha256: sha256(other) }])
  for (let count = 2; count <= 4; count++) t.equal((await run(['new-key', 'office', '--policy-file', path, '--add-digest'])).code, 0)
  await refuses(t, ['new-key', 'office', '--policy-file', path, '--add-digest'],
    'apiKeySha256 must be the digest that new-key prints, not the key: 64 lowercase hexadecimal digits, or a list of 1 to 4')
  t.equal(callers()[1].apiKeySha256.length, 4)
})

t.test('a policy that does not exist is made', async t => {
  const path = join(t.testdir(), 'policy.json')
  t.equal((await run(['new-key', 'office', '--account-numbers', '102551', '--policy-file', path])).code, 0)
  t.match(await run(['check-policy', path]), { code: 0, stdout: '✓ callers: office (any amount)\n' })
  t.equal(statSync(path).mode & 0o777, 0o644)
})

t.test('each merchant without a caller gets a key, and the alert one; a repeat changes nothing', async t => {
  const { folder, path, merchantsFile, keysFile, callers } = files(t)
  const args = ['new-key', '--merchants-file', merchantsFile, '--policy-file', path, '--maximum-amount', '300.00', '--keys-file']
  t.strictSame(await run([...args, keysFile]), {
    code: 0, stdout: `${path} has the digest of shop-1, shop-2, probe; the service reads it within 10 seconds\n`, stderr: ''
  })
  t.equal(statSync(keysFile).mode & 0o777, 0o600)
  const keys = JSON.parse(readFileSync(keysFile, 'utf8'))
  t.strictSame(Object.keys(keys), ['shop-1', 'shop-2', 'probe'])
  const [ofShop1, ofShop2, ofProbe] = Object.values(keys).map(key => sha256(String(key)))
  const purchase = { operations: ['purchase'], maximumAmount: '300.00' }
  const before = [
    anonymous, { ...office, apiKeySha256: digest },
    { name: 'shop-1', apiKeySha256: ofShop1, ...purchase, accountNumbers: ['102551', '102552'] },
    { name: 'shop-2', apiKeySha256: ofShop2, ...purchase, accountNumbers: ['200417'] },
    { name: 'probe', apiKeySha256: ofProbe, operations: ['inquiry'], accountNumbers: ['102551'] }
  ]
  t.strictSame(callers(), before)
  await refuses(t, [...args, join(folder, 'other.json')], `${path} has a caller for each merchant`)
  writeFileSync(merchantsFile, merchants.replace('"name":"shop-2"', '"name":"__proto__"'))
  await refuses(t, [...args, keysFile], `${keysFile} exists, and may have keys that are in use: pass the path of a new file`)
  t.strictSame(callers(), before)
  t.equal((await run([...args, join(folder, 'new.json')])).code, 0)
  t.strictSame(callers().slice(0, 5), before)
  t.match(callers()[5], { name: '__proto__' })
  t.match(readFileSync(join(folder, 'new.json'), 'utf8'), /^\{\n {2}"__proto__": "psk_[0-9a-f]{64}"\n\}\n$/)
})

t.test('one merchant of a file, and a file of variant B, which has no probe', async t => {
  const { folder, path, merchantsFile, keysFile, callers } = files(t)
  const args = ['--merchants-file', merchantsFile, '--policy-file', path, '--maximum-amount', '300.00']
  await refuses(t, ['new-key', 'shop-3', ...args], `${merchantsFile} has no merchant "shop-3"`)
  t.match((await run(['new-key', 'shop-2', ...args])).stdout, 'has the digest of shop-2;')
  t.match(callers()[2], { name: 'shop-2', accountNumbers: ['200417'] })
  const ofB = join(folder, 'b.json')
  writeFileSync(merchantsFile, merchants.replace('"accountNumbers":["102551","102552"]', '"variant":"B","accountNumbers":["102551"]'))
  const allB = ['new-key', '--merchants-file', merchantsFile, '--policy-file', ofB, '--keys-file', keysFile, '--maximum-amount', '1.00']
  await refuses(t, [...allB, '--operations', 'refund'], 'caller "shop-1": the only operation of variant B is "purchase"')
  t.match((await run(allB)).stdout, 'has the digest of shop-1, shop-2;')
})

t.test('a policy is never left empty or in part', async t => {
  const { folder, path, keysFile } = files(t)
  const add = ['new-key', 'reports', '--account-numbers', '102551', '--operations', 'inquiry', '--policy-file', path]
  for (const [content, message] of [
    [policy.replace('"102551"', '"1025"'), 'caller "anonymous": account number "1025" must have 6 digits (ACCOUNT_NUMBER_DIGITS)'],
    [policy.replace('"rate":30', '"rate":30,"rate":31'), 'an object has "rate" twice'],
    ['', 'is not JSON: see line 1, column 1']
  ] as const) {
    writeFileSync(path, content)
    await refuses(t, add, `${path}${content === '' ? '' : ':'} ${message}`)
    t.equal(readFileSync(path, 'utf8'), content)
  }
  writeFileSync(path, policy)
  const stdout = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done(new Error('nobody reads')) }), { isTTY: false })
  stdout.on('error', () => {})
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
  t.equal(await main(add, { stdin: process.stdin, stdout, stderr, env: {} }), 2, 'a key that nobody has seen')
  t.equal(readFileSync(path, 'utf8'), policy)
  await refuses(t, [...add, '--keys-file', join(folder, 'none/keys')], `${folder}/none/keys cannot be written (ENOENT)`)
  mkdirSync(join(folder, 'mounted')) // such as a file that is mounted on its own: it cannot be replaced
  const refused = await run([...add.slice(0, -1), join(folder, 'mounted'), '--keys-file', keysFile])
  t.match(refused, { code: 2, stderr: /mounted cannot be read \(EISDIR\)\n$/ })
  t.notOk(existsSync(keysFile))
})

t.test('a file that cannot be replaced is as it was, and no key is left', async t => {
  const isRoot = process.getuid?.() === 0 // without a capability, root is like another user
  for (const [code, capability, prepare] of [
    ['EACCES', '-dac_override', (folder: string) => chmodSync(folder, 0o555)],
    ['EPERM', '-chown', (folder: string) => chownSync(join(folder, 'policy.json'), 61184, 61184)]
  ] as const) {
    if (code === 'EPERM' && !isRoot) continue
    const { folder, keysFile } = files(t)
    const own = join(folder, 'etc')
    mkdirSync(own)
    writeFileSync(join(own, 'policy.json'), policy)
    prepare(own)
    const program = [process.execPath, join(root, 'dist/tools/command-line/payment-signature.js')]
    const args = ['new-key', 'office', '--replace', '--policy-file', join(own, 'policy.json'), '--keys-file', keysFile]
    const setpriv = isRoot ? ['setpriv', '--bounding-set', capability] : []
    const { status, stderr } = spawnSync('env', ['-i', `PATH=${process.env.PATH}`, ...setpriv, ...program, ...args], { encoding: 'utf8' })
    chmodSync(own, 0o755)
    t.strictSame([status, stderr], [2, `payment-signature: ${own}/policy.json cannot be replaced (${code}), and is as it was: run the command as the ` +
      'owner of the file, or with sudo. The new key is in no policy\n'])
    t.equal(readFileSync(join(own, 'policy.json'), 'utf8'), policy)
    t.strictSame([readdirSync(own), existsSync(keysFile)], [['policy.json'], false])
  }
})

const missing = 'pass one of --account-numbers LIST, --merchants-file FILE, --add-digest and --replace'
for (const [args, message] of [
  [[], missing],
  [['a', '--account-numbers', '102551', '--replace'], missing],
  [['--account-numbers', '102551'], 'missing NAME; see --help'],
  [['--merchants-file', 'm'], 'missing --policy-file, --keys-file, --maximum-amount; see --help'],
  [['--merchants-file', 'm', '--policy-file', 'p', '--keys-file', 'k', '--operations', 'refund'], 'missing --maximum-amount; see --help'],
  [['a', '--replace'], 'missing --policy-file; see --help'],
  [['a', '--replace', '--policy-file', 'p', '--operations', 'void'], 'a caller keeps its rights: leave out --operations and --maximum-amount'],
  [['a', '--replace', '--policy-file', 'nowhere'], 'nowhere has no caller "a"'],
  [['a b', '--account-numbers', '102551'], 'name must be 1 to 64 ASCII letters, digits, points, - and _'],
  [['a', '--account-numbers', '1025'], 'caller "a": account number "1025" must have 6 digits (ACCOUNT_NUMBER_DIGITS)'],
  [['a', '--account-numbers', '102551', '--operations', 'all'], 'operations.0 must be purchase, refund, void, inquiry or inquiry-without-id']
] as const) {
  t.test(`new-key ${args.join(' ')}`, async t => refuses(t, ['new-key', ...args], message))
}
