import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createApp, type AppOptions } from '../../src/app.js'
import type { Signer } from '../../src/scheme/variant.js'
import { testApp } from '../support/app.js'
import { request } from '../support/example.js'
import { portOf } from '../support/http.js'
import { replaceFile } from '../support/replace-file.js'
import { whole } from '../support/whole.js'

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

async function sign (port: string | number): Promise<{ statusCode: number, part2: string }> {
  const response = await request(port, body)
  const { signature } = await response.json() as { signature: string }
  return { statusCode: response.status, part2: signature.slice(67) }
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

const reload = (app: FastifyInstance, isAsked?: boolean) => app.watchedFiles[0]?.reload(isAsked)

/** Returns an app that reloads its token file every five milliseconds. */
function reloadingApp (t: Test, path: string, config: AppOptions['config'] = {}) {
  const noToken = { MERCHANT_TOKEN: undefined } as unknown as NonNullable<AppOptions['config']>
  return testApp(t, { config: { ...noToken, MERCHANT_TOKEN_FILE: path, ...config }, pollInterval: 5 })
}

const messages = (log: string) => log.split('\n').slice(0, -1).map(line => {
  const { level, msg } = JSON.parse(line)
  return [level, msg]
}).filter(([, msg]) => !/^request/.test(msg))

t.test('MERCHANT_TOKEN_KCV refuses a token with another key check value, at start and at reload', async t => {
  const path = join(t.testdir({ token: second.text }), 'token')
  const refused = reloadingApp(t, path, { MERCHANT_TOKEN_KCV: first.keyCheckValue })
  await t.rejects(async () => refused.app.ready(), { code: 'ERR_TOKEN', message: 'MERCHANT_TOKEN_KCV is 02672b; the token has 625429' })

  for (const [MERCHANT_TOKEN_KCV, used] of [['625429', '625429'], ['625429, 02672b', '02672b']] as const) {
    replaceFile(path, second.text)
    const { app, says } = reloadingApp(t, path, { MERCHANT_TOKEN_KCV })
    await app.ready()
    replaceFile(path, first.text)
    await says(used === '02672b'
      ? 'the merchant token was replaced, key check value 02672b'
      : 'MERCHANT_TOKEN_KCV is 625429; the token has 02672b; keeping the current merchant token, key check value 625429')
    t.equal(app.merchantToken.keyCheckValue, used)
  }
})

t.test('requests before, during and after Kubernetes swaps the symlink', async t => {
  const { path, update } = secretVolume(t)
  const { app, log, says } = reloadingApp(t, path)
  const port = await portOf(app)
  t.strictSame(await sign(port), { statusCode: 200, part2: first.part2 })

  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.write('POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    `Connection: close\r\nContent-Length: ${body.length}\r\nExpect: 100-Continue\r\n\r\n${body.slice(0, 10)}`)
  await once(socket, 'data') // 100 Continue: the request is being read

  update(`${second.text}\n`)
  const replaced = says('replaced').then(() => true)
  do {
    const { statusCode, part2 } = await sign(port)
    t.equal(statusCode, 200)
    t.ok([first.part2, second.part2].includes(part2))
  } while (!await Promise.race([replaced, setImmediate(false)]))

  socket.write(body.slice(10))
  t.match((await socket.toArray()).join(''), new RegExp(`^HTTP/1\\.1 200 OK\r\n[^]*///${second.part2}`, 'm'))
  t.strictSame(await sign(port), { statusCode: 200, part2: second.part2 })
  t.strictSame(messages(log()), [[30, `the merchant token was replaced, key check value ${second.keyCheckValue}`]])
  t.equal(app.merchantToken.keyCheckValue, second.keyCheckValue)
})

t.test('an unusable file keeps the token, with one log line for each reason', async t => {
  const path = join(t.testdir({ token: first.text }), 'token')
  const { app, log, says } = reloadingApp(t, path, { NODE_ENV: 'production', STRICT: true, LOG_LEVEL: 'info' })
  await portOf(app)
  const before = messages(log()).length
  const kept = 'keeping the current merchant token, key check value 02672b'
  const expected: unknown[] = []
  const file = `MERCHANT_TOKEN_FILE is "${path}", which`

  for (const [content, reason] of [
    ['', `${file} is empty`],
    ['\n', ''], // the same reason again
    [Buffer.from([0x74, 0xff]), `${file} is not UTF-8 text`],
    ['development-only-token\n', 'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the ' +
      'merchant\'s token, or MERCHANT_TOKEN_FILE to the path of a file that holds it'],
    ['12345678901234567890', 'STRICT needs a token that has more than digits and points']
  ] as const) {
    replaceFile(path, content)
    if (reason !== '') {
      expected.push([50, `${reason}; ${kept}`])
      await says(JSON.stringify(`${reason}; ${kept}`))
    }
    for (let count = 0; count < 3; count++) await reload(app, false) // no further log line
    t.strictSame(messages(log()).slice(before), expected)
  }
  unlinkSync(path)
  await says('ENOENT')
  expected.push([50, `${file} cannot be read (ENOENT); ${kept}`])
  t.equal(app.merchantToken.keyCheckValue, first.keyCheckValue)

  replaceFile(path, `${first.text}\n`)
  await says('unchanged')
  expected.push([30, 'the merchant token is unchanged, key check value 02672b'])
  replaceFile(path, '')
  await says('which is empty', 2)
  expected.push(expected[0])
  t.strictSame(messages(log()).slice(before), expected)
})

t.test('a requested reload is logged and counted by result, and the metrics have the key check value', async t => {
  const path = join(t.testdir({ token: first.text }), 'token')
  const { app, log } = testApp(t, { config: { MERCHANT_TOKEN: undefined, MERCHANT_TOKEN_FILE: path, ADMIN_PORT: '0' } as never })
  const series = async () => (await app.metrics?.metrics() ?? '').split('\n').filter(line => line.startsWith('payment_signature_token'))
  await app.ready()
  t.strictSame(await series(), [
    'payment_signature_token_info{key_check_value="02672b"} 1',
    'payment_signature_token_reloads_total{result="replaced"} 0',
    'payment_signature_token_reloads_total{result="unchanged"} 0',
    'payment_signature_token_reloads_total{result="failed"} 0'
  ])
  await reload(app)
  replaceFile(path, '')
  await reload(app)
  await reload(app)
  replaceFile(path, second.text)
  await reload(app)
  await reload(app, false)
  t.strictSame(await series(), [
    'payment_signature_token_info{key_check_value="625429"} 1',
    'payment_signature_token_reloads_total{result="replaced"} 1',
    'payment_signature_token_reloads_total{result="unchanged"} 2',
    'payment_signature_token_reloads_total{result="failed"} 2'
  ])
  t.strictSame(messages(log()).map(([level]) => level), [30, 50, 50, 30])
  await app.close()
  await reload(app)
  t.equal(messages(log()).length, 4, 'nothing is read after the close')
})

t.test('a custom signer without a method stops the start', async t => {
  for (const [signer, kind] of [
    [{ variant: 'A', sign: () => 'signature' }, 'an object'],
    [{ variant: 'A', signReading: () => 'signature' }, 'an object'],
    [{ variant: 'A', read: () => {} }, 'an object'],
    [null, 'null']
  ] as const) {
    const { app } = testApp(t, { signer: signer as unknown as Signer })
    await t.rejects(async () => app.ready(), {
      code: 'ERR_OPTIONS',
      message: whole(`signer must be an object with the methods read and signReading, such as a VariantA; it is ${kind}`)
    })
  }
})

// The function merchantToken.

// printf '%s' 1709912345678O-1token-of-one102551100.00 | sha256sum
const part2OfOne = 'b2053e59d178ba9a67e4e75678cae287fd430f3acc6eb3fa08369652c28fd55a'

t.test('a function returns the token of each request', async t => {
  const config = { LOG_LEVEL: 'silent', ADMIN_PORT: '0', MERCHANT_TOKEN: undefined, MERCHANT_TOKEN_FILE: '' } as never
  const refusal = { statusCode: 403, error: 'The account is not known' }
  let find = async (accountNumber: string) => accountNumber === '102551' ? 'token-of-one' : refusal
  const app = createApp({ config, merchantToken: accountNumber => find(accountNumber) })
  t.teardown(() => app.close())

  async function ask (merchantAccountNumber: string) {
    const payload = {
      amount: '100.00', merchantAccountNumber, orderId: 'O-1', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
    }
    const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload })
    return [response.statusCode, response.json().signature?.slice(67) ?? response.json().error]
  }

  t.strictSame(await ask('102551'), [200, part2OfOne])
  t.equal((await app.inject('/ready')).statusCode, 200)
  t.match(await app.metrics?.metrics(), 'payment_signature_decisions_total{variant="A",operation="purchase",outcome="signed",caller="anonymous"} 1')
  t.strictSame(await ask('102553'), [403, 'The account is not known'])
  find = async () => { throw new Error('the database is away') }
  t.strictSame(await ask('102551'), [500, 'Internal Server Error'])
})

t.test('a token in the configuration beside the function is refused', async t => {
  for (const [name, value] of [['MERCHANT_TOKEN', 'token'], ['MERCHANT_TOKEN_FILE', 'token'], ['MERCHANT_TOKEN_KCV', '63e1e6']] as const) {
    const app = createApp({ config: { [name]: value, LOG_LEVEL: 'silent' }, merchantToken: () => 'token' })
    t.teardown(() => app.close())
    const message = 'MERCHANT_TOKEN, its _FILE and its _KCV cannot be used with the option merchantToken'
    await t.rejects(async () => app.ready(), { message }, name)
  }
})
