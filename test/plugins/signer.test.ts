import { once } from 'node:events'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import env from '../../plugins/env.js'
import metrics from '../../plugins/metrics.js'
import signer from '../../plugins/signer.js'
import type { AppOptions } from '../../src/app.js'
import { VariantA, VariantB } from '../../src/scheme/variants.js'
import { Redactor } from '../../src/token/redactor.js'
import { testApp } from '../support/app.js'
import { customSigner } from '../support/custom-signer.js'
import { request } from '../support/example.js'
import { dial, portOf } from '../support/http.js'
import { replaceFile } from '../support/replace-file.js'

process.umask(0o077) // a token file that others can read causes a warning

// Part 2 is the output of `printf '%s' 1nullTOKEN1 | sha256sum`, the key check value that of
// `printf '%s' TOKEN | openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1'`, its first 6 digits.
const first = {
  text: 'first-token-0123456789',
  part2: '3d57897dd0d629989a1340b22648ba1fba48fd07bd5c15e9d84d68b6fec63dac',
  keyCheckValue: '02672b'
}
const second = {
  text: 'second-token-0123456789',
  part2: '0e922ef235e7f487d2a1bf02b4739a92faf1e54af73c1555f777d7c8075e2046',
  keyCheckValue: '625429'
}
const body = '{"accountNumber":"1","sid":"s","clientTimeStamp":1}'

async function sign (port: string | number): Promise<[status: number, part2: string]> {
  const response = await request(port, body)
  const { signature } = await response.json() as { signature: string }
  return [response.status, signature.slice(67)]
}

/** A Kubernetes secret volume: token -> ..data/token, ..data -> ..2024_01/. */
function secretVolume (t: Test) {
  const folder = t.testdir()
  let revision = 0
  const update = (token: string): void => {
    const name = `..2024_0${++revision}`
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'token'), token)
    symlinkSync(name, join(folder, '..data_tmp'))
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
    rmSync(join(folder, `..2024_0${revision - 1}`), { recursive: true, force: true })
  }
  update(first.text)
  symlinkSync('..data/token', join(folder, 'token'))
  return { path: join(folder, 'token'), update }
}

/** Returns an app that reads its token file again every five milliseconds. */
const reloadingApp = (t: Test, path: string, config: AppOptions['config'] = {}) =>
  testApp(t, { config: { MERCHANT_TOKEN_FILE: path, ...config }, pollInterval: 5 })

/** Levels and messages of a log, without those of requests. */
const messages = (log: string) => log.split('\n').slice(0, -1).map(line => JSON.parse(line))
  .map(({ level, msg }) => [level, msg]).filter(([, msg]) => !/^(?:request|Server listening)/.test(msg))

t.test('the token of the environment or of a file signs, and identity, log and metrics have its key check value', async t => {
  const path = join(t.testdir({ token: `${first.text}\n` }), 'token')
  for (const [source, token] of [
    [{ MERCHANT_TOKEN: first.text }, 'MERCHANT_TOKEN, 22 characters'],
    [{ MERCHANT_TOKEN_FILE: path }, `MERCHANT_TOKEN_FILE (${path}), 22 characters`]
  ] as const) {
    const { app, log } = testApp(t, { config: { ...source, ADMIN_PORT: '0' } })
    t.strictSame(await sign(await portOf(app)), [200, first.part2])
    t.strictSame(app.identity, { variant: 'A', token, keyCheckValue: first.keyCheckValue })
    t.match(await app.metrics!.metrics(), '\npayment_signature_info{version="0.1.0",variant="A",key_check_value="02672b"} 1\n')
    t.strictSame(messages(log()), [])
  }
})

t.test('a file of merchants: the account selects token and variant', async t => {
  const merchants = [
    { name: 'shop-1', accountNumbers: ['1'], tokenFile: 'token' },
    { name: 'shop-2', accountNumbers: ['2'], token: second.text, variant: 'B' }
  ]
  const folder = t.testdir({ token: first.text, 'merchants.json': JSON.stringify({ merchants }) })
  const path = join(folder, 'merchants.json')
  const { app, log, says } = testApp(t, { config: { MERCHANTS_FILE: path, ADMIN_PORT: '0' }, pollInterval: 5 })
  const ask = async (accountNumber: string, fields = {}) => {
    const payload = { accountNumber, sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1, ...fields }
    const { statusCode, body, headers } = await app.inject({ method: 'POST', url: '/api/generate-signature', payload })
    return [statusCode, JSON.parse(body).signature?.slice(67) ?? headers['error-code']]
  }
  t.strictSame(await ask('1'), [200, first.part2])
  // printf '%s' 1second-token-01234567892 | sha256sum
  t.strictSame(await ask('2'), [200, 'fc5e4ef0e93cbf8866e13fd720093b24a3d8f4d34cf4b92a88e69776dce140a2'])
  t.strictSame(await ask('2', { sid: 's' }), [500, 'sid-invalid; field=sid'])
  t.strictSame(await ask('3'), [403, 'account-number-unknown'])
  t.strictSame(await ask('1', { merchantToken: 'own' }), [400, 'strict; field=merchantToken'])
  t.match(app.identity, { variant: 'A,B', token: `MERCHANTS_FILE (${path}), 2 entries`, keyCheckValue: /^[0-9a-f]{6}$/ })
  t.equal((await app.inject('/health')).json().variant, 'A,B')

  const before = app.identity.keyCheckValue
  replaceFile(join(folder, 'token'), second.text.toUpperCase())
  await says('MERCHANTS_FILE was read again: its content was replaced')
  t.not(app.identity.keyCheckValue, before)
  t.not((await ask('1'))[1], first.part2)
  t.notMatch(log(), /-token-/i)
})

t.test('each source of a token signs with the variants that are injected', async t => {
  class Injected extends VariantA {
    override signReading () { return 'injected' }
  }
  const folder = t.testdir({
    token: first.text, merchants: JSON.stringify({ merchants: [{ name: 'shop', accountNumbers: ['1'], token: first.text }] })
  })
  for (const config of [
    { MERCHANT_TOKEN: first.text }, { MERCHANT_TOKEN_FILE: join(folder, 'token') }, { MERCHANTS_FILE: join(folder, 'merchants') }
  ]) {
    const app = Fastify()
    t.teardown(() => app.close())
    const redactor = new Redactor()
    app.register(env, { config, redactor })
    app.register(metrics)
    app.register(signer, { redactor, variants: { A: Injected, B: VariantB } })
    await app.ready()
    const { reader, signerFor } = app.signingOf('1')!
    const reading = reader.read(JSON.parse(body))
    t.equal(await (await signerFor(reading, undefined)).signReading(reading), 'injected', Object.keys(config)[0]!)
  }
})

t.test('more than one source of the token is a fault', async t => {
  const signer = customSigner('A', () => 'signed')
  for (const [config, options, sources] of [
    [{ MERCHANT_TOKEN: first.text, MERCHANT_TOKEN_FILE: './token' }, {}, 'MERCHANT_TOKEN and MERCHANT_TOKEN_FILE'],
    [{ MERCHANT_TOKEN: first.text }, { signer }, 'MERCHANT_TOKEN and the option signer'],
    [{ MERCHANT_TOKEN_FILE: './token' }, { signer }, 'MERCHANT_TOKEN_FILE and the option signer'],
    [{ MERCHANTS_FILE: './merchants' }, { signer }, 'MERCHANTS_FILE and the option signer']
  ] as const) {
    const { app } = testApp(t, { config, ...options })
    await t.rejects(async () => app.ready(), { code: 'ERR_CONFIGURATION', message: `${sources} are both set; set one of them` })
  }
})

t.test('requests before, during and after Kubernetes swaps the symlink', async t => {
  const { path, update } = secretVolume(t)
  const { app, log, says } = reloadingApp(t, path)
  const port = await portOf(app)
  t.strictSame(await sign(port), [200, first.part2])

  const socket = dial(t, port, '127.0.0.1').setEncoding('utf8')
  socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    `Connection: close\r\nContent-Length: ${body.length}\r\nExpect: 100-Continue\r\n\r\n${body.slice(0, 10)}`)
  await once(socket, 'data') // 100 Continue: the request is being read

  update(`${second.text}\n`)
  const replaced = says('replaced').then(() => true)
  do {
    const [status, part2] = await sign(port)
    t.ok(status === 200 && [first.part2, second.part2].includes(part2))
  } while (!await Promise.race([replaced, setImmediate(false)]))

  socket.write(body.slice(10))
  t.match((await socket.toArray()).join(''), new RegExp(`^HTTP/1\\.1 200 OK\r\n[^]*///${second.part2}`, 'm'))
  t.strictSame(await sign(port), [200, second.part2])
  t.strictSame(messages(log()), [[30, 'MERCHANT_TOKEN_FILE was read again: its content was replaced']])
  t.equal(app.identity.keyCheckValue, second.keyCheckValue)
  app.log.info(`${first.text} ${second.text}`)
  t.match(log(), '"msg":"[redacted] [redacted]"', 'lines about the token before may come late')
})

t.test('a token is used though its key check value is that of the token before', async t => {
  const path = join(t.testdir({ token: 'a-token-of-the-merchant-2609' }), 'token') // 179af8, like the next one
  const { app, says } = reloadingApp(t, path)
  await app.ready()
  replaceFile(path, 'a-token-of-the-merchant-12001')
  await says('MERCHANT_TOKEN_FILE was read again')
  t.equal(app.identity.keyCheckValue, '179af8')
})

t.test('an unusable file keeps the token, with one line for each reason, and a gauge', async t => {
  const path = join(t.testdir({ token: first.text }), 'token')
  const { app, log, says } = reloadingApp(t, path, { NODE_ENV: 'production', STRICT: 'true', ADMIN_PORT: '0' })
  await app.ready()
  const before = messages(log()).length
  const metric = async (name: string) => new RegExp(`^payment_signature_${name} (.*)$`, 'm').exec(await app.metrics!.metrics())?.[1]
  const unusable = 'file_unusable{setting="MERCHANT_TOKEN_FILE"}'
  t.equal(await metric(unusable), '0')
  const file = `MERCHANT_TOKEN_FILE is "${path}", which`
  const reasons = [
    ['', `${file} is empty`],
    [Buffer.from([0x74, 0xff]), `${file} cannot be used: the file is not UTF-8 text`],
    ['development-only-token\n', 'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the ' +
      'merchant\'s token, or MERCHANT_TOKEN_FILE to the path of a file that holds it'],
    ['arn:aws:secretsmanager:x', 'NODE_ENV=production refuses the merchant token: it is a reference, an assignment or an object, ' +
      'and not the secret itself'],
    ['12345678901234567890', 'STRICT needs a token that has more than digits and points'],
    [undefined, `${file} cannot be read (ENOENT)`]
  ] as const
  for (const [content, reason] of reasons) {
    if (content === undefined) unlinkSync(path)
    else replaceFile(path, content)
    await says(JSON.stringify(`${reason}; the current content stays`))
    const failed = Number(await metric('reloads_total{setting="MERCHANT_TOKEN_FILE",result="failed"}'))
    while (Number(await metric('reloads_total{setting="MERCHANT_TOKEN_FILE",result="failed"}')) < failed + 3) await setImmediate()
    t.equal(await metric(unusable), '1')
  }
  const expected = reasons.map(([, reason]) => [50, `${reason}; the current content stays`])
  t.strictSame(messages(log()).slice(before), expected)
  t.equal(app.identity.keyCheckValue, first.keyCheckValue)
  replaceFile(path, `${first.text}\n`)
  await says('MERCHANT_TOKEN_FILE can be used again')
  while (await metric(unusable) !== '0') await setImmediate()
})

t.test('production refuses the development token, also if only the process is in production', async t => {
  const refused = { code: 'ERR_TOKEN', message: /^NODE_ENV=production refuses the development token: / }
  const MERCHANT_TOKEN = 'development-only-token'
  await t.rejects(async () => testApp(t, { config: { NODE_ENV: 'production', MERCHANT_TOKEN } }).app.ready(), refused)
  const { NODE_ENV } = process.env
  t.teardown(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  })
  process.env.NODE_ENV = 'production'
  for (const config of [{ MERCHANT_TOKEN }, { MERCHANT_TOKEN, NODE_ENV: 'development' }]) {
    await t.rejects(async () => testApp(t, { config }).app.ready(), refused)
  }
})

t.test('warnings: the development token, and files that others can read', async t => {
  const folder = t.testdir({
    token: first.text,
    'merchants.json': JSON.stringify({
      merchants: [{ name: 'shop', accountNumbers: ['1'], token: first.text }]
    })
  })
  for (const name of ['token', 'merchants.json']) chmodSync(join(folder, name), 0o644)
  const everybody = 'can be read by every user of this machine: chmod o-r'
  for (const [config, ...warnings] of [
    [{ MERCHANT_TOKEN: 'development-only-token', NODE_ENV: '' },
      'the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE'],
    [{ MERCHANT_TOKEN_FILE: join(folder, 'token') }, `MERCHANT_TOKEN_FILE ${everybody}`],
    [{ MERCHANTS_FILE: join(folder, 'merchants.json') }, `MERCHANTS_FILE ${everybody}`]
  ] as const) {
    const { app, log } = testApp(t, { config })
    await app.ready()
    t.strictSame(messages(log()), warnings.map(warning => [40, warning]))
  }
})
