import { chmodSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import type { AppOptions } from '../../src/app.js'
import { paymentSignature, createHandler } from '../../src/fetch.js'
import { hash256 } from '../../src/scheme/variant.js'
import { testApp } from '../support/app.js'
import { officeKey } from '../support/example.js'
import { replaceFile } from '../support/replace-file.js'
import { listening, server } from '../support/server.js'

process.umask(0o077) // a file that others can read causes a warning

const url = '/api/generate-signature'
const request = {
  amount: '100.00', orderId: 'O-1', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
}

const first = { name: 'shop-1', accountNumbers: ['102551'], token: 'token-of-shop-1-4b7d93' }
const second = { name: 'shop-2', accountNumbers: ['200418', '200417'], tokenFile: 'tokens/shop-2', variant: 'B' }
const ofSecond = 'token-of-shop-2-8ce1a5'

// printf '%s' 1709912345678O-1token-of-shop-1-4b7d93102551100.00 | sha256sum
const part2OfFirst = '4e0dbbb63067d522ca31b8ab7247b15b1774fb4a2fe19504cdd22faf28aa98fd'
// printf '%s' 1709912345678O-1token-of-shop-1-new-77102551100.00 | sha256sum
const part2OfNew = '1fc1aa0f70632ddb0f4ccbcc97bc8f22e55dbbf5b938e544d783255cb2f0ef78'
// printf '%s' 1709912345678token-of-shop-2-8ce1a5200417100.00O-1 | sha256sum, and the same for 200418
const part2OfSecond = '8d6fcc1a28e7927bc08f221d32e2cbd33e06bcf9580b9c404e11b04e7f01b649'
const part2OfOther = 'd39d8935483ba93eead5a2efc1295c536da4ba11494f552f96a5fd18e2404975'

const caller = { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551', '200417'] }
const office = { name: 'office', apiKeySha256: officeKey, operations: ['refund'], accountNumbers: ['102551'] }

const replace = (path: string, content: string | object): void =>
  replaceFile(path, typeof content === 'string' ? content : JSON.stringify(content))

/** Files of two merchants, and an app with them. */
function merchantsApp (t: Test, {
  merchants = [first, second] as unknown, policy, config = {}, ...options
}: { merchants?: unknown, policy?: unknown } & Omit<AppOptions, 'merchants'> = {}) {
  const folder = t.testdir({
    'merchants.json': typeof merchants === 'string' ? merchants : JSON.stringify({ merchants }),
    'policy.json': JSON.stringify(policy ?? {}),
    tokens: { 'shop-2': `${ofSecond}\n`, empty: '' }
  })
  const path = join(folder, 'merchants.json')
  const none = { MERCHANT_TOKEN: undefined } as unknown as NonNullable<AppOptions['config']>
  const built = testApp(t, {
    config: { ...none, MERCHANTS_FILE: path, ...policy !== undefined && { POLICY_FILE: join(folder, 'policy.json') }, ...config },
    ...options
  })
  const { app } = built
  async function ask (fields: object, headers = {}): Promise<[number, string, string?]> {
    const response = await app.inject({ method: 'POST', url, headers, payload: { ...request, ...fields } })
    const { signature, error } = response.json()
    return signature === undefined
      ? [response.statusCode, error, String(response.headers['error-code'])]
      : [response.statusCode, signature.slice(67)]
  }
  return { ...built, folder, path, ask }
}

/** Warnings and errors of a log. */
const complaints = (log: string) => log.trim().split('\n').map(line => JSON.parse(line))
  .filter(({ level }) => level >= 40).map(({ msg }) => msg)

t.test('the account number selects token and variant', async t => {
  const { app, ask, log, path } = merchantsApp(t, { config: { AUDIT: 'true' } })
  const unknown = [403, 'the account number is not known', 'account-number-unknown']
  for (const [fields, expected] of [
    [{ merchantAccountNumber: '102551' }, [200, part2OfFirst]],
    [{ accountNumber: 200417 }, [200, part2OfSecond]],
    [{ merchantAccountNumber: '200418', accountNumber: '102551' }, [200, part2OfOther]],
    [{ accountNumber: '102552' }, unknown],
    [{ accountNumber: '__proto__' }, unknown],
    // Steps 1 to 5 come first, in their order, then the account, then the rest.
    [{ accountNumber: '102552', amount: '0' }, [400, 'Invalid amount: amount must be greater than 0', 'amount-not-positive; field=amount']],
    [{ sid: '' }, [400, 'merchantAccountNumber or accountNumber is required', 'account-number-required; field=merchantAccountNumber']],
    [{ accountNumber: '102552', sid: '' }, [400, 'sid is required (client-generated session ID)', 'sid-required; field=sid']],
    [{ accountNumber: '102552', clientTimeStamp: null },
      [400, 'clientTimeStamp is required (client-generated timestamp)', 'client-timestamp-required; field=clientTimeStamp']],
    [{ accountNumber: '102552', sid: 's' }, unknown],
    [{ accountNumber: '200417', sid: 's' }, [500, 'sid must be a valid GUID (UUID v4)', 'sid-invalid; field=sid']],
    [{ accountNumber: '102551', sid: ' ' }, [500, 'sid must be a non-empty string', 'sid-invalid; field=sid']],
    [{ accountNumber: '102551', merchantToken: 'own' }, [400, 'merchantToken is not accepted: leave it out', 'body-token; field=merchantToken']],
    [{ accountNumber: '102552', merchantToken: 'own' }, unknown]
  ] as const) t.strictSame(await ask(fields), expected, JSON.stringify(fields))

  t.equal((await app.inject('/health')).json().variant, 'A,B')
  // printf '%s\n%s' '102551 A token-of-shop-1-4b7d93' '200417,200418 B token-of-shop-2-8ce1a5' |
  //   openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1'
  t.equal(app.merchantToken.keyCheckValue, '96872b')
  t.equal(app.merchantToken.source, `MERCHANTS_FILE (${path}, 2 merchants)`)
  t.strictSame(complaints(log())[0], 'whoever reaches this service gets signatures of every merchant: set POLICY_FILE or AUTHORIZE_URL')
  const audits = log().split('\n').filter(line => line.includes('"audit"')).map(line => JSON.parse(line).audit)
  t.strictSame(audits.map(({ merchant, variant, outcome }) => [merchant, variant, outcome]).slice(0, 4),
    [['shop-1', 'A', 'signed'], ['shop-2', 'B', 'signed'], ['shop-2', 'B', 'signed'], [undefined, 'A,B', 'forbidden']])
  t.notMatch(log(), /token-of-shop/)
})

t.test('an account that the policy does not name gets the refusal of the policy, known or not', async t => {
  const { ask, log } = merchantsApp(t, { policy: { callers: [caller, office] }, config: { AUDIT: 'true' } })
  const key = { authorization: 'Bearer key-of-the-office' }
  const refused = [403, 'caller "office" may not sign for this account (accountNumbers)', 'policy; reason=accountNumbers']
  t.strictSame(await ask({ accountNumber: '102551' }), [200, part2OfFirst])
  t.strictSame(await ask({ accountNumber: '200417', orderId: 'O-1' }), [200, part2OfSecond])
  for (const accountNumber of ['200417', '999999', 'x']) {
    for (const sid of [request.sid, 's']) t.strictSame(await ask({ accountNumber, sid }, key), refused)
  }
  const [signed, , known, , unknown] = log().split('\n').filter(line => line.includes('"decision"')).map(line => JSON.parse(line).audit)
  t.equal(signed.outcome, 'signed')
  t.match(known, { outcome: 'forbidden', caller: 'office', merchant: 'shop-2', accountNumber: '200417', amount: '100.00' })
  t.match(unknown, { outcome: 'forbidden', caller: 'office', merchant: undefined, accountNumber: '999999' })
  for (const { clientTimeStamp, sidSha256 } of [known, unknown]) {
    t.strictSame([clientTimeStamp, sidSha256], [String(request.clientTimeStamp), hash256(request.sid)])
  }
  t.strictSame(complaints(log()), ['POLICY_FILE: account number 200418: no caller may sign for it'])
})

t.test('a policy in report mode refuses no account', async t => {
  const { ask } = merchantsApp(t, { policy: { callers: [office] }, config: { REPORT_ONLY: 'policy' } })
  t.strictSame(await ask({ accountNumber: '200417' }, { authorization: 'Bearer key-of-the-office' }), [200, part2OfSecond])
})

t.test('a policy must fit the variants of its accounts, and names of accounts must meet', async t => {
  const forSecond = { ...office, accountNumbers: ['200417'] }
  const wrong = merchantsApp(t, { policy: { callers: [forSecond] } })
  await t.rejects(async () => wrong.app.ready(), { code: 'ERR_POLICY', message: /caller "office": operations has "refund"; the only operation of variant B is "purchase"$/ })

  const elsewhere = { ...office, accountNumbers: ['102551', '300000', '300001'] }
  const { app, ask, log, path } = merchantsApp(t, { policy: { callers: [elsewhere] } })
  await app.ready()
  t.strictSame(complaints(log()), ['POLICY_FILE: account number 300000 and 1 more: no merchant has it',
    'POLICY_FILE: account number 200418 and 1 more: no caller may sign for it'])
  replace(path, { merchants: [{ ...first, variant: 'B' }, { ...second, accountNumbers: ['300000', '300001', '300002'] }] })
  await app.watchedFiles[0]!.reload()
  t.equal(complaints(log()).length, 3, 'no warning about accounts that are not used')
  t.match(complaints(log()).at(-1), /^POLICY_FILE does not fit: caller "office": operations has "refund"; the only operation of variant B is "purchase"; keeping the current file of the merchants, 2 merchants, key check value 96872b$/)
  replace(path, { merchants: [first, { ...second, accountNumbers: ['300000', '300001', '300002'] }] })
  await app.watchedFiles[0]!.reload()
  t.equal(complaints(log()).at(-1), 'POLICY_FILE: account number 300002: no caller may sign for it')
  t.strictSame((await ask({ accountNumber: '102551', operationType: 'refund', transactionFCRN: '1' },
    { authorization: 'Bearer key-of-the-office' }))[0], 200)
})

t.test('reloads: all or nothing, without a restart', async t => {
  const { app, ask, log, path, folder } = merchantsApp(t, { config: { AUTHORIZE_URL: '' } })
  await app.ready()
  const reload = () => app.watchedFiles[0]!.reload()
  const old = await ask({ accountNumber: '102551' })

  replace(path, { merchants: [{ ...first, token: 'token-of-shop-1-new-77' }, second] })
  await reload()
  t.strictSame([old, await ask({ accountNumber: '102551' })], [[200, part2OfFirst], [200, part2OfNew]])

  replace(path, { merchants: [first, { ...second, token: 'both' }] })
  await reload()
  t.strictSame(await ask({ accountNumber: '102551' }), [200, part2OfNew])
  t.match(complaints(log()).at(-1), 'MERCHANTS_FILE: merchant "shop-2": must have either token or tokenFile; keeping the current')
  replace(path, '{"merchants": [{"name": "shop-1", "token": "s3cret-of-the-broken-file"')
  await reload()
  t.match(complaints(log()).at(-1), /^MERCHANTS_FILE is ".*", which cannot be used: the file is not JSON.*; keeping the current/)

  replace(path, { merchants: [second] })
  writeFileSync(join(folder, 'tokens/shop-2'), 'token-of-shop-2-replaced')
  await reload()
  t.strictSame((await ask({ accountNumber: '102551' }))[0], 403)
  t.not((await ask({ accountNumber: '200417' }))[1], part2OfSecond)
  writeFileSync(join(folder, 'tokens/shop-2'), ofSecond)
  await reload()
  await reload()
  t.strictSame(await ask({ accountNumber: '200417' }), [200, part2OfSecond])
  t.equal((await app.inject('/health')).json().variant, 'B')
  t.match(log(), 'the file of the merchants is unchanged, 1 merchant, key check value ')
  app.log.info('token-of-shop-1-4b7d93 token-of-shop-1-new-77 token-of-shop-2-replaced')
  t.match(log(), '"msg":"[redacted] [redacted] [redacted]"', 'replaced tokens too')
  t.notMatch(log(), /token-of-shop|s3cret-of/)

  const later = performance.now() + 61_000
  t.intercept(performance, 'now', { value: () => later })
  replace(path, { merchants: [first] })
  await reload()
  app.log.info('token-of-shop-1-4b7d93 token-of-shop-2-replaced')
  t.match(log(), '"msg":"[redacted] token-of-shop-2-replaced"', 'a minute later only those of the file')
})

t.test('at SIGHUP, files of more than 8 MiB are refused, and the service keeps what it has', async t => {
  const folder = t.testdir({ 'merchants.json': JSON.stringify({ merchants: [first] }), 'policy.json': JSON.stringify({ callers: [caller] }) })
  const files = ['MERCHANTS_FILE', 'POLICY_FILE'].map((name, index) => [name, join(folder, ['merchants.json', 'policy.json'][index]!)] as const)
  const service = server(t, Object.fromEntries(files), { isCovered: true })
  const [, port = ''] = await service.says(listening)
  for (const [, path] of files) truncateSync(path, 8 * 2 ** 20 + 1)
  service.process.kill('SIGHUP')
  for (const [name] of files) await service.says(new RegExp(`${name} is .*: the file is larger than 8388608 bytes; keeping the current`))
  const response = await fetch(`http://127.0.0.1:${port}${url}`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...request, accountNumber: '102551' })
  })
  t.match(await response.json(), { signature: new RegExp(`///${part2OfFirst}$`) })
})

t.test('the key check value of all shows that an account has another token, and not another order of the file', async t => {
  const { app, path } = merchantsApp(t)
  await app.ready()
  const seen: unknown[] = []
  for (const merchants of [
    [second, { ...first, accountNumbers: ['102551'] }],
    [{ ...first, accountNumbers: second.accountNumbers }, { ...second, accountNumbers: first.accountNumbers }],
    [{ ...first, variant: 'B' }, second]
  ]) {
    replace(path, { merchants })
    await app.watchedFiles[0]!.reload()
    seen.push(app.merchantToken.keyCheckValue)
  }
  t.equal(seen[0], '96872b')
  t.equal(new Set(seen).size, 3)
})

t.test('merchants must fit a policy that is replaced while they are checked', async t => {
  const { app, path, folder } = merchantsApp(t, { policy: { callers: [{ ...office, operations: ['purchase'] }] } })
  await app.ready()
  const [merchants, policy] = app.watchedFiles
  const { merchantToken } = app
  const hideAll = merchantToken.hideAll.bind(merchantToken)
  merchantToken.hideAll = async tokens => {
    await hideAll(tokens)
    await policy!.reload()
  }
  replace(join(folder, 'policy.json'), { callers: [office] }) // refunds, which variant B does not have
  replace(path, { merchants: [{ ...first, variant: 'B' }, second] })
  await merchants!.reload()
  t.equal(app.signingMerchants!.content.accounts.get('102551')!.variant, 'A')
})

t.test('an account that goes, changes its variant or its merchant, while the backend decides', async t => {
  let change: unknown
  const { app, ask, path } = merchantsApp(t, {
    async authorize () {
      replace(path, { merchants: change })
      await app.watchedFiles[0]!.reload()
      return true as const
    }
  })
  const unknown = [403, 'the account number is not known', 'account-number-unknown']
  change = [{ ...first, variant: 'B' }]
  t.strictSame(await ask({ accountNumber: '102551' }), unknown)
  change = [{ ...first, name: 'shop-3', variant: 'B' }]
  t.strictSame(await ask({ accountNumber: '102551' }), unknown, 'the audit would have the merchant of before')
  change = [second]
  t.strictSame(await ask({ accountNumber: '102551' }), unknown)
  change = [{ ...second, tokenFile: undefined, token: 'token-of-shop-2-8ce1a5' }]
  t.strictSame(await ask({ accountNumber: '200417' }), [200, part2OfSecond])
})

const long = 'x'.repeat(20)
const faults: ReadonlyArray<readonly [merchants: unknown, message: string, config?: AppOptions['config']]> = [
  ['{"merchants": []}', 'merchants must be a list of at least one merchant'],
  ['{"merchants":[{"name":"a","token":"s3cret-1","token":"s3cret-2","accountNumbers":["1"]}]}', 'merchant "a": "token" is given twice'],
  [`{"merchants":[],"merchants":[${JSON.stringify(first)}]}`, 'the file: "merchants" is given twice'],
  [[{ ...first, tokn: 's3cret' }], 'merchant "shop-1": tokn is not known'],
  [[{ ...first, 's3cret-token-as-a-key': 1 }], 'merchant "shop-1": a key that is not shown, since it may be a token, is not known'],
  ['{"s3cret-token-as-a-key": 1, "merchants": [{}]}', 'a key that is not shown, since it may be a token, is not known'],
  [[{ ...first, accountNumbers: ['s3cret-token-as-an-account'] }],
    'merchant "shop-1": accountNumbers has a text that is not shown, since it may be a token; an account number must be 6 digits ' +
    '(ACCOUNT_NUMBER_DIGITS)', { STRICT: true }],
  [[{ ...first, token: '' }], 'merchant "shop-1": token must be a non-empty string'],
  [[{ ...first, accountNumbers: [] }], 'merchant "shop-1": accountNumbers must be a list of at least one account number'],
  [[{ ...first, variant: 'C' }], 'merchant "shop-1": variant must be A or B'],
  [[{ ...first, token: undefined }], 'merchant "shop-1": must have either token or tokenFile'],
  [[{ ...first, token: 'development-only-token' }], 'merchant "shop-1": the token is the development token, which everybody knows'],
  [[{ ...first, keyCheckValue: '000000' }], 'merchant "shop-1": the token has the key check value 221ca6, not 000000'],
  [[first, { ...first, token: 'token-of-another', accountNumbers: ['102552'] }], 'merchant "shop-1": another merchant has this name'],
  [[first, { ...first, token: 'token-of-another', name: 'shop-3' }], 'merchant "shop-3": merchant "shop-1" has the account number "102551", too'],
  // 1025 with 99100.00 and 102599 with 100.00 are one text.
  [[{ ...first, accountNumbers: ['1025', '102599'] }],
    'merchant "shop-1": the account numbers have different lengths: a signature could be valid for two accounts'],
  [[{ ...first, accountNumbers: { A: ['1025'], B: ['102599'] } }],
    'merchant "shop-1": the account numbers have different lengths: a signature could be valid for two accounts'],
  [[{ ...first, accountNumbers: ['1025'] }, { ...first, name: 'shop-3', accountNumbers: ['102599'] }],
    'merchant "shop-3": has the token of merchant "shop-1": each merchant needs a token of its own'],
  [[{ ...first, name: 'other' }], 'merchant "other": metrics give the name "other" to further merchants'],
  [[{ ...first, name: '0123456789abcdef'.repeat(4) }], 'merchants.0: name looks like a token; log, audit and metrics show names'],
  [[{ name: first.token, token: first.token, accountNumbers: ['102552'] }],
    'merchants.0: name looks like a token; log, audit and metrics show names'],
  [[{ ...first, token: 's3cret-token', accountNumbers: ['s3cret-token'] }],
    'merchant "shop-1": accountNumbers has "[redacted]"; an account number must be 6 digits (ACCOUNT_NUMBER_DIGITS)', { STRICT: true }],
  [[{ ...first, accountNumbers: ['10255a'] }], 'merchant "shop-1": accountNumbers has "10255a"; an account number must be 6 digits ' +
    '(ACCOUNT_NUMBER_DIGITS)', { STRICT: true }],
  [[{ ...first, token: '12345678.1234567890' }], 'merchant "shop-1": STRICT needs a token that has more than digits and points', { STRICT: true }],
  ...['10', '-it'].map(end => [[first, { name: 'long', accountNumbers: ['111111'], token: `${first.token}${end}` }],
    'merchant "shop-1": without its trailing digits and points, the token begins or ends that of merchant "long": ' +
    'a signature of one could be valid for the other',
    { STRICT: true }] as const),
  [[{ name: 'long', accountNumbers: ['111111'], token: `in-${first.token}` }, first],
    'merchant "shop-1": without its trailing digits and points, the token begins or ends that of merchant "long": ' +
    'a signature of one could be valid for the other',
    { STRICT: true }]
]

for (const [merchants, message, config = {}] of faults) {
  t.test(`a fault at start: ${message}`, async t => {
    const { app, log } = merchantsApp(t, { merchants, config })
    const error = await app.ready().then(() => undefined, (error: Error) => error)
    t.match(error, { code: 'ERR_TOKEN' })
    t.equal(error?.message.split('\n').at(-1), `MERCHANTS_FILE: ${message}`)
    t.notMatch(log() + error?.message, /s3cret|token-of/)
  })
}

t.test('files that cannot be read', async t => {
  const missing = merchantsApp(t, { merchants: [{ ...second, tokenFile: 's3cret' }] })
  await t.rejects(async () => missing.app.ready(), {
    code: 'ERR_TOKEN',
    message: `MERCHANTS_FILE: merchant "shop-2": tokenFile cannot be read in the folder ${missing.folder} (ENOENT): ` +
    'it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself'
  })
  const none = merchantsApp(t, { config: { MERCHANTS_FILE: './none.json' } })
  await t.rejects(async () => none.app.ready(), {
    code: 'ERR_TOKEN',
    message: 'MERCHANTS_FILE is "./none.json", which cannot be used: ENOENT'
  })
  const inline = merchantsApp(t, { config: { MERCHANTS_FILE: JSON.stringify({ merchants: [first] }) } })
  await t.rejects(async () => inline.app.ready(), {
    code: 'ERR_TOKEN',
    message: 'MERCHANTS_FILE is a path without / or ./ before it, which cannot be used: ENOENT'
  }, 'the content, with its tokens, instead of the path')
})

t.test('warnings are counted, without tokens', async t => {
  const { app, log, path } = merchantsApp(t, {
    merchants: [
      { ...first, token: 'short' },
      { name: 'b', accountNumbers: ['2'], token: '12.34' }, // digits and points: a fault under STRICT alone
      { name: 'c', accountNumbers: ['3'], token: `${long}abcdefghijklmnopqrst` },
      { name: 'e', accountNumbers: ['5'], token: `${long}abcdefghijklmnopqrst!` }
    ],
    config: { AUTHORIZE_URL: 'http://127.0.0.1:1' }
  })
  chmodSync(path, 0o604)
  await app.ready()
  t.strictSame(complaints(log()), [
    `MERCHANTS_FILE: the file ${path}: every user of this machine can read it: chmod o-r`,
    'MERCHANTS_FILE: merchant "shop-1" and 1 more: the token has fewer than 16 characters, and can be guessed from a single signature',
    'MERCHANTS_FILE: merchant "shop-1" and 1 more: the token has fewer than 6 different characters, and can be guessed from a single signature',
    'MERCHANTS_FILE: merchant "c": without its trailing digits and points, the token begins or ends that of merchant "e": ' +
      'a signature of one could be valid for the other'
  ])
})

t.test('a merchant with accounts of both variants has one entry', async t => {
  const { app, ask, log } = merchantsApp(t, {
    merchants: [{ name: 'both', accountNumbers: { A: ['102551'], B: ['200417'] }, token: 'token-of-shop-1-4b7d93' }], config: { AUDIT: 'true' }
  })
  t.strictSame(await ask({ accountNumber: '102551' }), [200, part2OfFirst])
  // printf '%s' 1709912345678token-of-shop-1-4b7d93200417100.00O-1 | sha256sum
  t.strictSame(await ask({ accountNumber: '200417' }), [200, '3b926469a2a5d2579b86b1cb36d741a84f9a8b1529249c9ab9327051d892a5db'])
  t.match(app.merchantToken.source, ', 1 merchant)')
  const audits = log().split('\n').filter(line => line.includes('"audit"')).map(line => JSON.parse(line).audit)
  t.strictSame(audits.map(({ merchant, variant }) => [merchant, variant]), [['both', 'A'], ['both', 'B']])
})

t.test('settings that the file replaces', async t => {
  for (const [config, message] of [
    [{ MERCHANT_TOKEN: 's3cret-token' }, 'MERCHANT_TOKEN and MERCHANTS_FILE are both set; leave MERCHANT_TOKEN out'],
    [{ MERCHANT_TOKEN_FILE: 'token' }, 'MERCHANT_TOKEN_FILE and MERCHANTS_FILE are both set; leave MERCHANT_TOKEN_FILE out'],
    [{ REPORT_ONLY: 'body-token' }, 'REPORT_ONLY has body-token, which merchants always refuse'],
    [{ MERCHANT_TOKEN_KCV: '221ca6' }, 'MERCHANT_TOKEN_KCV and MERCHANTS_FILE are both set; leave MERCHANT_TOKEN_KCV out'],
    [{ VARIANT: 'A', ACCEPT_BODY_TOKEN: true }, 'VARIANT and MERCHANTS_FILE are both set; leave VARIANT out\n' +
      'ACCEPT_BODY_TOKEN and MERCHANTS_FILE are both set; leave ACCEPT_BODY_TOKEN out']
  ] as const) await t.rejects(async () => merchantsApp(t, { config }).app.ready(), { code: 'ERR_CONFIGURATION', message })
  const message = 'MERCHANTS_FILE cannot be used with the option signer or merchantToken'
  await t.rejects(async () => merchantsApp(t, { merchantToken: () => 'token' }).app.ready(), { message })
  const { app } = merchantsApp(t, { config: { ACCEPT_BODY_TOKEN: false } })
  await app.ready()
})

t.test('metrics by merchant, and one value over all tokens', async t => {
  const { app, ask } = merchantsApp(t, { config: { ADMIN_PORT: '0' } })
  await ask({ accountNumber: '102551' })
  await ask({ accountNumber: '200417', sid: 's' })
  await ask({ accountNumber: '1' })
  const text = await app.metrics!.metrics()
  t.strictSame(text.match(/^payment_signature_(?:merchant_decisions|token_info|build_info).*$/gm)!.map(line => line.replace(/version="[^"]+",/, '')), [
    `payment_signature_build_info{variant="A,B",node_version="${process.version}"} 1`,
    'payment_signature_token_info{key_check_value="96872b"} 1',
    'payment_signature_merchant_decisions_total{merchant="shop-1",outcome="signed"} 1',
    'payment_signature_merchant_decisions_total{merchant="shop-2",outcome="invalid"} 1'
  ])
  t.match(text, 'payment_signature_decisions_total{variant="A,B",operation="unknown",outcome="forbidden",caller="anonymous"} 1')
  t.match(text, 'payment_signature_decisions_total{variant="B",operation="purchase",outcome="invalid",caller="anonymous"} 1')
  t.match(text, 'payment_signature_merchants_reloads_total{result="failed"} 0')
})

t.test('the option merchants of createApp, the plugin and the fetch handler', async t => {
  const { path } = merchantsApp(t)
  const created = testApp(t, { config: { MERCHANT_TOKEN: undefined } as never, merchants: path })
  t.equal((await created.app.inject({ method: 'POST', url, payload: { ...request, accountNumber: '102551' } })).json().signature.slice(67), part2OfFirst)

  const app = Fastify()
  t.teardown(() => app.close())
  const watchedFiles: Array<{ reload (): unknown }> = []
  app.register(paymentSignature, { merchants: path, metrics: new Registry(), watchedFiles, policyPollInterval: 60_000 })
  const response = await app.inject({ method: 'POST', url, payload: { ...request, accountNumber: '200417', merchantToken: '' } })
  t.equal(response.json().signature.slice(67), part2OfSecond)
  t.equal(watchedFiles.length, 1)

  const handler = createHandler({ merchants: path, clientAddress: () => '192.0.2.1', logger: false })
  t.teardown(() => handler.close())
  const answer = await handler(new Request(`http://localhost${url}`, {
    method: 'POST', body: JSON.stringify({ ...request, accountNumber: '102552' }), headers: { 'content-type': 'application/json' }
  }))
  t.strictSame([answer.status, await answer.json()], [403, { error: 'the account number is not known' }])

  t.throws(() => createHandler({ merchants: path, variant: 'A', acceptBodyToken: true, reportOnly: 'body-token', clientAddress: () => '192.0.2.1' } as never), {
    code: 'ERR_OPTIONS',
    message: 'merchants and variant are both set; leave variant out\nmerchants and acceptBodyToken are both set; leave acceptBodyToken out\n' +
      'reportOnly has body-token, which merchants always refuse'
  })
})
