import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { requestSignature, type SignatureRequestOptions } from '../../client/request-signature.js'
import { newSid } from '../../client/sid.js'
import { SignatureError } from '../../client/signature-error.js'
import { signedRequest } from '../../client/signed-request.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { VariantB } from '../../src/scheme/variant-b.js'
import { testApp, token } from '../support/app.js'
import { scripted, serve } from '../support/backend.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { root } from '../support/server.js'

const purchase = { operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' } as const

const signature = `${'1'.repeat(64)}///${'2'.repeat(64)}`
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Starts a server, and returns its URL. */
const urlOf = async (t: Test, listener: RequestListener): Promise<string> => `${(await serve(t, listener)).origin}/`

async function errorOf (options: object): Promise<SignatureError> {
  try {
    await requestSignature({ attempts: 1, ...options } as SignatureRequestOptions)
  } catch (error) {
    if (error instanceof SignatureError) return error
    throw error
  }
  throw new Error('there was a signature')
}

const operations = {
  purchase,
  refund: { operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '987654' },
  void: { operationType: 'void', accountNumber: '102551', transactionFCRN: '987654', orderId: 'ORDER-12345' },
  inquiry: { operationType: 'inquiry', merchantAccountNumber: '102551', transactionId: 'ORDER-12345', idType: 'ORDER_ID' },
  'clear cache': { operationType: 'clearCache', merchantAccountNumber: '102551' }
}

for (const [variant, signer] of [['A', new VariantA(token)], ['B', new VariantB(token)]] as const) {
  for (const [operation, fields] of Object.entries(operations)) {
    t.test(`${operation} of variant ${variant}`, async t => {
      const { app } = testApp(t, { config: { VARIANT: variant } })
      const before = Date.now()
      const { signature, applyTo, ...signed } =
        await requestSignature({ url: `http://127.0.0.1:${await portOf(app)}/api/generate-signature`, ...fields } as SignatureRequestOptions)
      const { sid, clientTimeStamp, ...sent } = signed
      t.strictSame(sent, fields)
      t.match(sid, uuidV4)
      t.ok(Number.isInteger(clientTimeStamp) && clientTimeStamp >= before && clientTimeStamp <= Date.now())
      t.equal(signature, signer.sign(signer.read(signed)), 'what it returns is what was signed')
    })
  }
}

t.test('what it sends', async t => {
  const requests: IncomingMessage[] = []
  const bodies: string[] = []
  const url = await urlOf(t, async (request, response) => {
    requests.push(request)
    request.setEncoding('utf8')
    bodies.push((await request.toArray()).join(''))
    response.end(JSON.stringify({ signature }))
  })
  const fields = { amount: ' 100.0 ', orderId: 'é\u200b', merchantAccountNumber: '', accountNumber: ' 1', variant: 'B' } as const
  const { sid, clientTimeStamp } = await requestSignature({
    url: new URL(url), ...fields, headers: new Headers({ authorization: 'Bearer user', 'Content-Type': 'text/plain' }), timeout: 5000
  })
  t.equal(requests.length, 1)
  t.match(requests[0], { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer user' } })
  const { variant, ...sent } = fields
  t.strictSame(JSON.parse(String(bodies[0])), { ...sent, sid, clientTimeStamp }, 'the fields, and no option')
})

t.test('cookies go where the caller says: by default to the same origin', async t => {
  const calls = t.capture(globalThis, 'fetch', async () => Response.json({ signature }))
  for (const credentials of [undefined, 'include', 'omit'] as const) await requestSignature({ url: 'https://pay.example', credentials, ...purchase })
  t.strictSame(calls().map(({ args: [request] }) => (request as unknown as Request).credentials), ['same-origin', 'include', 'omit'])
})

for (const [what, options, message] of [
  ['an amount that is a number', { amount: 100.00 }, 'amount must be a string: its characters are signed, and the number 100.00 would become 100'],
  ['a token', { merchantToken: 'canary' }, 'merchantToken must never be in a page: the service has it'],
  ['an empty token', { merchantToken: undefined }, /^merchantToken must never/],
  ['a sid', { sid: 'mine' }, 'sid and clientTimeStamp are made here: leave them out'],
  ['a time stamp', { clientTimeStamp: 1 }, /^sid and clientTimeStamp are made here/],
  ['a value that is not JSON', { orderId: 1n }, /^The request is invalid: .*BigInt/],
  ['an unknown operation', { operationType: 'refnud' }, 'operationType must be purchase, refund, void, inquiry or clearCache'],
  ['the name of a method as operation', { operationType: 'toString' }, /^operationType must be/],
  ['a refund without its reference', { operationType: 'Refund' }, /^transactionFCRN is required: a Refund needs the reference/],
  ['a void without its reference', { operationType: 'void', transactionFCRN: '' }, /^transactionFCRN is required/],
  ['no account number', { merchantAccountNumber: '' }, 'merchantAccountNumber or accountNumber is required'],
  ['an unknown variant', { variant: 'b' }, 'variant must be A or B'],
  ['no URL', { url: undefined }, 'url is required: the URL of the endpoint'],
  ['a URL of another protocol', { url: 'localhost:3001/api/generate-signature' }, /^url must begin with http/],
  ['a header that is none', { headers: { 'a b': 'c' } }, /^The request is invalid: /],
  ['no time', { timeout: 0 }, 'timeout must be from 1 to 2147483647 milliseconds'],
  ['a time-out that a timer cannot hold', { timeout: Infinity }, /^timeout must be/],
  ['a time-out that is no number', { timeout: NaN }, /^timeout must be/],
  ['no attempt', { attempts: 0 }, 'attempts must be 1 or more'],
  ['a controller in place of its signal', { signal: new AbortController() }, 'signal must be an AbortSignal']
] as const) {
  t.test(`${what} is an error of the caller`, async t => {
    const url = await urlOf(t, () => t.fail('nothing is sent'))
    const error = await errorOf({ url, ...purchase, ...(options as object) })
    t.match(error, { name: 'SignatureError', kind: 'argument', status: 0, code: '' })
    t.match(error.message, message)
    t.notMatch(error.message, 'canary')
  })
}

for (const [what, status, body, expected] of [
  ['a proxy\'s error page', 502, '<h1>Bad Gateway</h1>', { kind: 'refused', message: /^http:\/\/127\.0\.0\.1:\d+\/ responded with status 502, probably not the service: a CDN, a firewall, a proxy or the app around it$/ }],
  ['an error of another form', 403, '{"error":{"code":1}}', { kind: 'refused', message: /^http:.* responded with status 403, probably not the service: a CDN, / }],
  ['a page', 200, '<!doctype html>', { kind: 'answer', message: /^The response of http:\S+ has no signature: does the URL lead to the service\?$/ }],
  ['null', 200, 'null', { kind: 'answer' }],
  ['half a signature', 200, `{"signature":"${'1'.repeat(64)}"}`, { kind: 'answer' }]
] as const) {
  t.test(`${what} with status ${status}`, async t => {
    const url = await urlOf(t, (_request, response) => response.writeHead(status).end(body))
    t.match(await errorOf({ url, ...purchase }), { ...expected, status })
  })
}

t.test('an error has what the response says of a retry, and what was sent', async t => {
  for (const [retryAfter, seconds] of [
    ['12', 12], ['', undefined], ['soon', undefined], ['Thu, 01 Jan 1970 00:00:00 GMT', 0], [new Date(Date.now() + 3_600_000).toUTCString(), 3600]
  ] as const) {
    const url = await urlOf(t, (_request, response) => response.writeHead(429, {
      'retry-after': retryAfter, 'x-request-id': 'req-1', 'error-code': 'rate-limit'
    }).end('{"error":"Too many"}'))
    const error = await errorOf({ url: `${url}?key=canary`, ...purchase })
    t.match(error, { kind: 'refused', message: 'Too many', url, status: 429, requestId: 'req-1', code: 'rate-limit' })
    if (seconds === 3600) t.ok(Number(error.retryAfter) > 3000 && Number(error.retryAfter) <= seconds, `${error.retryAfter} s`)
    else t.equal(error.retryAfter, seconds, retryAfter)
    const { sid, clientTimeStamp, ...fields } = error.request ?? {}
    t.strictSame(fields, purchase)
    t.match([sid, clientTimeStamp], [String, Number])
    t.ok(Object.isFrozen(error.request))
  }
})

t.test('an error has the parts of Error-Code', async t => {
  for (const [errorCode, code, reason, field] of [
    ['refused; reason=ALREADY_PAID', 'refused', 'ALREADY_PAID', undefined], ['refused;reason=a.b-c_1', 'refused', 'a.b-c_1', undefined],
    ['refused', 'refused', undefined, undefined], ['strict; field=amount', 'strict', undefined, 'amount'], ['', '', undefined, undefined]
  ] as const) {
    const url = await urlOf(t, (_request, response) => response.writeHead(409, { 'error-code': errorCode }).end('{"error":"Paid"}'))
    const error = await errorOf({ url, ...purchase })
    t.strictSame([error.code, error.reason, error.field], [code, reason, field], errorCode)
  }
})

t.test('types refuse what cannot be a request', async t => {
  const url = 'https://pay.shop.example/api/generate-signature'
  const account = { url, merchantAccountNumber: '1' }
  const reference = { transactionFCRN: '987654' }
  const refused: SignatureRequestOptions[] = [
    // @ts-expect-error no field at all
    { url },
    // @ts-expect-error no amount
    account,
    // @ts-expect-error no account number
    { url, amount: '1.00' },
    // @ts-expect-error no such operation
    { ...account, ...reference, operationType: 'refnud', amount: '1.00' },
    // @ts-expect-error a refund without reference
    { ...account, operationType: 'refund', amount: '1.00' },
    // @ts-expect-error a void without reference
    { ...account, operationType: 'void' },
    // @ts-expect-error no such type of id
    { ...account, operationType: 'inquiry', transactionId: 'O-1', idType: 'ORDER' },
    // @ts-expect-error variant B without amount
    { ...account, variant: 'B' },
    // @ts-expect-error a number
    { ...account, amount: 1 }
  ]
  for (const options of refused.slice(0, 6)) t.match(await errorOf(options), { kind: 'argument' })
})

t.test('a redirect is not followed', async t => {
  const url = await urlOf(t, ({ url }, response) => {
    t.equal(url, '/')
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  t.match(await errorOf({ url, ...purchase }), { kind: 'refused', status: 307, message: /responded with status 307, probably not the service/ })
})

t.test('without a connection, the message has the reason that Node.js knows', async t => {
  for (const [url, message] of [
    [`http://127.0.0.1:${await freePort()}/`, /^http:\S+ cannot be reached \(ECONNREFUSED\)$/],
    ['http://127.0.0.1:6000/', 'http://127.0.0.1:6000/ cannot be reached (bad port)']
  ] as const) {
    const error = await errorOf({ url, ...purchase })
    t.match(error, { kind: 'network', message, status: 0, code: '' })
    t.ok(error.cause instanceof Error)
  }
})

const answer = [200, {}, JSON.stringify({ signature })] as const

t.test('a backend makes four attempts with the same request, its headers and a user agent that firewalls let pass', async t => {
  const agents: unknown[] = []
  const { origin } = await serve(t, ({ headers }, response) => {
    agents.push([headers['user-agent'], headers.authorization])
    response.writeHead(agents.length < 4 ? 502 : 200).end(JSON.stringify({ signature }))
  })
  await requestSignature({ url: origin, ...purchase, headers: { authorization: 'Bearer key-of-the-office' } })
  t.strictSame(agents, Array(4).fill(['payment-signature-client', 'Bearer key-of-the-office']))

  const { url, bodies, times } = await scripted(t, 'none', [429, { 'Retry-After': 1 }, ''], [503, {}, ''], 'stalled', [524, {}, ''], answer)
  const { sid, clientTimeStamp } = await requestSignature({ url, ...purchase, timeout: 500, attempts: 9 })
  t.equal(new Set(bodies).size, 1)
  t.strictSame(JSON.parse(bodies[0]!), { ...purchase, sid, clientTimeStamp })
  t.equal(bodies.length, 6)
  t.ok(times[2]! - times[1]! >= 990, 'waits for Retry-After')
  const busy = [503, { 'error-code': 'authorization-unavailable' }, ''] as const
  const always = await scripted(t, busy, busy, busy, busy)
  t.match(await errorOf({ url: always.url, ...purchase, attempts: undefined }), { kind: 'refused', status: 503, code: 'authorization-unavailable' })
  t.equal(always.bodies.length, 4)
})

t.test('a page makes one attempt: its user waits', async t => {
  t.intercept(globalThis, 'process', { get: () => undefined })
  const { url, bodies } = await scripted(t, [503, {}, ''])
  t.match(await errorOf({ url, ...purchase, attempts: undefined }), { kind: 'refused', status: 503 })
  t.equal(bodies.length, 1)
})

t.test('does not repeat what cannot succeed, or a long wait', async t => {
  for (const last of [[429, { 'error-code': 'refused' }, ''], [503, { 'Retry-After': 11 }, ''], [400, {}, ''], [500, {}, ''], [200, {}, 'a page']] as const) {
    const { url, bodies } = await scripted(t, last)
    t.match(await errorOf({ url, ...purchase, attempts: 4 }), { status: last[0] })
    t.equal(bodies.length, 1)
  }
})

t.test('an abort ends the wait before a retry', async t => {
  const { url, bodies } = await scripted(t, [503, { 'Retry-After': 9 }, ''])
  const controller = new AbortController()
  const error = errorOf({ url, ...purchase, attempts: 4, signal: controller.signal })
  while (bodies.length === 0) await setTimeout(10)
  await setTimeout(100) // the client waits
  controller.abort()
  t.match(await error, { kind: 'aborted', status: 0 })
  t.equal(bodies.length, 1)
})

for (const [what, answer] of [
  ['no answer', () => {}], ['half an answer', (_request, response) => { response.write('{"signature":') }]
] as Array<[string, RequestListener]>) {
  t.test(`${what} in time`, async t => {
    t.match(await errorOf({ url: await urlOf(t, answer), ...purchase, timeout: 200 }), {
      kind: 'timeout', message: /^http:\S+ did not respond within 200 ms$/, status: 0
    })
  })
}

t.test('an abort while it waits, and before it starts', async t => {
  const controller = new AbortController()
  const url = await urlOf(t, () => controller.abort('the user went away'))
  const error = await errorOf({ url, ...purchase, signal: controller.signal })
  t.match(error, { kind: 'aborted', message: /^The request to http:\S+ was aborted$/, status: 0 })
  t.equal(error.cause, 'the user went away')
  const unsent = await urlOf(t, () => t.fail('nothing is sent'))
  t.match(await errorOf({ url: unsent, ...purchase, signal: AbortSignal.abort() }), { kind: 'aborted' })
})

// The signed request, and the built files.

const made = { sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }

/** Returns a builder with these setters, which record each call as text. */
function builderWith (...names: string[]) {
  const calls: string[] = []
  const setters = names.map(name => [name, (value: unknown) => { calls.push(`${name} ${JSON.stringify(value)}`) }])
  return { calls, builder: Object.fromEntries(setters) }
}

const required = ['setSignature', 'setSid', 'setClientTimeStamp']
const optional = ['setMerchantAccountNumber', 'setAmount', 'setOrderId', 'setTransactionFCRN', 'setTransactionId', 'setIdType']
const always = [`setSignature "${signature}"`, 'setSid "5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11"', 'setClientTimeStamp 1709912345678']
const all = { amount: '100.00', orderId: 'O-1', transactionFCRN: 'F', transactionId: 'T', idType: 'ORDER_ID' }

for (const [what, variant, fields, expected] of [
  ['a purchase', 'A', { ...all, operationType: 'purchase' }, ['setAmount "100.00"', 'setOrderId "O-1"']],
  ['no operation', undefined, all, ['setAmount "100.00"', 'setOrderId "O-1"']],
  ['a refund', 'A', { ...all, operationType: 'refund' }, ['setAmount "100.00"', 'setOrderId "O-1"', 'setTransactionFCRN "F"']],
  ['an empty amount', 'A', { amount: '' }, ['setAmount ""']],
  ['an undefined amount', 'A', { amount: undefined, orderId: undefined }, []],
  ['a void', undefined, { ...all, operationType: 'Void' }, ['setOrderId "O-1"', 'setTransactionFCRN "F"']],
  ['an inquiry', 'A', { ...all, operationType: 'INQUIRY' }, ['setTransactionId "T"', 'setIdType "ORDER_ID"']],
  ['a clear cache', 'A', { ...all, operationType: 'clearCache' }, []],
  ['an account number', 'A', { accountNumber: '1', amount: '1.00' }, ['setMerchantAccountNumber "1"', 'setAmount "1.00"']],
  ['two account numbers', 'A', { merchantAccountNumber: '2', accountNumber: '1' }, ['setMerchantAccountNumber "2"']],
  ['variant B signs the amount of a void', 'B', { ...all, operationType: 'void' }, ['setAmount "100.00"', 'setOrderId "O-1"']]
] as const) {
  t.test(what, async t => {
    const signed = signedRequest({ ...fields, ...made }, signature, variant)
    const { builder, calls } = builderWith(...required, ...optional)
    t.equal(signed.applyTo(builder as never), builder)
    t.strictSame(calls, [...always, ...expected])
  })
}

t.test('a builder without the optional setters', async t => {
  const { builder, calls } = builderWith(...required)
  signedRequest({ amount: '100.00', orderId: 'O-1', ...made }, signature).applyTo(builder as never)
  t.strictSame(calls, always)
})

t.test('what was signed cannot be changed', async t => {
  const signed = signedRequest({ amount: '100.00', merchantAccountNumber: '102551', ...made }, signature)
  t.throws(() => { Object.assign(signed, { amount: '1.00' }) }, TypeError)
})

t.test('a sid is a UUID version 4, also where randomUUID is missing', async t => {
  t.match(newSid(), uuidV4)
  t.not(newSid(), newSid())
  const { crypto } = globalThis
  let getRandomValues = crypto.getRandomValues.bind(crypto)
  t.intercept(globalThis, 'crypto', { get: () => ({ getRandomValues }) })
  t.not(newSid(), newSid())
  for (const [bytes, sid] of [
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], '00010203-0405-4607-8809-0a0b0c0d0e0f'],
    [Array(16).fill(255), 'ffffffff-ffff-4fff-bfff-ffffffffffff']
  ] as const) {
    getRandomValues = array => {
      (array as unknown as Uint8Array).set(bytes)
      return array
    }
    t.equal(newSid(), sid)
  }
})

t.test('without crypto, nothing is sent: a sid must be random', async t => {
  const url = await urlOf(t, () => t.fail('nothing is sent'))
  for (const crypto of [undefined, {}]) {
    t.intercept(globalThis, 'crypto', { get: () => crypto })
    t.match(await errorOf({ url, ...purchase }), {
      kind: 'argument',
      message: 'crypto.getRandomValues is missing: load a polyfill'
    })
  }
})

const built = join(root, 'dist/client')
const names = ['SignatureError', 'requestSignature']

t.test('the classic script is under 6.5 kB, 3.2 kB gzipped, and defines one global', async t => {
  const script = readFileSync(join(built, 'payment-signature.global.js'))
  t.ok(script.length < 6500, `${script.length} bytes`)
  t.ok(gzipSync(script).length < 3200, `${gzipSync(script).length} bytes`)
  const page = createContext({})
  runInContext(script.toString(), page)
  t.strictSame(Object.keys(page), ['PaymentSignature'])
  t.strictSame(Object.keys(page.PaymentSignature).sort(), names)
})

t.test('the module is one file with the same exports', async t => {
  const module = readFileSync(join(built, 'index.js'), 'utf8')
  t.notMatch(module, /\bimport\b/)
  const [, exports = ''] = /export \{([^}]+)\}/.exec(module) ?? []
  t.strictSame(exports.split(',').map(name => name.trim()).sort(), names)
})
