import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createHandler, ConfigurationError, type HandlerOptions } from '../../src/embed.js'
import { environment } from '../support/environment.js'
import { body, signature } from '../support/example.js'
import { Log } from '../support/log.js'
import { whole } from '../support/whole.js'

const token = 'development-only-token'
const config = { MERCHANT_TOKEN: token } as const
const options = { config, clientAddress: () => '192.0.2.1', logger: false } as const
const path = '/api/generate-signature'

function handlerOf<Context = unknown> (t: Test, own: Partial<HandlerOptions<Context>> = {}) {
  const handler = createHandler<Context>({ ...options, ...own } as HandlerOptions<Context>)
  t.teardown(() => handler.close())
  return handler
}

const post = (content: string | ReadableStream = body, headers: Record<string, string> = {}, rest: object = {}) =>
  new Request(`https://pay.example${path}`, {
    method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: content, duplex: 'half', ...rest
  } as RequestInit)

/** Returns a promise of the first call of a function, and the function. */
function signal<Result> (act: () => Result): [called: Promise<void>, act: () => Result] {
  let call!: () => void
  const called = new Promise<void>(resolve => { call = resolve })
  return [called, () => {
    call()
    return act()
  }]
}

const answered = async (response: Response): Promise<unknown[]> => [response.status, await response.json()]

t.test('signatures and refusals are those of the service', async t => {
  const handler = handlerOf(t)
  await handler.ready()
  const signed = await handler(post())
  t.match(signed.headers.get('x-request-id'), /^[0-9a-f]{8}-/)
  t.equal(signed.headers.get('cache-control'), 'no-store')
  t.equal(signed.headers.get('connection'), null)
  t.strictSame(await answered(signed), [200, { signature }])
  for (const [request, ...expected] of [
    [post('{'), 400, { error: 'Body is not valid JSON but content-type is set to \'application/json\'' }],
    [new Request(`https://pay.example${path}`, { method: 'POST', body: new Blob([body]) }), 415, { error: 'Unsupported Media Type: send the body as application/json' }],
    [new Request('https://pay.example/other?a=b'), 404, { error: 'Not Found: GET /other' }],
    [new Request('https://pay.example/%c0'), 400, { error: 'Malformed URL' }],
    [new Request(`https://pay.example${path}`), 405, { error: `Method Not Allowed: GET ${path}` }]
  ] as const) t.strictSame(await answered(await handler(request)), expected)
  const slash = new Request(`https://pay.example${path}/?a=b`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  t.strictSame(await answered(await handler(slash)), [200, { signature }], 'a trailing slash')
  const head = await handler(new Request(`https://pay.example${path}`, { method: 'HEAD' }))
  t.strictSame([head.status, head.headers.get('allow'), await head.text()], [405, 'POST, OPTIONS', ''])
  const unknown = await handler(new Request(`https://pay.example${path}`, { method: 'FOO' }))
  t.strictSame([unknown.headers.get('error-code'), ...await answered(unknown)], ['not-found', 404, { error: 'Not Found' }])
})

t.test('a body is read up to 16 KiB', async t => {
  const handler = handlerOf(t)
  let pulled = 0
  let response: Promise<Response>
  const cancelled = new Promise<void>(resolve => {
    const endless = new ReadableStream({
      pull (controller) {
        pulled++
        controller.enqueue(new Uint8Array(10_000).fill(97))
      },
      cancel: () => resolve()
    })
    response = handler(post(endless))
  })
  t.strictSame(await answered(await response!), [413, { error: 'Request body is too large' }])
  await cancelled
  t.ok(pulled < 20, String(pulled))
})

t.test('a body of small chunks without end is refused as by a socket, and the event loop goes on', async t => {
  let turns = 0
  const timer = setInterval(() => { turns++ }, 0)
  t.teardown(() => clearInterval(timer))
  const endless = new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(1)) })
  t.strictSame(await answered(await handlerOf(t)(post(endless))), [413, { error: 'Request body is too large' }])
  t.ok(turns > 5, `${turns} timers`)
})

t.test('a client that disconnects gets no signature, and nothing is thrown elsewhere', async t => {
  const pending = () => new ReadableStream({ pull: () => new Promise(() => {}) })
  const broken = new ReadableStream({ start (stream) { stream.error(new Error('reset')) } })
  const signal = () => {
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    return controller.signal
  }
  const handler = handlerOf(t)
  await handler.ready()
  const aborted = { code: 'ERR_ABORTED', message: 'the request was aborted' }
  for (const [request, error] of [
    [() => post(pending(), {}, { signal: signal() }), aborted],
    [() => post(pending(), {}, { signal: AbortSignal.abort() }), aborted],
    [() => post(body, {}, { signal: AbortSignal.abort(null) }), aborted],
    [() => post(broken), { message: 'reset' }]
  ] as const) await t.rejects(handler(request()), error)
  const controller = new AbortController()
  const outcomes: string[] = []
  const slow = handlerOf(t, {
    async authorize () {
      controller.abort()
      return true
    },
    audit: ({ audit }) => { outcomes.push(audit.outcome) }
  })
  await t.rejects(slow(post(body, {}, { signal: controller.signal })), aborted, 'while it is decided')
  await slow.close()
  t.strictSame(outcomes, ['signed'], 'the decision is recorded all the same')
  await handler.close()
  await t.rejects(handler(post(body, {}, { signal: AbortSignal.abort() })))
})

t.test('close waits for the decisions in progress: each signature has its line', async t => {
  const AUDIT_FILE = join(t.testdir(), 'audit')
  let allow!: (is: true) => void
  const allowed = new Promise<true>(resolve => { allow = resolve })
  const [asked, authorize] = signal(() => allowed)
  const handler = handlerOf(t, { config: { ...config, AUDIT_FILE }, authorize })
  const response = handler(post())
  await asked
  const closed = handler.close()
  allow(true)
  t.strictSame(await answered(await response), [200, { signature }])
  await closed
  t.match(readFileSync(AUDIT_FILE, 'utf8'), '"outcome":"signed"')
  await t.rejects(handler(post()))
})

t.test('the address is the result of clientAddress, not a header of the client', async t => {
  const asked: unknown[] = []
  const handler = handlerOf<string>(t, {
    config: { ...config, RATE_LIMIT_MAX: 1 },
    clientAddress: (_request, address) => address,
    authorize: ({ clientAddress, headers }) => Boolean(asked.push([clientAddress, headers])) as true
  })
  const forged = {
    authorization: 'Bearer key',
    cookie: 'a=1; b=2',
    'x-forwarded-for': '198.51.100.7',
    forwarded: 'for=198.51.100.8',
    'x-forwarded-host': 'evil.example',
    'x-real-ip': '198.51.100.9',
    'transfer-encoding': 'chunked',
    connection: 'close'
  }
  const statuses = []
  for (const address of ['192.0.2.1', '192.0.2.1', '2001:db8::1']) statuses.push((await handler(post(body, forged), address)).status)
  t.strictSame(statuses, [200, 429, 200])
  const headers = { authorization: 'Bearer key', cookie: 'a=1; b=2', traceparent: undefined }
  t.strictSame(asked, [['192.0.2.1', headers], ['2001:db8::1', headers]])
})

t.test('authorize and tokenOf get the second argument of the handler as the context', async t => {
  const asked: unknown[] = []
  const handler = handlerOf<{ user: string }>(t, {
    config: {},
    authorize: ({ context }) => ({ allowed: context.user !== 'two', error: context.user }),
    tokenOf (_accountNumber, context) {
      asked.push(context)
      return token
    }
  })
  const users = ['one', 'two', 'three'].map(user => ({ user }))
  const all = await Promise.all(users.map(user => handler(post(), user)))
  t.strictSame(await Promise.all(all.map(answered)), [[200, { signature }], [403, { error: 'two' }], [200, { signature }]])
  t.strictSame([asked.length, asked[0] === users[0], asked[1] === users[2]], [2, true, true])
  // @ts-expect-error the second argument is missing
  await t.rejects(handler(post(body, { 'content-type': 'text/plain' })).then(() => { throw new Error('responded') }))
})

t.test('log and audit are those of the service', async t => {
  const log = new Log()
  const handler = handlerOf(t, {
    config: { AUDIT: true, LOG_LEVEL: 'warn' },
    logger: { stream: log },
    tokenOf: () => { throw new Error('the vault is sealed') }
  })
  t.strictSame(await answered(await handler(post())), [500, { error: 'Internal Server Error' }])
  t.strictSame(log.text.match(/"msg":"[^"]+"/g), ['"msg":"decision"', '"msg":"unexpected fault"'])
  t.match(log.text, 'the vault is sealed')
})

t.test('without variables of its own, it has those of the process', async t => {
  environment(t, undefined, { MERCHANT_TOKEN: token, STRICT: 'true' })
  const handler = createHandler({ clientAddress: () => '192.0.2.1', logger: false })
  t.teardown(() => handler.close())
  t.strictSame(await answered(await handler(post())), [200, { signature }])
  t.equal((await handler(post(body.replace('100.00', '100')))).headers.get('error-code'), 'strict; field=amount')
})

t.test('faults of the calling code', async t => {
  for (const [own, message] of [
    [{ clientAddress: undefined }, 'clientAddress must be a function: without the address all clients share one limit'],
    [{ audit: 'x', stricT: true }, 'audit must be a function\nstricT is not an option']
  ] as const) {
    const wrong = { ...options, ...own } as unknown as HandlerOptions
    t.throws(() => createHandler(wrong), whole(message))
    t.throws(() => createHandler(wrong), ConfigurationError)
  }
  const wrong = handlerOf(t, { config: { VARIANT: 'C' as 'A' } })
  await t.rejects(wrong.ready(), { code: 'ERR_CONFIGURATION' })
  await t.rejects(wrong(post()), { code: 'ERR_CONFIGURATION' })
  for (const address of ['', Promise.reject(new Error('a rejection that nobody handles ends the process'))]) {
    const clientAddress = () => address as string
    await t.rejects(handlerOf(t, { clientAddress })(post()), {
      name: 'UsageError', code: 'ERR_CLIENT_ADDRESS', message: 'clientAddress must return the client\'s address, a non-empty string and no promise'
    })
  }
  const closed = handlerOf(t)
  await closed.close()
  await t.rejects(closed(new Request(`https://pay.example${path}`)))
  const read = post()
  await read.text()
  await t.rejects(handlerOf(t)(read), {
    name: 'UsageError', code: 'ERR_BODY_READ', message: 'the body of the request was read before: call the handler before the body parser, or pass rawBody as the body'
  })
})

t.test('a Request that was made anew, with the length of another body, is read; one whose body is in use is a fault', async t => {
  const handler = handlerOf(t)
  t.strictSame(await answered(await handler(post(body, { 'content-length': '5' }))), [200, { signature }])
  const locked = post()
  locked.body!.getReader()
  await t.rejects(handler(locked), { code: 'ERR_BODY_READ' })
})

t.test('a handler that cannot be used closes itself', { skip: process.platform !== 'linux' && 'needs /proc' }, async t => {
  const folder = t.testdir({ policy: '{}' })
  const AUDIT_FILE = join(folder, 'audit')
  const handler = handlerOf(t, { config: { ...config, AUDIT_FILE, POLICY_FILE: join(folder, 'policy') } })
  await t.rejects(handler.ready(), { code: 'ERR_POLICY' })
  const isOpen = () => readdirSync('/proc/self/fd').some(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === AUDIT_FILE
    } catch { // the descriptor of the listing itself
      return false
    }
  })
  while (isOpen()) await new Promise(setImmediate)
  t.pass('the file of the audit is closed')
})
