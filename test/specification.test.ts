import t from 'tap'
import { createApp, type AppOptions } from '../src/embed.js'

/*
 * The specification, docs/specification.md, in its order. Comments in the tables have the two hashed texts, written by
 * hand. Digests are from python3's hashlib, and shortened to 16 digits; check one by `printf '%s' TEXT | sha256sum`.
 */

const url = '/api/generate-signature'
const request = { amount: '100.00', merchantAccountNumber: '102551', orderId: 'O-7', clientTimeStamp: 1709912345678 }
const sids = { A: 's-1', B: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11' }
const refund = { operationType: 'refund', transactionFCRN: '987654' }
const inquiry = { operationType: 'inquiry', transactionId: 'O-9', idType: 'ORDER_ID' }
const empty = [undefined, null, '', 'undefined', 'null'].map(text => ({ amount: text, orderId: text }))

function appWith (config: AppOptions['config']) {
  const app = createApp({ config: { NODE_ENV: 'test', MERCHANT_TOKEN: 'secret', ...config }, logger: false })
  t.teardown(() => app.close())
  return app
}

const apps = { A: appWith({ VARIANT: 'A' }), B: appWith({ VARIANT: 'B' }) }

/** Returns the status, and the message of an error or the shortened signature. The fields change the request above. */
async function answer (variant: 'A' | 'B', fields: object, app = apps[variant]): Promise<[number, unknown]> {
  const response = await app.inject({ method: 'POST', url, payload: { ...request, sid: sids[variant], ...fields } })
  const { error, signature = error } = response.json()
  return [response.statusCode, signature.replace(/\b([0-9a-f]{16})[0-9a-f]{48}\b/g, '$1')]
}

const signatures: Record<'A' | 'B', Array<[rule: string, signature: string, ...requests: object[]]>> = {
  A: [
    // 1709912345678s-1100.00 1709912345678O-7secret102551100.00
    ['2.1 ignored', '9fa55486342c49c5///b212c0f44bd86283', { operationType: 'sale' }, { operationType: '' },
      { accountNumber: '200417' }, { merchantToken: '' }],
    // 1709912345678 s-1 0100.500 EGP 1709912345678O-7secret 1025510100.500 EGP
    ['2.1 as sent', 'bdd0fd64a4142d56///e83c793206d3cbed',
      { amount: '0100.500 EGP', sid: ' s-1 ', merchantAccountNumber: ' 102551' }],
    // 1709912345678s-1100.5 1709912345678O-7secret102551100.5
    ['2.1 a number', '3b21bad258377187///c75805d73dae2f21', { amount: 100.50 }],
    // 1709912345678s-1100.00 1709912345678O-7secret200417100.00
    ['2.1 accountNumber', '9fa55486342c49c5///fb73bae909043875', { merchantAccountNumber: 0, accountNumber: 200417 }],
    // 1709912345678s-1100.00 1709912345678O-7another102551100.00
    ['2.1, 5 merchantToken', '9fa55486342c49c5///355290f9ae41d054', { merchantToken: 'another' }],
    // 1709912345678s-1100.00 1709912345678طلب-7secret102551100.00
    ['4.2 UTF-8', '9fa55486342c49c5///008a91d193890810', { orderId: 'طلب-7' }],
    // 1709912345678s-1 1709912345678nullsecret102551
    ['4.3 empty values', 'f6af0c07f153e556///665158fe987cc5a1', ...empty, { ...inquiry, transactionId: 'null' }],
    // 1709912345678s-1100.00 17099123456787secret102551100.00
    ['4.3 as text', '9fa55486342c49c5///2f95375c0939a68a', { orderId: 7, clientTimeStamp: '1709912345678' }],
    // 1709912345678s-1100.00 1709912345678O-7secret102551100.00
    ['4.3 purchase', '9fa55486342c49c5///b212c0f44bd86283',
      { transactionId: 'O-9' }, { ...refund, transactionFCRN: 'null' }],
    // 1709912345678s-1100.00987654 1709912345678O-7secret102551100.00987654
    ['4.3 refund', '684ce0a178d095ab///12d03f0fc9d2b2cb', refund, { ...refund, operationType: 'ReFuNd' }],
    // 1709912345678s-1987654 1709912345678O-7secret102551987654
    ['4.3 void, rule 1', '3e31d6dbe8eccb02///3e71689eed23b388', { ...refund, operationType: 'void' }],
    // 1709912345678s-1100.00987654 1709912345678nullsecret102551100.00987654
    ['4.3 rule 2: refund', '684ce0a178d095ab///d94f12aef2875657', { ...refund, orderId: '' }],
    // 1709912345678s-1987654 1709912345678nullsecret102551987654
    ['4.3 rule 2: void', '3e31d6dbe8eccb02///362f79adfdda80d5', { ...refund, operationType: 'void', orderId: '' }],
    // 1709912345678s-1O-9 1709912345678O-9secret102551O-9
    ['4.3 inquiry, rules 1, 3', '634e04136dee0d80///479188cc4fc3c217', inquiry, { ...inquiry, idType: 'order_id' }],
    // 1709912345678s-1O-9 1709912345678nullsecret102551O-9
    ['4.3 rule 3', '634e04136dee0d80///db8da3c861314ab2', { ...inquiry, idType: 'FCRN' }, { ...inquiry, idType: null }]
  ],
  B: [
    // 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00O-7 1709912345678secret102551100.00O-7
    ['4.4 no operation', 'f208c03fe98e6695///7875eb239f0dfc44', {}, { ...refund, operationType: 'void' }],
    // 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00 1709912345678secret102551100.00
    ['4.4 no orderId', '8ffa2c87ec0ba39c///ae114611be4985e0', { orderId: undefined }],
    // 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11O-7 1709912345678secret102551O-7
    ['4.4 no amount', '7601c4c64584a494///9712f652268cfb79', { amount: null }, { amount: '' }, { amount: 'undefined' }],
    // 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11nullnull 1709912345678secret102551nullnull
    ['4.4 the text null', 'c4b130afef5ed957///0f28f8f4a1e8ab55', { amount: 'null', orderId: 'null' }],
    // 17099123456785F0C5F4E-9C0B-4A43-8D6E-0D9F3D0A7B11100.00O-7 1709912345678secret102551100.00O-7
    ['4.4 any letter case', 'b892985c3858a417///7875eb239f0dfc44', { sid: sids.B.toUpperCase() }],
    // 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00O-7 1709912345678another102551100.00O-7
    ['5 merchantToken', 'f208c03fe98e6695///d1904074abd64287', { merchantToken: 'another' }]
  ]
}

t.test('2.2 the response; 3 the service keeps no state', async t => {
  for (let times = 0; times < 2; times++) {
    const response = await apps.A.inject({ method: 'POST', url, payload: { ...request, sid: 's-1' } })
    t.match([response.statusCode, response.headers['content-type']], [200, /^application\/json/])
    t.equal(response.body, '{"signature":"9fa55486342c49c56623ab6415d9f542257061d8ff467e870a5e8a14f986cb31' +
      '///b212c0f44bd862839a2c04c2e912276ee89fb8ba33505d96aa7faefb8cb9e861"}')
  }
})

const badAmount = 'Invalid amount: amount must be greater than 0'
const noAccount = 'merchantAccountNumber or accountNumber is required'
const noSid = 'sid is required (client-generated session ID)'
const noTime = 'clientTimeStamp is required (client-generated timestamp)'
const badSid = { A: 'sid must be a non-empty string', B: 'sid must be a valid GUID (UUID v4)' }
const badSids = { A: [' ', 7], B: [' ', 7, sids.B.replace('-4', '-1'), `${sids.B} `, sids.B.replace('-8', '-7')] }

for (const variant of ['A', 'B'] as const) {
  t.test(`2.1, 4.2 to 4.4, 5, 9 signatures of variant ${variant}`, async t => {
    for (const [rule, signature, ...requests] of signatures[variant]) {
      for (const fields of requests) t.strictSame(await answer(variant, fields), [200, signature], rule)
    }
  })

  t.test(`2.3, 4.1, 7 errors and their order, variant ${variant}`, async t => {
    for (const [fields, ...expected] of [
      [{ amount: '0', merchantAccountNumber: '', sid: '', clientTimeStamp: null }, 400, badAmount],
      [{ merchantAccountNumber: '', sid: '', clientTimeStamp: null }, 400, noAccount],
      [{ merchantAccountNumber: undefined, accountNumber: 0, sid: null }, 400, noAccount],
      ...[undefined, null, ''].map(sid => [{ sid, clientTimeStamp: null }, 400, noSid] as const),
      ...[undefined, null].map(clientTimeStamp => [{ sid: ' ', clientTimeStamp }, 400, noTime] as const),
      ...badSids[variant].map(sid => [{ sid }, 500, badSid[variant]] as const),
      [{ orderId: { toString: 7 } }, 500, 'Cannot convert object to primitive value']
    ] as const) t.strictSame(await answer(variant, fields), expected, JSON.stringify(fields))
  })

  t.test(`4.1, 7, 8 the amount of each operation, variant ${variant}`, async t => {
    for (const operationType of ['purchase', 'refund', 'void', 'inquiry']) {
      for (const amount of ['0', '0.00', '-5', 0, -1, '0abc', ' 0', '0x10', '1e-400', '-5 EGP']) {
        t.strictSame(await answer(variant, { operationType, amount }), [400, badAmount], `${operationType} ${amount}`)
      }
      for (const amount of [undefined, null, '', 'abc', '0.01', 1e21]) {
        t.match(await answer(variant, { operationType, amount }), [200], `${operationType} ${amount}`)
      }
    }
  })
}

t.test('4.1, 4.5, 4.6 the endpoints of the server, for pages of all origins', async t => {
  for (const path of ['/', '/health']) {
    const { statusCode, body } = await apps.B.inject(path)
    t.strictSame([statusCode, body], [200, '{"ok":true,"service":"payment-signature-backend","variant":"B"}'])
  }
  const origin = 'https://shop.example'
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  const { statusCode, headers } = await apps.A.inject({ method: 'OPTIONS', url, headers: { origin, ...asked } })
  t.match([statusCode, headers['access-control-allow-methods']], [204, /\bPOST\b/])
  for (const payload of [request, {}]) {
    const { headers } = await apps.A.inject({ method: 'POST', url, headers: { origin }, payload })
    t.equal(headers['access-control-allow-origin'], '*')
  }
})

t.test('5 MERCHANT_TOKEN has a placeholder, for development only', async t => {
  // 1709912345678s-1100.00 1709912345678O-7development-only-token102551100.00
  const app = appWith({ MERCHANT_TOKEN: undefined })
  t.strictSame(await answer('A', {}, app), [200, '9fa55486342c49c5///4864e9e1a4080d30'])
  await t.rejects(async () => appWith({ MERCHANT_TOKEN: undefined, NODE_ENV: 'production' }).ready(), /MERCHANT_TOKEN/)
})
