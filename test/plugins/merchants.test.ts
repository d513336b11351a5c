import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import env from '../../plugins/env.js'
import metrics from '../../plugins/metrics.js'
import generateSignature from '../../routes/generate-signature.js'
import type { AppOptions } from '../../src/embed.js'
import type { Reading } from '../../src/scheme/request.js'
import { VariantA, VariantB } from '../../src/scheme/variants.js'
import http from '../../plugins/http.js'
import lifecycle from '../../plugins/lifecycle.js'
import merchants from '../../plugins/merchants.js'
import { Redactor } from '../../src/merchants/redactor.js'
import { testApp } from '../support/app.js'
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
  testApp(t, { config: { MERCHANT_TOKEN_FILE: path, ...config } })

/** Levels and messages of a log, without those of requests. */
const messages = (log: string) => log.split('\n').slice(0, -1).map(line => JSON.parse(line))
  .map(({ level, msg }) => [level, msg]).filter(([, msg]) => !/^(?:request|Server listening)/.test(msg))

t.test('the token of the environment or of a file signs, and merchants, log and metrics have its key check value', async t => {
  const path = join(t.testdir({ token: `${first.text}\n` }), 'token')
  for (const [source, tokenSource] of [
    [{ MERCHANT_TOKEN: first.text }, 'MERCHANT_TOKEN, 22 characters'],
    [{ MERCHANT_TOKEN_FILE: path }, `MERCHANT_TOKEN_FILE (${path}), 22 characters`]
  ] as const) {
    const { app, log } = testApp(t, { config: { ...source, ADMIN_PORT: 1 } })
    t.strictSame(await sign(await portOf(app)), [200, first.part2])
    t.match(app.merchants, { variant: 'A', tokenSource, keyCheckValue: first.keyCheckValue })
    t.match(await app.metrics!.registry.metrics(), '\npayment_signature_info{version="0.1.0",variant="A",key_check_value="02672b"} 1\n')
    t.strictSame(messages(log()), [])
  }
})

t.test('the injected class of a variant reads and signs', async t => {
  class Loud extends VariantA {
    override sign (reading: Reading) { return `LOUD ${super.sign(reading)}` }
  }
  const app = Fastify()
  app.register(env, { config: { MERCHANT_TOKEN: first.text }, redactor: new Redactor() })
  app.register(http)
  app.register(metrics)
  app.register(merchants, { signers: { A: Loud, B: VariantB } })
  app.register(lifecycle, {})
  app.register(generateSignature, {})
  const headers = { 'content-type': 'application/json' }
  const response = await app.inject({ method: 'POST', url: '/api/generate-signature', headers, payload: body })
  t.match(response.json().signature, /^LOUD [0-9a-f]{64}\/\/\/[0-9a-f]{64}$/)
  await app.close()
})

t.test('a token and the option tokenOf are a fault', async t => {
  const { app } = testApp(t, { config: { MERCHANT_TOKEN: first.text }, tokenOf: () => '' })
  await t.rejects(async () => app.ready(), {
    code: 'ERR_CONFIGURATION', message: 'MERCHANT_TOKEN and the option tokenOf are both set; set one of them'
  })
})

t.test('requests before, during and after Kubernetes swaps the symlink', async t => {
  const { path, update } = secretVolume(t)
  const { app, log, says } = reloadingApp(t, path)
  const port = await portOf(app)
  t.strictSame(await sign(port), [200, first.part2])

  const socket = dial(t, port).setEncoding('utf8')
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
  t.equal(app.merchants.keyCheckValue, second.keyCheckValue)
  app.log.info(`${first.text} ${second.text}`)
  t.match(log(), '"msg":"[redacted] [redacted]"', 'lines about the token before may come late')
})

t.test('a token is used though its key check value is that of the token before', async t => {
  const path = join(t.testdir({ token: 'a-token-of-the-merchant-2609' }), 'token') // 179af8, like the next one
  const { app, says } = reloadingApp(t, path)
  await app.ready()
  replaceFile(path, 'a-token-of-the-merchant-12001')
  await says('MERCHANT_TOKEN_FILE was read again')
  t.equal(app.merchants.keyCheckValue, '179af8')
})

t.test('an unusable file keeps the token', async t => {
  const path = join(t.testdir({ token: first.text }), 'token')
  const { app, says } = reloadingApp(t, path, { ADMIN_PORT: 1 })
  await app.ready()
  unlinkSync(path)
  await says('which cannot be read (ENOENT); the current content stays')
  spawnSync('mkfifo', [path])
  await says('which cannot be used: it is a pipe or a device: use a regular file; the current content stays')
  t.equal(app.merchants.keyCheckValue, first.keyCheckValue)
  t.match(await app.metrics!.registry.metrics(), 'payment_signature_file_unusable{setting="MERCHANT_TOKEN_FILE"} 1')
})

t.test('tokens that cannot be used, at the start and from a file that is read again', async t => {
  const known = 'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s token, or ' +
    'MERCHANT_TOKEN_FILE to the path of a file that holds it'
  const { NODE_ENV } = process.env
  t.teardown(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  })
  for (const [token, config, message, environment = 'test'] of [
    ['development-only-token', { NODE_ENV: 'production' }, known],
    ['development-only-token', {}, known, 'production'],
    ['development-only-token', { NODE_ENV: 'development' }, known, 'production'],
    ['token-\ufffd-4b7d93-8ce1a5', {}, 'the token has U+FFFD or half a surrogate pair, which a wrong encoding leaves: copy it again']
  ] as const) {
    process.env.NODE_ENV = environment
    const { app } = testApp(t, { config: { ...config, MERCHANT_TOKEN: token } })
    await t.rejects(async () => app.ready(), { code: 'ERR_TOKEN', message })
    const path = join(t.testdir({ token: first.text }), 'token')
    const reloading = reloadingApp(t, path, config)
    await reloading.app.ready()
    replaceFile(path, token)
    await reloading.says(`${message}; the current content stays`)
  }
})

t.test('warnings: the development token, and files that others can read', async t => {
  const folder = t.testdir({
    token: first.text,
    'merchants.json': JSON.stringify({
      merchants: [{ name: 'shop', accountNumbers: ['1'], token: first.text }]
    }),
    'weak.json': JSON.stringify({ merchants: ['1', '2'].map(number => ({ name: 'shop', accountNumbers: [number], token: 'weak-token' })) })
  })
  for (const name of ['token', 'merchants.json']) chmodSync(join(folder, name), 0o644)
  const everybody = 'can be read by every user of this machine: chmod o-r'
  for (const [config, ...warnings] of [
    [{ MERCHANT_TOKEN: 'development-only-token', NODE_ENV: '' },
      'the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE'],
    [{ MERCHANT_TOKEN_FILE: join(folder, 'token') }, `MERCHANT_TOKEN_FILE ${everybody}`],
    [{ MERCHANTS_FILE: join(folder, 'merchants.json') }, `MERCHANTS_FILE ${everybody}`],
    [{ MERCHANTS_FILE: join(folder, 'weak.json') }, 'merchant "shop": the token has fewer than 16 characters, and can be guessed from a single signature']
  ] as const) {
    const { app, log } = testApp(t, { config })
    await app.ready()
    t.strictSame(messages(log()), warnings.map(warning => [40, warning]))
  }
})
