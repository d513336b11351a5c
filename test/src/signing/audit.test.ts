import { spawnSync } from 'node:child_process'
import { closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { type FastifyReply } from 'fastify'
import { Registry } from 'prom-client'
import t from 'tap'
import { AuditTrail } from '../../../plugins/operation/audit-trail.js'
import { createApp } from '../../../src/app.js'
import { testApp } from '../../support/app.js'
import { answer } from '../../support/http.js'
import { embedded } from '../../support/embedded.js'
import { body, signature } from '../../support/example.js'
import { whole } from '../../support/whole.js'

const send = (payload: object | string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  url: '/api/generate-signature',
  payload,
  headers: { 'content-type': 'application/json', ...headers }
}) as const

const request = JSON.parse(body)

const sidSha256 = '9906215bc0b38eda1a0ca3e64290c1b8a8468d9c981132a8a2a4c45e65375647' // printf '%s' client-generated-session-id | sha256sum

const decisions = (text: string) =>
  text.split('\n').filter(line => line.includes('"decision"')).map(line => JSON.parse(line))

t.test('auditAs of the context is the user in the audit; another value is left out, with one warning', async t => {
  const values: unknown[] = ['ana', 'Ünsal Çelik', 'x'.repeat(64), undefined, 'x'.repeat(65), '', 'a\nb', 'a\u202eb', 7, {}]
  let index = 0
  const { app, log } = embedded(t, { audit: true, context: async () => ({ auditAs: values[index++] }) })
  for (let sent = 0; sent < values.length; sent++) t.equal((await app.inject(send(request))).statusCode, 200)
  const leftOut = Array.from({ length: 7 }, () => undefined)
  t.strictSame(decisions(log()).map(({ audit }) => audit.user), [...values.slice(0, 3), ...leftOut])
  t.equal(log().split('auditAs is left out of the audit: it must be a text of 1 to 64 printable characters').length, 2)
})

t.test('a signature has an audit line at every LOG_LEVEL', async t => {
  const { app, log } = testApp(t, { config: { AUDIT: 'true', LOG_LEVEL: 'silent' } })
  await app.inject(send(request, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }))
  const [{ time, reqId, ...line }, ...others] = decisions(log())
  t.strictSame(others, [])
  t.type(time, 'number')
  t.type(reqId, 'string')
  t.match(line, { level: 30, pid: process.pid, trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', msg: 'decision' })
  t.strictSame(line.audit, {
    outcome: 'signed',
    caller: 'anonymous',
    clientAddress: '127.0.0.1',
    variant: 'A',
    operation: 'purchase',
    accountNumber: '102551',
    amount: '100.00',
    orderId: 'ORDER-12345',
    clientTimeStamp: '1709912345678',
    sidSha256
  })
  t.notMatch(log(), 'client-generated-session-id')
})

for (const [what, config, payloads, ...expected] of [
  ['a token of the request, which is not shown', {}, [{ ...request, merchantToken: 'canary-token' }], { merchantToken: 'of the request' }],
  ['the configured token in another field', { MERCHANT_TOKEN: 'canary-token' }, [{ ...request, orderId: 'canary-token' }],
    { orderId: '[redacted]' }],
  ['a refusal', {}, [{ ...request, amount: '0', orderId: { a: 'canary' }, sid: 7 }],
    { outcome: 'invalid', reason: 'Invalid amount: amount must be greater than 0', operation: 'unknown', clientAddress: '127.0.0.1' }],
  ['nothing if AUDIT is false', { AUDIT: 'false' }, [request]]
] as Array<[string, object, Array<object | string>, ...object[]]>) {
  t.test(`the audit has ${what}`, async t => {
    const { app, log } = testApp(t, { config: { AUDIT: 'true', ...config } })
    for (const payload of payloads) await app.inject(send(payload))
    const audited = decisions(log()).map(({ audit }) => audit)
    t.match(audited, expected)
    t.equal(audited.length, expected.length)
    t.notMatch(log(), 'canary')
  })
}

t.test('a token at the place where a value is cut is redacted before', async t => {
  const MERCHANT_TOKEN = 'zz9c4e1d2f7a8b3c6d5e4f3a2b1c0d9e8f7a6b5c'
  const { app, log } = testApp(t, { config: { AUDIT: 'true', MERCHANT_TOKEN } })
  const orderId = `${'x'.repeat(240)}${MERCHANT_TOKEN}`
  await app.inject(send({ ...request, orderId }))
  t.match(decisions(log()), [{ audit: { orderId: `${'x'.repeat(240)}[redacted]… (280 characters, SHA-256 ` } }])
  t.notMatch(log(), 'zz9c4e1d')
  const searched: number[] = []
  const search = app.merchantToken.redact.bind(app.merchantToken)
  t.intercept(app.merchantToken, 'redact', {
    value (text: string) {
      searched.push(text.length)
      return search(text)
    }
  })
  await app.inject(send({ ...request, orderId: 'a'.repeat(97_000) }))
  t.equal(searched[0], 496, 'the cost does not grow with the field: 256 characters, and twice the 120 of the encoded token')
  t.ok(Math.max(...searched) < 2000, 'nor does that of the line')
  const host = embedded(t, { audit: true })
  await host.app.inject(send({ ...request, orderId: 'x'.repeat(257) }))
  t.match(decisions(host.log()), [{ audit: { orderId: `${'x'.repeat(256)}… (257 characters` } }], 'a plugin has no token to redact')
})

t.test('long values are truncated with a digest, numbers become text, lone surrogates are replaced', async t => {
  const { app, log } = testApp(t, { config: { AUDIT: 'true' } })
  await app.inject(send({ ...request, orderId: 'x'.repeat(256), amount: 1.5, merchantAccountNumber: 0, accountNumber: 7 }))
  await app.inject(send({ ...request, orderId: 'x'.repeat(257) }))
  const cut = `${'x'.repeat(256)}… (257 characters, SHA-256 ` +
    '15eb95a462ee20bd91a415ae2d4aed341288186ddaa2b37908f7d592f0c3f85f)' // head -c 257 /dev/zero | tr '\0' x | sha256sum
  await app.inject(send({ ...request, orderId: `${'x'.repeat(255)}💳`, merchantAccountNumber: '7\ud800', clientTimeStamp: '\udc00' }))
  t.match(decisions(log()), [
    { audit: { orderId: /^x{256}$/, amount: '1.5', accountNumber: '7' } }, // a text would match one that has more behind it
    { audit: { orderId: cut } },
    { audit: { orderId: `${'x'.repeat(255)}\ufffd…`, accountNumber: '7\ufffd', clientTimeStamp: '\ufffd' } }
  ])
})

const failure = () => new Error('canary: 102551')
const thenable = (then: unknown) => ({ then }) as unknown

t.test('a failed audit function causes one log line and a count, and no signature if the audit is required', async t => {
  for (const [what, audit] of [
    ['throws', () => { throw failure() }],
    ['returns a promise of another realm that rejects', () => runInNewContext('Promise.reject(new Error("canary: 102551"))')],
    ['returns a callable thenable that rejects', () => Object.assign(() => {}, thenable(() => { throw failure() }))],
    ['returns a thenable that rejects twice', () => thenable((_resolve: unknown, reject: (error: Error) => void) => {
      reject(failure())
      reject(failure())
    })],
    ['returns an object whose member then cannot be read', () => ({ get then () { throw failure() } })]
  ] as const) {
    for (const [auditRequired, statusCode] of [[true, 503], [false, 200]] as const) {
      const metrics = new Registry()
      const { app, log } = embedded(t, { audit, auditRequired, metrics })
      for (let count = 0; count < 2; count++) {
        const response = await app.inject(send(request))
        t.equal(response.statusCode, statusCode, `${what}, ${auditRequired}`)
        t.equal(response.body.includes(signature), statusCode === 200)
      }
      t.equal((await app.inject(send({ ...request, amount: '0' }))).statusCode, 400)
      t.equal(log().split('"times":1,"msg":"the audit function failed"').length, 2, what)
      t.notMatch(log(), 'canary')
      t.match(await metrics.metrics(), 'payment_signature_audit_lines_lost_total 3\n')
      t.match(await metrics.metrics(), `outcome="${auditRequired ? 'unavailable' : 'signed'}",caller="anonymous"} 2\n`)
    }
  }
})

t.test('a log that throws counts as a failed audit and does not end the process', async t => {
  for (const [auditRequired, statusCode] of [[true, 503], [false, 200], [undefined, 200]] as const) {
    const metrics = new Registry()
    const { app } = embedded(t, { audit: true, auditRequired, metrics })
    app.log.info = app.log.error = (_details: unknown, message?: unknown) => {
      if (message === 'decision' || message === 'the audit function failed') throw failure()
    }
    t.equal((await app.inject(send(request))).statusCode, statusCode)
    t.match(await metrics.metrics(), 'payment_signature_audit_lines_lost_total 1\n')
  }
})

t.test('the audit says signed for a signature that was handed to the response, and no hook of a host gets another one', async t => {
  for (const isRecorded of [true, false]) {
    const outcomes: unknown[] = []
    const payloads: string[] = []
    const metrics = new Registry()
    const { app } = embedded(t, {
      auditRequired: true,
      metrics,
      async audit ({ audit }) {
        outcomes.push(audit.outcome)
        if (!isRecorded) throw failure()
      }
    }, app => {
      app.addHook('preSerialization', async (_request, _reply, payload) => payload)
      app.addHook<string>('onSend', async (_request, reply, payload) => {
        payloads.push(payload)
        reply.code(202)
        return payload
      })
    })
    const response = await app.inject(send(request))
    t.strictSame(outcomes, ['signed'])
    t.equal(response.statusCode, 202)
    t.strictSame(payloads.map(payload => payload.includes(signature)), [isRecorded])
    t.match(await metrics.metrics(), `operation="purchase",outcome="${isRecorded ? 'signed' : 'unavailable'}",caller="anonymous"} 1\n`)
  }
})

t.test('a response that a hook of the host sends is not ours; one decision counts, even if a hook fails after it', async t => {
  for (const [name, hook, ...outcomes] of [
    ['preHandler', async (_request: unknown, reply: FastifyReply) => reply.send({ cached: true })],
    ['preSerialization', async () => { throw new Error('a fault of the host') }, 'signed'],
    ['onSend', async () => { throw new Error('a fault of the host') }, 'signed']
  ] as const) {
    const metrics = new Registry()
    const { app, log } = embedded(t, { audit: true, metrics }, app => app.addHook(name as 'preHandler', hook))
    t.notMatch((await app.inject(send(request))).body, signature)
    t.strictSame(decisions(log()).map(({ audit }) => audit.outcome), outcomes, name)
    const counted = (await metrics.metrics()).match(/^payment_signature_decisions_total.* [1-9]\d*$/gm) ?? []
    t.strictSame(counted.map(line => /outcome="(\w+)"/.exec(line)![1]), outcomes, name)
  }
})

const noFull = !existsSync('/dev/full') && 'there is no /dev/full'

t.test('AUDIT=required on a full disk: nothing is signed, it is not ready, and says so once', { skip: noFull }, async t => {
  const { app, log } = testApp(t, { config: { AUDIT: 'required', AUDIT_FILE: '/dev/full', ADMIN_PORT: '0' } })
  t.equal((await app.inject('/ready')).statusCode, 200)
  t.match(await app.metrics?.metrics(), 'payment_signature_audit_up 1')
  for (let count = 0; count < 2; count++) {
    t.strictSame(await answer(app, send(request)), [503, { error: 'Audit is unavailable, try again' }])
  }
  t.equal((await app.inject(send({ ...request, amount: '0' }))).statusCode, 400, 'a refusal gives nothing away')
  t.strictSame(await answer(app, '/ready'), [503, { error: 'audit unavailable' }])
  t.equal(log().split('"reason":"ENOSPC","msg":"decisions cannot be recorded"').length, 2)
  t.match(log(), '"statusCode":503,"error":"Audit is unavailable, try again","code":"audit-unavailable","client":"address:127.0.0.1","msg":"request refused"')
  t.notMatch(log(), /[0-9a-f]{64}/)
  const metrics = await app.metrics?.metrics()
  t.match(metrics, 'payment_signature_audit_up 0')
  t.match(metrics, 'payment_signature_audit_lines_lost_total 3')
  t.match(metrics, 'outcome="unavailable",caller="anonymous"} 2')
})

t.test('AUDIT=true on a full disk: requests are signed, lost lines are counted and logged once', { skip: noFull }, async t => {
  const { app, log } = testApp(t, { config: { AUDIT: 'true', AUDIT_FILE: '/dev/full', ADMIN_PORT: '0' } })
  for (let count = 0; count < 2; count++) t.same((await app.inject(send(request))).json(), { signature })
  t.equal((await app.inject('/ready')).statusCode, 200)
  t.equal(log().split('decisions cannot be recorded').length, 2)
  t.match(await app.metrics?.metrics(), 'payment_signature_audit_lines_lost_total 2')
})

t.test('once the audit can be written again, requests are signed and the lost lines are reported', async t => {
  const path = join(t.testdir(), 'pipe')
  spawnSync('mkfifo', [path])
  const reader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const first = reader()
  const { app, log, says } = testApp(t, { config: { AUDIT: 'required', AUDIT_FILE: path } })
  t.equal((await app.inject(send(request))).statusCode, 200)
  const bytes = Buffer.alloc(4096)
  t.equal(decisions(bytes.toString('utf8', 0, readSync(first, bytes))).length, 1)
  closeSync(first)
  t.equal((await app.inject(send(request))).statusCode, 503)
  t.equal((await app.inject(send(request))).statusCode, 503)
  const alive = setInterval(() => {}, 1000) // keeps the process alive, as a server does
  t.teardown(() => clearInterval(alive))
  const second = reader()
  await says('"lost":2,"msg":"decisions are recorded again"')
  t.equal((await app.inject('/ready')).statusCode, 200)
  t.same((await app.inject(send(request))).json(), { signature })
  const [missing, decision, ...others] = bytes.toString('utf8', 0, readSync(second, bytes)).trimEnd().split('\n').map(line => JSON.parse(line))
  t.match(missing, { level: 40, lost: 2, msg: 'decisions were not recorded' })
  t.match(decision, { audit: { outcome: 'signed' }, msg: 'decision' })
  t.strictSame(others, [])
  t.equal(log().split('decisions cannot be recorded').length, 2)
  closeSync(second)
})

t.test('a deleted file is reopened; if that fails, nothing is signed', async t => {
  const folder = join(t.testdir({ folder: {} }), 'folder')
  const path = join(folder, 'audit.log')
  const { app, log, says } = testApp(t, { config: { AUDIT: 'required', AUDIT_FILE: path } })
  await app.ready()
  const { now } = performance
  let late = 0
  t.intercept(performance, 'now', { value: () => now.call(performance) + late }) // requests before any timer
  rmSync(path)
  late += 1001
  t.equal((await app.inject(send(request))).statusCode, 200)
  t.equal(decisions(readFileSync(path, 'utf8')).length, 1)

  renameSync(folder, `${folder}-moved`)
  late += 1001
  t.equal((await app.inject(send(request))).statusCode, 503)
  t.strictSame(await answer(app, '/ready'), [503, { error: 'audit unavailable' }])
  t.match(log(), `"reason":${JSON.stringify(`AUDIT_FILE is "${path}", which cannot be opened (ENOENT)`)},"msg":"decisions cannot be recorded"`)
  t.equal(decisions(readFileSync(`${folder}-moved/audit.log`, 'utf8')).length, 1)

  writeFileSync(folder, '')
  late += 1001
  t.equal((await app.inject(send(request))).statusCode, 503)
  t.match(log(), '"reason":"ENOTDIR","msg":"decisions cannot be recorded"', 'another reason during the outage')
  rmSync(folder)

  mkdirSync(folder)
  const alive = setInterval(() => {}, 1000) // keeps the process alive, as a server does
  t.teardown(() => clearInterval(alive))
  await says('"lost":2,"msg":"decisions are recorded again"')
  t.equal((await app.inject(send(request))).statusCode, 200)
  t.equal(decisions(readFileSync(path, 'utf8')).length, 1)
})

t.test('a replaced file is reopened by a reload, and within a second without a request', async t => {
  const path = join(t.testdir({ 'audit.log': '' }), 'audit.log')
  const { app, log, says } = testApp(t, { config: { AUDIT: 'true', AUDIT_FILE: path } })
  await app.ready()
  const recorded = async (file: string) => {
    await app.inject(send(request))
    return decisions(readFileSync(file, 'utf8')).length
  }
  renameSync(path, `${path}.1`)
  t.equal(await recorded(`${path}.1`), 1)
  await app.watchedFiles[0]?.reload()
  t.match(log(), 'AUDIT_FILE was opened again')
  t.equal(await recorded(path), 1)

  renameSync(path, `${path}.2`)
  writeFileSync(path, '')
  const alive = setInterval(() => {}, 1000) // keeps the process alive, as a server does
  t.teardown(() => clearInterval(alive))
  await says('AUDIT_FILE was opened again', 2)
  t.equal(await recorded(path), 1)

  const { app: other, log: its } = testApp(t, { config: { AUDIT: 'true' } })
  await other.ready()
  other.auditTrail?.reload()
  t.notMatch(its(), 'AUDIT_FILE', 'standard output is not opened again')
})

t.test('a record begins a line, although an earlier process has left one without its end', async t => {
  const path = join(t.testdir({ 'audit.log': '{"level":30,"ti' }), 'audit.log')
  const { app } = testApp(t, { config: { AUDIT: 'required', AUDIT_FILE: path } })
  t.equal((await app.inject(send(request))).statusCode, 200)
  const [cut, record] = readFileSync(path, 'utf8').split('\n')
  t.equal(cut, '{"level":30,"ti')
  t.match(JSON.parse(record!), { audit: { outcome: 'signed' } })

  const openFiles = () => spawnSync('readlink', readdirSync('/proc/self/fd').map(fd => `/proc/${process.pid}/fd/${fd}`)).stdout.toString()
  t.match(openFiles(), path)
  await app.close()
  t.notMatch(openFiles(), path, 'the app closes its file')
})

t.test('a file that cannot be opened stops the start', async t => {
  const path = join(t.testdir(), 'nowhere', 'audit.log')
  await t.rejects(async () => createApp({ config: { AUDIT: 'true', AUDIT_FILE: path }, logger: false }).ready(), {
    code: 'ERR_CONFIGURATION', message: whole(`AUDIT_FILE is "${path}", which cannot be opened (ENOENT)`), cause: { code: 'ENOENT' }
  })
})

t.test('writing to standard output is retried, and the reason is logged once', async t => {
  const timers: Array<() => void> = []
  t.intercept(globalThis, 'setTimeout', {
    value (retry: () => void) {
      timers.push(retry)
      return { unref: () => {} }
    }
  })
  const reason = 'the reader is gone'
  const fault = new Error(reason)
  const written: string[] = []
  const onStderr: string[] = []
  t.intercept(process.stderr, 'write', { value: (line: string) => onStderr.push(line) })
  const said: unknown[] = []
  let isFull = true
  const output = {
    lost: 0,
    write (line: string, done?: (error?: Error) => void) {
      if (isFull) return done?.(fault)
      written.push(line)
      done?.(null as unknown as undefined) // like a stream of Node.js
    }
  }
  const say = (level: string) => (details: object, message: string) => { said.push([level, details, message]) }
  const trail = new AuditTrail('', output, { info () {}, warn: say('warn'), error: say('error') }, line => line)

  const errors: unknown[] = []
  trail.record({ audit: {} }, error => errors.push(error))
  timers.shift()?.()
  trail.record({ audit: {} }, error => errors.push(error))
  t.strictSame(errors, [fault, fault])
  timers.shift()?.()
  t.equal(trail.outage.isOut, true)
  t.equal(timers.length, 1, 'one at a time')

  isFull = false
  timers.shift()?.()
  t.equal(trail.outage.isOut, false)
  t.equal(timers.length, 1, 'for the next check')
  t.match(written.map(line => JSON.parse(line)), [{ lost: 2, msg: 'decisions were not recorded' }])
  t.strictSame(onStderr, [`payment-signature-backend: decisions cannot be recorded: ${reason}\n`], 'the log is on standard output')
  t.strictSame(said, [
    ['error', { reason, file: 'standard output' }, 'decisions cannot be recorded'],
    ['warn', { lost: 2 }, 'decisions are recorded again']
  ])
})
