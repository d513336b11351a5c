import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createApp } from '../../../src/app.js'
import type { Environment } from '../../../src/settings/settings.js'
import { keyCheckValue } from '../../../src/token/key-check-value.js'
import { Redaction } from '../../../src/token/redaction.js'
import { TokenError } from '../../../src/token/token-file.js'
import { tokenWarnings } from '../../../src/token/token-warnings.js'
import { testApp } from '../../support/app.js'
import { portOf, raw } from '../../support/http.js'
import { importing, listening, server } from '../../support/server.js'

process.umask(0o077) // a token file that others can read causes a warning

const request = {
  method: 'POST',
  url: '/api/generate-signature',
  payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
} as const

/** Part 2 for each token, which shows the token that signed: `printf '%s' 1nullTOKEN1 | sha256sum`. */
const part2 = {
  'from-file': '3935734bbd1026568b54e6b2f6e8b9d5f121aaa191555d142a6ff19495ba9743',
  'from-file ': 'f4001fa4ab2d66a1610d1b56e1cc5fa1a5dc94461696da519b71d8b8b86a7c23',
  'from-file\r': '7161b512ed397ae6c952d89f05f40da42d06b921574114dd5876a914ad36aff9',
  '\nfirst': '231194c91a388cac5ab3de34f2002a52e6af7e5158f8b1a23f44f5ca6284ebb8',
  'from-file\n': 'd54c3abdcfa630300a0fb91b5ce93ea84a96a8e5cf481ea289aaf0aa77b7e149',
  'töken-€': 'a17b1a1b16bb4fe81c00cafb5a1ba7c2800b9a1893478bd9b8cfed89dd7fc548',
  ' "quoted" ': '6898a10292ba6528c1901e67b57f29fce880446c282dae24341682b77f89c020',
  'development-only-token': '8c37de3b37d08a757275a8e5adf7a339880ae4da5e2352fef288e55300a348c3'
}

async function faultOf (t: Test, config: Partial<Environment>): Promise<unknown> {
  const { app } = testApp(t, { config: { ...config } })
  try {
    await app.ready()
    return undefined
  } catch (error) {
    if (error instanceof TokenError && error.code === 'ERR_TOKEN') return error.message
    throw error
  }
}

async function signsWith (t: Test, config: Partial<Environment>, token: keyof typeof part2): Promise<FastifyInstance> {
  const { app } = testApp(t, { config })
  const response = await app.inject(request)
  t.equal(response.json().signature.slice(67), part2[token])
  return app
}

const noToken = { MERCHANT_TOKEN: undefined } as unknown as Partial<Environment>

t.test('a file has the token, with a trailing newline or without', async t => {
  for (const [content, token] of [
    ['from-file', 'from-file'],
    ['from-file\n\n', 'from-file\n'],
    ['from-file\r\n', 'from-file\r'],
    ['\nfirst', '\nfirst'],
    ['from-file \n', 'from-file '],
    ['töken-€\n', 'töken-€']
  ] as const) {
    const path = join(t.testdir({ token: content }), 'token')
    const app = await signsWith(t, { ...noToken, MERCHANT_TOKEN_FILE: path, NODE_ENV: 'production' }, token)
    t.equal(app.merchantToken.source, `MERCHANT_TOKEN_FILE (${path})`)
  }
  for (const [why, content] of [['empty', ''], ['empty', '\n'], ['not UTF-8 text', Buffer.from([0x74, 0xff])]] as const) {
    const path = join(t.testdir({ token: content as string }), 'token')
    t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path }), `MERCHANT_TOKEN_FILE is "${path}", which is ${why}`)
  }
})

t.test('MERCHANT_TOKEN is used unchanged', async t => {
  await signsWith(t, { MERCHANT_TOKEN: ' "quoted" ' }, ' "quoted" ')
  const { app } = testApp(t, { config: { MERCHANT_TOKEN: 'from-variable', NODE_ENV: 'production' } })
  await app.ready()
  t.equal(app.merchantToken.source, 'MERCHANT_TOKEN')
  t.equal(await faultOf(t, { MERCHANT_TOKEN: 'from-variable', MERCHANT_TOKEN_FILE: './token' }),
    'MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set one of them')
})

const refusal = 'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s token, or ' +
  'MERCHANT_TOKEN_FILE to the path of a file that holds it'

t.test('the development default', async t => {
  const app = await signsWith(t, noToken, 'development-only-token')
  t.equal(app.merchantToken.source, 'the development default')
  t.equal(await faultOf(t, { ...noToken, NODE_ENV: 'production' }), refusal)
  t.equal(await faultOf(t, { MERCHANT_TOKEN: 'development-only-token', NODE_ENV: 'production' }), refusal)
  const path = join(t.testdir({ token: 'development-only-token\n' }), 'token')
  t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path, NODE_ENV: 'production' }), refusal)
})

t.test('a path that may be the token itself is not shown', async t => {
  for (const MERCHANT_TOKEN_FILE of ['tK7-mQ2xV9/bR4+wZ1', '.../tK7-mQ2xV9']) {
    t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE }), 'MERCHANT_TOKEN_FILE cannot be read (ENOENT): it must be the path ' +
      'of a file, such as ./token; what was given is not shown, since it may be the secret itself')
  }
  for (const path of ['./nowhere', '../nowhere', '/nowhere']) {
    t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path }),
      `MERCHANT_TOKEN_FILE is "${path}", which cannot be read (ENOENT)`)
  }
})

t.test('STRICT and a policy refuse a token of digits', async t => {
  const digits = '7041936285530174'
  t.equal(await faultOf(t, { MERCHANT_TOKEN: digits, STRICT: true }), 'STRICT needs a token that has more than digits and points')
  t.equal(await faultOf(t, { MERCHANT_TOKEN: digits, POLICY_FILE: 'policy.json' }),
    'STRICT needs a token that has more than digits and points')
  for (const [MERCHANT_TOKEN, STRICT] of [[digits, false], [`${digits}x`, true], ['٧٠٤١٩٣٦٢', true]] as const) {
    t.equal(await faultOf(t, { MERCHANT_TOKEN, STRICT }), undefined)
  }
})

t.test('each warning about a token or its file is one line', async t => {
  const development = 'the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE'
  const readable = 'MERCHANT_TOKEN_FILE can be read by every user of this machine: chmod o-r; in Kubernetes, ' +
    'defaultMode: 0440 and an fsGroup'

  /** Returns the log of the start. */
  async function said (t: Test, config: Partial<Environment>): Promise<string[]> {
    const { app, log } = testApp(t, { config: { NODE_ENV: '', ...config } })
    await app.ready()
    return log().split('\n').slice(0, -1).map(line => JSON.parse(line)).map(({ level, msg }) => `${level} ${msg}`)
  }

  t.strictSame(await said(t, noToken), [`40 ${development}`])
  t.strictSame(await said(t, { MERCHANT_TOKEN: 'development-only-token', NODE_ENV: 'development' }), [`40 ${development}`])
  t.strictSame(await said(t, { ...noToken, NODE_ENV: 'test' }), [])

  const path = join(t.testdir({ token: 'development-only-token' }), 'token')
  const file = { ...noToken, MERCHANT_TOKEN_FILE: path }
  t.strictSame(await said(t, file), [`40 ${development}`])
  chmodSync(path, 0o444)
  t.strictSame(await said(t, file), [`40 ${development}`, `40 ${readable}`])
  t.strictSame(await said(t, { ...file, NODE_ENV: 'test' }), [`40 ${readable}`])

  const { app, log } = testApp(t, { config: file })
  await app.ready()
  for (const [mode, token, expected] of [[0o640, 'a-first-token-of-some-length', false], [0o604, 'another-token-of-some-length', true]] as const) {
    chmodSync(path, 0o600)
    writeFileSync(path, token)
    chmodSync(path, mode)
    const before = log().length
    await app.watchedFiles[0]?.reload()
    t.equal(log().slice(before).includes(readable), expected, mode.toString(8))
  }
})

const quotes = 'is in quotes, which are signed as part of it'
const edge = (codePoint: string) =>
  `begins or ends with ${codePoint}, white space or invisible, which is signed as part of it`
const inside = (codePoint: string) => `has an invisible or unusual character inside, ${codePoint}`
const unexpanded = 'looks like a variable that nobody has expanded'
const placeholder = 'looks like a placeholder'
const short = 'has fewer than 16 characters, and can be guessed from a single signature'
const uniform = 'has fewer than 6 different characters, and can be guessed from a single signature'

const good = 'tK7-mQ2xV9/bR4+wZ1'

/** Tokens by their warnings. */
const tokens: ReadonlyArray<readonly [warnings: readonly string[], ...tokens: string[]]> = [
  [[], good, '7041936285530174', 'correct horse battery staple', 'it\'s "quoted" within, not around',
    'sk_test_4eC39HqLyjWDarjtT1zdp7dc', 'trockenes-Brötchen-grün-7', 'development-only-token', `"${good}'`],
  [[quotes], `"${good}"`, `'${good}'`, `\`${good}\``, `“${good}”`, `‘${good}’`, `„${good}“`, `«${good}»`],
  [[quotes, inside('U+000A')], `"${good}\n${good}"`],
  [[edge('U+0020')], `${good} `, ` ${good}`],
  [[edge('U+000A')], `${good}\n`],
  [[edge('U+000D')], `${good}\r`],
  [[edge('U+0009')], `${good}\t`, `\t${good}\n`],
  [[edge('U+200B')], `${good}\u200b`],
  [[edge('U+E0001')], `${good}\u{e0001}`],
  [[inside('U+200B')], `${good.slice(0, -1)}\u200b1`, `t\u200b${good}`],
  [[inside('U+00A0')], `${good}\u00a0${good}\u200b${good}`, `${good}\u00a0${good}`],
  [[inside('U+000A')], `${good}\n${good}`],
  [[inside('U+D800')], `${good}\ud800${good}`],
  [['has U+FFFD inside, as text that was not UTF-8 gets it'], `${good}\ufffd`],
  [[unexpanded], '$' + '{PAYMENT_TOKEN_2024}', 'prefix-$' + '{PAYMENT_TOKEN}', '$PAYMENT_TOKEN_2024',
    '%PAYMENT_TOKEN_2024%', '{{ .Values.paymentToken }}', '$(cat /run/secrets/t)'],
  [[short, uniform], '$', '%%', 'a'],
  [[placeholder], '<your token goes in here>', `<${good}>`, '[merchant-token-of-2024]', 'your-merchant-token-here',
    'Replace_This_Secret_1', 'PLEASE CHANGE ME NOW 123'],
  [[inside('U+000A'), placeholder], `[${good}\n${good}]`],
  [[placeholder, short, uniform], '<>', '[]', 'secret', 'test', 'xxx'],
  [[placeholder, short], 'changeme', 'your-token', 'example'],
  [[placeholder, uniform], 'xxxxxxxxxxxxxxxxxxxx'],
  [[short], 'tK7-mQ2xV9/bR4+', '😀😁😂😃😄😅😆😇'],
  [[uniform], '1212121212121212'],
  [[edge('U+000A'), placeholder, short], '"changeme"\n'],
  [[quotes, short, uniform], '""', '“”', '‘’', '«»', '``'],
  [[], ...['""', '“”', '‘’', '«»'].flatMap(([open, close]) => [`x${open}${good}${close}`, `${open}${good}${close}x`])],
  [[unexpanded], ...['$' + '{}', '{{}}', '$()'].map(empty => good + empty)],
  [[], 'x$PAYROLL_KEY_2024', '$PAYROLL-KEY-2024', 'x%PAYROLL_KEY_2024%', '%PAYROLL_KEY_2024%x'],
  [[], `x<${good}>`, `<${good}>x`, `x[${good}]`, `[${good}]x`]
]

for (const [warnings, ...all] of tokens) {
  for (const token of all) t.strictSame(tokenWarnings(token), warnings, JSON.stringify(token))
}

t.test('no warning contains the token', async t => {
  const characters = fc.constantFrom(...'"\'<>${}%[] \n\u200b\ufffdaxq7')
  const token = fc.string({ unit: characters, minLength: 1, maxLength: 20 }).map(text => `${text}~Zq`)
  t.doesNotThrow(() => fc.assert(fc.property(token, token, (before, after) =>
    [before + after, `"${before}"`, `<${before}>`].every(text => !tokenWarnings(text).join().includes('~Zq')))))
})

t.test('the key check value', async t => {
  // printf TOKEN | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1', the first 6 digits
  for (const [token, expected] of [['development-only-token', '63e1e6'], ['a\0', '2878d7'], ['töken-€', '738389']] as const) {
    t.equal(keyCheckValue(token), expected, token)
  }
})

// Redaction.

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

t.test('the beginning of a text is cut before the search, and has no part of a token', async t => {
  const token = 'Zz9-Yy8+Xx7/Ww6=' // 16 bytes, of which none is in the rest of the text
  const encoded = Array.from(token, one => `%${one.charCodeAt(0).toString(16)}`).join('')
  const many = redactionOf()
  await many.hideAll([token, ...Array.from({ length: 50 }, (_, index) => `${100 + index}-other-secret`)])
  for (const redaction of [redactionOf(token), many]) {
    let searched = 0
    const search = redaction.redact.bind(redaction)
    t.intercept(redaction, 'redact', {
      value (text: string) {
        searched = Math.max(searched, text.length)
        return search(text)
      }
    })
    for (const form of [token, encoded, token.repeat(40), encoded.repeat(12)]) {
      for (let before = 0; before < 360; before++) {
        const start = redaction.redactStart(`${'_'.repeat(before)}${form}${'_'.repeat(100_000)}`, 256)
        if (/^_*(?:\[redacted\])*(?:\[[a-z]*)?_*$/.test(start) && start.length <= 256) continue
        t.fail(`${form.slice(0, 20)} after ${before}: ${start}`)
      }
    }
    t.equal(searched, 352, '256 characters, and twice the 48 of the encoded token')
    t.equal(redaction.redactStart('_'.repeat(100_000), 256), '_'.repeat(256))
    t.equal(redaction.redactStart(`${'_'.repeat(250)}${token}`, 256), `${'_'.repeat(250)}[redac`)
    t.equal(redaction.redactStart(`${'_'.repeat(255)}\ud83d\ude00${'_'.repeat(100)}`, 256), `${'_'.repeat(255)}\ufffd`)
  }
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
