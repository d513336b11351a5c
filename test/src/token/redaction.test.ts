import t, { type Test } from 'tap'
import { createApp } from '../../../src/app.js'
import { Redaction } from '../../../src/token/redaction.js'
import { testApp } from '../../support/app.js'
import { portOf, raw } from '../../support/http.js'
import { importing, listening, server } from '../../support/server.js'

function redactionOf (...secrets: string[]): Redaction {
  const redaction = new Redaction()
  for (const secret of secrets) redaction.hide(secret)
  return redaction
}

t.test('a secret in the forms that a log may have', async t => {
  for (const [secret, text, expected] of [
    ['s3cret-token', 'xs3cret-tokens3cret-tokenx', 'x[redacted][redacted]x'],
    ['a"b\\c\nd€', 'a"b\\c\nd€', '[redacted]'],
    ['a"b\\c\nd€', '{"msg":"a\\"b\\\\c\\nd€"}', '{"msg":"[redacted]"}'],
    ['a"b\\c\nd€', '{"msg":"{\\"t\\":\\"a\\\\\\"b\\\\\\\\c\\\\nd€\\"}"}', '{"msg":"{\\"t\\":\\"[redacted]\\"}"}'],
    ['a"b\\c\nd€', '/a%22b%5Cc%0Ad%E2%82%AC', '/[redacted]'],
    ['ab/+cd=="é€', '/ab%2f%2bcd%3d%3d%22%c3%a9%e2%82%ac/', '/[redacted]/'],
    ['ab/+cd=="é€', '/%61%62%2f+cd=%3D%22%C3%a9%e2%82%aC/', '/[redacted]/'], // letters are encoded too, in mixed case
    ['ab/+cd=="é€', '{"path":"/ab/%2bcd==\\"é€"}', '{"path":"/[redacted]"}'], // the quote as JSON has it
    ['ab/+cd=="é€', '/ab%252F%25252bcd%3D=%2522é%25E2%82%25ac/', '/[redacted]/'], // encoded twice and three times
    ['100%2525%', '/100%2525%/100%252525%25/100%25%32525%2525', '/[redacted]/[redacted]/[redacted]'],
    ['ab/+cd=="é€', '/AB%2F%2Bcd%3D%3D%22%C3%A9%E2%82%AC/', '/AB%2F%2Bcd%3D%3D%22%C3%A9%E2%82%AC/'], // another text
    ['12345678', 'x12345678', 'x[redacted]'],
    ['1234567', 'x1234567', 'x1234567'], // too short
    ['', 'all stays', 'all stays'],
    ['\ud800-surrogate', '"\\ud800-surrogate"', '"[redacted]"']
  ] as const) t.equal(redactionOf(secret).redact(text), expected, `${JSON.stringify(secret)} in ${text}`)
})

t.test('the last ten tokens are redacted', async t => {
  const secrets = Array.from({ length: 11 }, (_, index) => `secret-${index}-`)
  const redaction = redactionOf(...secrets, 'secret-10-')
  t.equal(redaction.redact(secrets.join(' ')), `secret-0- ${'[redacted] '.repeat(10).trim()}`)
})

t.test('thousands of tokens, in all their forms', async t => {
  const many = Array.from({ length: 2000 }, (_, index) => `${index}-of-the-secrets/${index * 7919}`)
  const redaction = redactionOf()
  await redaction.hideAll([...many, 'inside-of-another-secret', 'it-is-inside-of-another-secret-', 'a "quoted" secret', 'of-16-characters', '5-short', '8-enough'])
  for (const [text, expected] of [
    ['{"a":"0-of-the-secrets/0 1999-of-the-secrets/15830081"}', '{"a":"[redacted] [redacted]"}'],
    ['x0-of-the-secrets/01-of-the-secrets/7919', 'x[redacted][redacted]'],
    ['/12-of-the-secrets%2F95028/%31%32-of-the-secrets%252f95028/%', '/[redacted]/[redacted]/%'],
    ['it-is-inside-of-another-secret-', '[redacted]'],
    ['a \\"quoted\\" secret, a%20%22quoted%22%20secret, 5-short, 8-enough', '[redacted], [redacted], 5-short, [redacted]'],
    ['2000-of-the-secrets/0 %41%4 %zz', '200[redacted] %41%4 %zz'],
    ['x'.repeat(5000) + '%2D12-of-the-secrets%2f95028', 'x'.repeat(5000) + '%2D[redacted]']
  ] as const) t.equal(redaction.redact(text), expected)
  for (let before = 0; before < 26; before++) {
    t.equal(redaction.redact(`${'x'.repeat(before)}of-16-characters`), `${'x'.repeat(before)}[redacted]`, `at the end, after ${before}`)
  }
  const sameEnd = ['one', 'two', 'three', 'four'].map(name => `${name}-of-the-shops-with-the-same-end`)
  await redaction.hideAll(sameEnd)
  t.equal(redaction.redact(sameEnd.join()), '[redacted],[redacted],[redacted],[redacted]')
  await redaction.hideAll(['another-secret-of-16'])
  t.equal(redaction.redact('0-of-the-secrets/0 another-secret-of-16'), '0-of-the-secrets/0 [redacted]')
})

t.test('a real request with the token in its path, encoded in lower case, in part or twice', async t => {
  const canary = 'c4/+naryT0ken=='
  const { app, log } = testApp(t, { config: { MERCHANT_TOKEN: canary } })
  const port = await portOf(app)
  for (const path of ['c4%2f%2bnaryT0ken%3d%3d', 'c4/%2BnaryT0ken=%3d', '%634%2f+naryT0ken==', 'c4%252f%252bnaryT0ken%253D=']) {
    await raw(port, `OPTIONS /${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  }
  await app.close()
  t.equal(log().split('"path":"/[redacted]"').length - 1, 4)
  t.notMatch(log(), 'naryT0ken')
})

t.test('a redacted line is valid JSON', async t => {
  t.equal(redactionOf('s3cret-token').redactLine('{"msg":"s3cret-token"}\n'), '{"msg":"[redacted]"}\n')
  t.equal(redactionOf('17099123').redactLine('{"level":30,"time":1709912345678}\n'), '{"level":50,"msg":"[redacted]"}\n')
  t.equal(redactionOf('17099123').redactLine('no JSON'), 'no JSON')
})

t.test('a log hook of the host runs first, and other log options are kept', async t => {
  let log = ''
  const app = createApp({
    config: { MERCHANT_TOKEN: 's3cret-token' },
    logger: {
      stream: { write: line => { log += line } },
      base: { name: 'own' },
      hooks: { streamWrite: line => line.replace('three', 's3cret') }
    }
  })
  t.teardown(() => app.close())
  await app.ready()
  log = ''
  app.log.info('three-token')
  t.match(log, /"name":"own","msg":"\[redacted\]"/)

  const { app: other, log: output } = testApp(t, { logger: { base: { name: 'own' } } })
  await other.ready()
  other.log.info('a line')
  t.match(output(), /"name":"own","msg":"a line"/, 'without a stream, the output')
})

const faults = ['thrown', 'rejected', 'not an error', 'refusal', 'cause', 'property', 'socket', 'hook'] as const

/** Ways in which a plugin or a route of a host could log the token. */
function leak (app: ReturnType<typeof createApp>, canary: string): void {
  const message = `it was ${canary}, and ${JSON.stringify({ merchantToken: canary })}`
  app.get<{ Params: { fault: typeof faults[number] } }>('/leak/:fault', {
    preHandler: async ({ params }) => { if (params.fault === 'hook') throw new Error(message) },
    onResponse: async () => { throw new Error(message) }
  }, async ({ params: { fault }, log }, reply) => {
    log.info({ canary, [canary]: 1, nested: { list: [canary] } }, message)
    switch (fault) {
      case 'thrown': throw new TypeError(message)
      case 'rejected': return await Promise.reject(new Error(message))
      case 'refusal': throw Object.assign(new Error(message), { statusCode: 418 })
      case 'cause': throw new Error('see the cause', { cause: new Error(message) })
      case 'property': throw Object.assign(new Error('see the property'), { canary, list: [message] })
      case 'socket': reply.raw.emit('error', new Error(message))
    }
    throw message
  })
}

/** Fails if `log` contains `canary` in any of its encodings. */
function isClean (t: Test, log: string, canary: string): void {
  const once = JSON.stringify(canary).slice(1, -1)
  for (const form of [canary, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(canary)]) {
    t.notOk(log.includes(form), `the log has no ${form}`)
  }
}

for (const canary of ['canary-7f3a-0123456789', 'canary "7f3a" \\0123456789\té€']) {
  t.test(`whatever goes wrong, ${JSON.stringify(canary)} is not logged`, async t => {
    const { app, log } = testApp(t, { config: { MERCHANT_TOKEN: canary, LOG_LEVEL: 'trace', NODE_ENV: 'production' } })
    leak(app, canary)
    const port = await portOf(app)

    // A socket error that quotes the token in the field that is logged.
    app.server.once('connection', socket => {
      app.server.emit('clientError', Object.assign(new Error(canary), { code: canary }), socket)
    })
    t.equal((await raw(port, '')).statusCode, 400)

    const statusCodes = new Set<number>()
    const path = encodeURIComponent(canary)
    for (const fault of faults) {
      const response = await app.inject(`/leak/${fault}`).catch(() => ({ statusCode: 0 })) // inject rejects for 'socket'
      statusCodes.add(response.statusCode)
    }
    const text = JSON.stringify({
      amount: canary, accountNumber: canary, orderId: canary, sid: canary, clientTimeStamp: canary, idType: canary
    })
    const payloads = [text, text.slice(1), `[${text}]`, '', JSON.stringify(canary), text.replace('"amount"', '"__proto__"'),
      text + ' '.repeat(102_400), text.replace(/"sid":/, '"s":'), `{"amount":{"toString":1},"sid":${JSON.stringify(canary)}}`]
    for (const payload of payloads) {
      for (const type of ['application/json', `text/${path}`]) {
        for (const url of ['/api/generate-signature', `/api/generate-signature?t=${path}`, `/${path}`, `/%c0/${path}`]) {
          const response = await app.inject({
            method: 'POST', url, payload, headers: { 'content-type': type, authorization: path, 'x-request-id': path }
          })
          statusCodes.add(response.statusCode)
        }
      }
    }
    for (const message of [
      `${canary}\r\n\r\n`,
      `GET /${path} HTTP/1.1\r\nHost: x\r\n${path}\r\n\r\n`,
      `GET /${path} HTTP/1.1\r\n\r\n`,
      `GET /${path} HTTP/1.1\r\nHost: x\r\nExpect: ${path}\r\n\r\n`,
      `GET /${path} HTTP/1.1\r\nHost: ${path}\r\nX: ${path.repeat(1000)}\r\n\r\n`,
      `CONNECT ${path}:443 HTTP/1.1\r\nHost: ${path}:443\r\n\r\n`
    ]) statusCodes.add((await raw(port, message)).statusCode)

    t.strictSame([...statusCodes].sort((a, b) => a - b), [0, 200, 400, 404, 405, 413, 415, 417, 418, 431, 500])
    const lines = log().trim().split('\n')
    t.ok(lines.length > 100)
    t.doesNotThrow(() => lines.map(line => JSON.parse(line)))
    t.match(log(), /it was \[redacted\], and /)
    isClean(t, log(), canary)
  })
}

t.test('a real server: standard output and standard error, the token before and after a reload', async t => {
  const [before, after] = ['canary-before "0123456789', 'canary-after "0123456789']
  const policy = { callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] }] }
  const folder = t.testdir({ token: before, 'policy.json': JSON.stringify(policy) })
  const path = `${folder}/token`
  const source = `
    import { writeFileSync } from 'node:fs'
    const message = ${JSON.stringify(`${before} and ${after}`)}
    process.once('SIGUSR2', () => { throw Object.assign(new Error(message), { message }) })
    process.once('SIGWINCH', () => {
      writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(after)})
      process.kill(process.pid, 'SIGHUP')
    })`
  const service = server(t, { MERCHANT_TOKEN_FILE: path, POLICY_FILE: `${folder}/policy.json` }, {
    nodeOptions: [importing(source)], isCovered: true
  })
  const [, port = ''] = await service.says(listening)
  await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(before)}`, { method: 'OPTIONS' })
  service.process.kill('SIGWINCH')
  await service.says(/the merchant token was replaced/)
  await service.says(/the policy is unchanged, 1 caller/) // SIGHUP reloads each file
  await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(before)}/${encodeURIComponent(after)}`, { method: 'OPTIONS' })
  service.process.kill('SIGUSR2')
  t.equal(await service.ended, 1)
  t.match(service.output(), '"path":"/[redacted]"')
  t.match(service.output(), '"path":"/[redacted]/[redacted]"')
  t.match(service.output(), '"message":"[redacted] and [redacted]"')
  isClean(t, service.output(), before)
  isClean(t, service.output(), after)
})
