import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testApp } from '../../support/app.js'

/*
 * The scheme joins its terms without separators, so a signature of one merchant's request can be that of another
 * merchant's. Under STRICT or a policy, no token, without its trailing digits and points, begins or ends another's.
 */

const first = { name: 'first', accountNumbers: ['123456', '023456'], variant: 'A' }
const second = { name: 'second', accountNumbers: ['234561', '009876'], variant: 'A' }

/** An app for two merchants with these tokens. */
function appFor (t: Test, tokens: readonly [string, string], config: { STRICT?: 'true', POLICY_FILE?: string }) {
  const merchants = [{ ...first, token: tokens[0] }, { ...second, token: tokens[1] }]
  const caller = { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['123456'] }
  const folder = t.testdir({
    'merchants.json': JSON.stringify({ merchants }),
    'policy.json': JSON.stringify({ callers: [caller] })
  })
  const path = (name: string) => join(folder, name)
  const policy = config.POLICY_FILE === undefined ? {} : { POLICY_FILE: path(config.POLICY_FILE) }
  return testApp(t, {
    config: { ...config, ...policy, MERCHANT_TOKEN: undefined, MERCHANTS_FILE: path('merchants.json') } as never
  })
}

const guards = [['STRICT', { STRICT: 'true' }], ['a policy', { POLICY_FILE: 'policy.json' }]] as const

for (const [tokens, ofFirst, ofSecond, part2] of [
  [
    ['Kq7-secret', 'xKq7-secret1'],
    { orderId: 'Ax', accountNumber: '123456', amount: '10.50' },
    { orderId: 'A', accountNumber: '234561', amount: '0.50' },
    // printf %s 1709912345678AxKq7-secret12345610.50 | sha256sum
    '0143221e2f33ee52fcf38ac498bec618f7d79e96d61cb32ae4b1f88042c65b2f'
  ], [
    ['xKq7-secret', 'Kq7-secret1'], // of one length
    { orderId: 'A', accountNumber: '123456', amount: '10.50' },
    { orderId: 'Ax', accountNumber: '234561', amount: '0.50' },
    '0143221e2f33ee52fcf38ac498bec618f7d79e96d61cb32ae4b1f88042c65b2f'
  ], [
    ['secret-1', 'secret-10'],
    { orderId: 'A', accountNumber: '023456', amount: '10.50' },
    { orderId: 'A', accountNumber: '234561', amount: '0.50' },
    // printf %s 1709912345678Asecret-102345610.50 | sha256sum
    '6c770a131b00ff2ca08035dbb7f0ec6b901460a3e9759d85cbe5382def2a965c'
  ], [
    ['xKq7-secret', 'Kq7-secret1234567.'],
    { orderId: 'A', accountNumber: '123456', operationType: 'refund', amount: '7.00', transactionFCRN: '987654' },
    { orderId: 'Ax', accountNumber: '009876', operationType: 'void', transactionFCRN: '54' },
    // printf %s 1709912345678AxKq7-secret1234567.00987654 | sha256sum
    '538b44e4006df94b282c4ac5ba293484982b3cb077ab9bcfd0e52653be662d54'
  ]
] as const) {
  t.test(`the tokens ${tokens.join(' and ')}`, async t => {
    await t.test('a signature of one is valid for the other', async t => {
      const { app } = appFor(t, tokens, {})
      for (const request of [ofFirst, ofSecond]) {
        const payload = { ...request, sid: 's', clientTimeStamp: 1709912345678 }
        const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload })
        t.equal(response.json().signature?.slice(67), part2)
      }
    })
    for (const [name, config] of guards) {
      for (const [order, inOrder] of [['this', tokens], ['the other', [tokens[1], tokens[0]]]] as const) {
        await t.test(`${name} refuses them in ${order} order`, async t => {
          const { app, log } = appFor(t, inOrder, config)
          const error = await app.ready().then(() => undefined, (error: Error) => error)
          t.match(error, { code: 'ERR_TOKEN', message: /begins or ends/ })
          t.notMatch(log() + error?.message, /secret/)
        })
      }
    }
  })
}

for (const tokens of [
  ['Kq7-of-the-first-4b7d93', 'another-of-the-second-and-longer-8ce1a5'],
  ['abcdefghijklmnop1', '1abcdefghijklmno'], // a digit at the beginning is no part of an account number
  ['first-secret-1', 'second-secret-1']
] as const) {
  for (const [name, config] of guards) {
    t.test(`${name} accepts the tokens ${tokens.join(' and ')}`, async t => {
      await t.resolves(async () => appFor(t, tokens, config).app.ready())
    })
  }
}
