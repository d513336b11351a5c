import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AppOptions } from '../../../../src/embed.js'
import { testApp } from '../../../support/app.js'
import { officeKey } from '../../../support/example.js'
import { replaceFile } from '../../../support/replace-file.js'

process.umask(0o077) // a file that others can read causes a warning

const first = { name: 'shop-1', accountNumbers: ['102551'], token: 'token-of-shop-1-4b7d93' }
const second = { name: 'shop-2', accountNumbers: ['200418', '200417'], tokenFile: 'tokens/shop-2', variant: 'B' }

// printf '%s' 1709912345678O-1token-of-shop-1-4b7d93102551100.00 | sha256sum
const part2OfFirst = '4e0dbbb63067d522ca31b8ab7247b15b1774fb4a2fe19504cdd22faf28aa98fd'
// printf '%s' 1709912345678O-1token-of-shop-1-new-77102551100.00 | sha256sum
const part2OfNew = '1fc1aa0f70632ddb0f4ccbcc97bc8f22e55dbbf5b938e544d783255cb2f0ef78'
// printf '%s' 1709912345678token-of-shop-2-8ce1a5200417100.00O-1 | sha256sum, and the same for 200418
const part2OfSecond = '8d6fcc1a28e7927bc08f221d32e2cbd33e06bcf9580b9c404e11b04e7f01b649'
const part2OfOther = 'd39d8935483ba93eead5a2efc1295c536da4ba11494f552f96a5fd18e2404975'

const uuid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const request = { amount: '100.00', orderId: 'O-1', sid: uuid, clientTimeStamp: 1709912345678 }

const replace = (path: string, merchants: unknown): void => replaceFile(path, JSON.stringify({ merchants }))

/** Files of two merchants, and an app that reads them every 5 milliseconds. */
function merchantsApp (t: Test, {
  callers, merchants = [first, second], config = {}, ...options
}: AppOptions & { callers?: object[], merchants?: object[] } = {}) {
  const folder = t.testdir({
    'merchants.json': JSON.stringify({ merchants }),
    'policy.json': JSON.stringify({ callers }),
    tokens: { 'shop-2': 'token-of-shop-2-8ce1a5\n' }
  })
  const path = join(folder, 'merchants.json')
  const built = testApp(t, {
    config: {
      MERCHANT_TOKEN: undefined as never,
      MERCHANTS_FILE: path,
      ADMIN_PORT: 1,
      AUDIT: true,
      ...callers !== undefined && { POLICY_FILE: join(folder, 'policy.json') },
      ...config
    },
    ...options
  })
  async function ask (fields: object, headers = {}): Promise<readonly unknown[]> {
    const response = await built.app.inject({ method: 'POST', url: '/api/generate-signature', headers, payload: { ...request, ...fields } })
    const { signature, error } = response.json()
    if (signature !== undefined) return [response.statusCode, signature.slice(67)]
    return [response.statusCode, error, response.headers['error-code']]
  }
  const audits = () => built.log().split('\n').filter(line => line.includes('"decision"')).map(line => JSON.parse(line).audit)
  return { ...built, folder, path, ask, audits }
}

const unknown = [403, 'the account number is not known', 'account-number-unknown']
const ownToken = [400, 'merchantToken must be left out: only the configured token signs', 'strict; field=merchantToken']

t.test('the account number selects token and variant', async t => {
  const { app, ask, audits, log, path } = merchantsApp(t)
  for (const [fields, expected] of [
    [{ merchantAccountNumber: '102551' }, [200, part2OfFirst]],
    [{ accountNumber: 200417 }, [200, part2OfSecond]],
    [{ merchantAccountNumber: '200418', accountNumber: '102551' }, [200, part2OfOther]],
    [{ accountNumber: '102552' }, unknown],
    [{ accountNumber: '__proto__' }, unknown],
    [{ accountNumber: ['200417'] }, unknown], // text or a number
    // Steps 1 to 6 of the specification come first, then the request's own token, then the account.
    [{ accountNumber: '102552', amount: '0' }, [400, 'Invalid amount: amount must be greater than 0', 'amount-not-positive; field=amount']],
    [{}, [400, 'merchantAccountNumber or accountNumber is required', 'account-number-required; field=merchantAccountNumber']],
    [{ accountNumber: '102552', sid: '' }, [400, 'sid is required (client-generated session ID)', 'sid-required; field=sid']],
    [{ accountNumber: '102552', sid: 's' }, unknown],
    [{ accountNumber: '200417', sid: 's' }, [500, 'sid must be a valid GUID (UUID v4)', 'sid-invalid; field=sid']],
    [{ accountNumber: '102551', merchantToken: 'own' }, ownToken],
    [{ accountNumber: '102552', merchantToken: 'own' }, ownToken]
  ] as const) t.strictSame(await ask(fields), expected, JSON.stringify(fields))

  t.equal((await app.inject('/health')).json().variant, 'A,B')
  t.match(app.merchants, { tokenSource: `MERCHANTS_FILE (${path}), 2 entries`, keyCheckValue: '96872b' })
  t.strictSame(audits().map(({ merchant, variant, outcome }) => [merchant, variant, outcome]).slice(0, 4),
    [['shop-1', 'A', 'signed'], ['shop-2', 'B', 'signed'], ['shop-2', 'B', 'signed'], [undefined, 'A', 'forbidden']])
  t.notMatch(log(), /token-of-shop/)
})

t.test('an account that the policy does not name gets one answer, whether it exists or not', async t => {
  const office = { name: 'office', apiKeySha256: officeKey, operations: ['purchase'], accountNumbers: ['102551', '999990'] }
  const { ask } = merchantsApp(t, { callers: [office] })
  const key = { authorization: 'Bearer key-of-the-office' }
  const refused = [403, 'caller "office" may not sign for this account (accountNumbers)', 'policy; reason=accountNumbers']
  t.strictSame(await ask({ accountNumber: '102551', operationType: 'purchase' }, key), [200, part2OfFirst])
  t.strictSame(await ask({ accountNumber: '999990' }, key), unknown, 'the policy names an account that nobody has')
  const otherwise = {
    sid: { sid: 's' }, blank: { sid: ' ' }, token: { merchantToken: 'own' }, type: { operationType: 'purchase' }, wrong: { orderId: 'a b' }
  }
  for (const [what, fields] of Object.entries({ none: {}, ...otherwise })) {
    const [known, nobody] = [await ask({ accountNumber: '200417', ...fields }, key), await ask({ accountNumber: '999999', ...fields }, key)]
    t.strictSame(known, nobody, what)
    if (what === 'none' || what === 'sid') t.strictSame(known, refused)
  }
})

t.test('authorize is not asked about an account that is not known', async t => {
  const asked: unknown[] = []
  const { ask } = merchantsApp(t, { authorize: ({ request }) => asked.push(request.merchantAccountNumber) > 0 })
  t.strictSame(await ask({ accountNumber: '999999' }), unknown)
  t.match(await ask({ accountNumber: '102551' }), [200])
  t.strictSame(asked, ['102551'])
})

t.test('a changed file, or token file, is used; a file that cannot be used leaves the merchants as they are', async t => {
  const { app, ask, path, folder, log, says } = merchantsApp(t)
  await app.ready()
  const before = app.merchants.keyCheckValue
  t.strictSame(await ask({ accountNumber: '102551' }), [200, part2OfFirst])
  replace(path, [{ ...first, token: 'token-of-shop-1-new-77' }, second])
  await says('MERCHANTS_FILE was read again')
  t.strictSame(await ask({ accountNumber: '102551' }), [200, part2OfNew])
  writeFileSync(join(folder, 'tokens/shop-2'), 'another-token-of-shop-2')
  await says('MERCHANTS_FILE was read again', 2)
  t.not((await ask({ accountNumber: '200417' }))[1], part2OfSecond)
  t.not(app.merchants.keyCheckValue, before)
  replace(path, [{ ...first, accountNumbers: [] }])
  await says('MERCHANTS_FILE: merchants.0.accountNumbers must be a list of at least one account number; the current content stays')
  t.strictSame(await ask({ accountNumber: '102551' }), [200, part2OfNew])
  t.match(await app.metrics!.registry.metrics(), 'payment_signature_file_unusable{setting="MERCHANTS_FILE"} 1')
  t.notMatch(log(), /token-of-shop/)
})

t.test('STRICT and a policy need tokens that do not begin or end with another', async t => {
  const merchants = [first, { name: 'shop-2', accountNumbers: ['200417'], token: `x${first.token}` }]
  const callers = [{ name: 'anonymous', operations: ['purchase'], accountNumbers: ['102551'] }]
  await merchantsApp(t, { merchants }).app.ready()
  for (const guarded of [{ config: { STRICT: 'true' as const } }, { callers }]) {
    const { app, log } = merchantsApp(t, { merchants, ...guarded })
    await t.rejects(async () => app.ready(), { code: 'ERR_TOKEN', message: /a token begins or ends with another one/ })
    t.notMatch(log(), /token-of/)
  }
})

t.test('a token that a refusal of authorize quotes is in no line, and a policy follows the variants of a new file', async t => {
  const { ask, log, path, folder, says, audits } = merchantsApp(t, {
    merchants: [second],
    callers: [{ name: 'anonymous', operations: ['purchase'], accountNumbers: ['200418'] }],
    authorize: ({ request: { orderId } }) => ({ allowed: false, statusCode: 404, error: `unknown order ${orderId}` })
  })
  t.match(await ask({ orderId: 'token-of-shop-2-8ce1a5', merchantAccountNumber: '200418' }), [404])
  t.notMatch(log(), 'token-of-shop-2-8ce1a5')
  t.match(log(), '"error":"unknown order [redacted]"')
  t.match(await ask({ merchantAccountNumber: '102551' }), [403])
  t.match(audits(), [{ error: 'unknown order [redacted]', variant: 'B' }, { variant: 'A', operation: 'purchase' }])
  replace(path, [first, second])
  await says('MERCHANTS_FILE was read again')
  const callers = [{ name: 'anonymous', operations: ['refund'], accountNumbers: ['102551'] }]
  replaceFile(join(folder, 'policy.json'), JSON.stringify({ callers }))
  await says('POLICY_FILE was read again')
})

t.test('a token of digits that STRICT=report quotes is in no line', async t => {
  const token = '90817263544536271809'
  const { ask, log } = merchantsApp(t, { merchants: [{ ...first, token }], config: { STRICT: 'report' } })
  await ask({ merchantAccountNumber: '102551', operationType: 'inquiry', idType: 'FCRN', transactionId: token, amount: undefined, orderId: undefined })
  t.match(log(), 'would be refused')
  t.notMatch(log(), token)
})
