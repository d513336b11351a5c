import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Cluster, Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { clientCertificate } from '../../../src/redis/client-certificate.js'
import { RedisConnection } from '../../../src/redis/redis-connection.js'
import { testApp } from '../../support/app.js'
import { tcpServer } from '../../support/backend.js'
import { redisServer, withoutRedis } from '../../support/redis.js'
import { certificates, withoutOpenssl } from '../../support/redis-kinds.js'
import { respServer } from '../../support/resp.js'
import { whole } from '../../support/whole.js'

type Pause = (attempt: number) => number

/** A connection and its log lines. `says` resolves when there are `count` lines. */
async function connectionTo (t: Test, url: string, certificate?: () => SecureContext) {
  const lines: unknown[] = []
  const waiting = new Map<number, () => void>()
  const add = (line: unknown) => { waiting.get(lines.push(line))?.() }
  const connection = await RedisConnection.open(url, {
    warn: (details, message) => add([message, details]),
    info: message => add(message)
  }, certificate)
  t.teardown(() => connection.close())
  const says = async (count: number) => {
    if (lines.length < count) await new Promise<void>(resolve => { waiting.set(count, resolve) })
    return lines
  }
  return { connection, lines, says }
}

/** Errors of ioredis for a command that is not sent, and for a command without an answer. */
const [notSent, timedOut] = [{ message: /enableOfflineQueue/ }, { message: 'Command timed out' }]

/** Resolves when the connection waits for its next attempt. `once` of node:events would reject on an error. */
const reconnecting = ({ client }: RedisConnection) => new Promise(resolve => { client.once('reconnecting', resolve) })

t.test('a URL that is malformed', async t => {
  await t.rejects(connectionTo(t, 'http://127.0.0.1'), { message: whole('the URL of Redis is malformed') })
})

for (const [kind, ...urls] of [
  ['one Redis', 'redis://127.0.0.1:1', 'rediss://127.0.0.1:1'],
  ['Sentinel', 'redis+sentinel://127.0.0.1:1?name=x', 'rediss+sentinel://127.0.0.1:1?name=x'],
  ['Cluster', 'redis+cluster://127.0.0.1:1', 'rediss+cluster://localhost', 'rediss+cluster://localhost:1']
] as const) {
  t.test(`${kind} is down: commands fail at once, and pauses between reconnects are bounded`, async t => {
    for (const url of urls) {
      const { connection: { client } } = await connectionTo(t, url, () => createSecureContext())
      await t.rejects(client.set('key', 'value'))
      const { clusterRetryStrategy, retryStrategy, sentinelRetryStrategy } = client.options as Record<string, Pause>
      const pauses = kind === 'Cluster' ? [clusterRetryStrategy] : [retryStrategy, sentinelRetryStrategy]
      for (const pause of pauses) t.same([pause?.(1), pause?.(4), pause?.(5), pause?.(20)], [100, 800, 1000, 1000])
    }
  })
}

t.test('each connection by TLS asks for the client certificate, and no other has one', async t => {
  const context = createSecureContext()
  type Options = Partial<Record<'tls' | 'sentinelTLS', { secureContext?: SecureContext }>>
  for (const [url, ...names] of [
    ['rediss://127.0.0.1:1', 'tls'], ['rediss+sentinel://127.0.0.1:1?name=x', 'tls', 'sentinelTLS'], ['rediss+cluster://127.0.0.1:1', 'tls'],
    ['redis://127.0.0.1:1'], ['redis+sentinel://127.0.0.1:1?name=x'], ['redis+cluster://127.0.0.1:1']
  ] as const) {
    const { connection: { client } } = await connectionTo(t, url, () => context)
    const options = ('redisOptions' in client.options ? client.options.redisOptions : client.options) as Options
    for (const name of ['tls', 'sentinelTLS'] as const) {
      t.equal(options[name]?.secureContext, (names as readonly string[]).includes(name) ? context : undefined, `${url}, ${name}`)
    }
  }
})

t.test('hosts of Sentinels and of a Cluster, also IPv6 addresses, with their ports', async t => {
  const sentinels = await connectionTo(t, 'redis+sentinel://127.0.0.1:1,[::1]:2,localhost?name=x')
  t.strictSame((sentinels.connection.client as Redis).options.sentinels,
    [{ host: '127.0.0.1', port: 1 }, { host: '::1', port: 2 }, { host: 'localhost' }])
  const cluster = await connectionTo(t, 'redis+cluster://127.0.0.1:1,[::1]:2')
  t.same((cluster.connection.client as Cluster as unknown as { startupNodes: object }).startupNodes,
    [{ host: '127.0.0.1', port: 1 }, { host: '::1', port: 2 }])
})

t.test('a Cluster that failed counts as up after a second without a failure', async t => {
  const { connection } = await connectionTo(t, 'redis+cluster://127.0.0.1:1')
  connection.client.disconnect()
  t.intercept(connection.client, 'set', { value: async () => 'OK' })
  connection.succeeded()
  t.notOk(connection.isUp)
  while (!connection.isUp) await wait(10)
  t.pass('it is up')
})

const information = 'redis_mode:cluster'

for (const [what, scheme, command, answer, message] of [
  ['one Redis', 'redis:', 'INFO', `$${information.length}\r\n${information}`,
    'it is a node of a Cluster: the URL has to begin with redis+cluster:// or rediss+cluster://'],
  ['a Cluster', 'redis+cluster:', 'CLUSTER', '-ERR This instance has cluster support disabled',
    'it is not a Cluster: the URL has to begin with redis:// or rediss://']
] as const) {
  t.test(`the URL of ${what} leads to something else`, async t => {
    const url = await respServer(t, name => name === command ? answer : '+OK')
    await t.rejects(connectionTo(t, url.replace('redis:', scheme)), { message: whole(`Redis cannot be used: ${message}`) })
  })
}

for (const [answer, message] of [
  ['-ERR DB index is out of range', 'the server has no database of the number in the URL'],
  ["-NOPERM User shop has no permissions to run the 'select' command", 'the user may not select the database in the URL: it needs +select']
] as const) {
  t.test(`a database that cannot be selected, instead of which ioredis uses database 0: ${answer}`, async t => {
    const url = await respServer(t, name => name.toUpperCase() === 'SELECT' ? answer : '+OK')
    await t.rejects(connectionTo(t, `${new URL('/3', url)}`), { message: whole(`Redis cannot be used: ${message}`) })
  })
}

t.test('nothing listens', async t => {
  const { connection, lines } = await connectionTo(t, 'redis://127.0.0.1:1')
  t.notOk(connection.isUp)
  await t.rejects(connection.client.get('key'))
  t.strictSame(lines, [['Redis is unavailable', { reason: 'ECONNREFUSED' }]])
  await reconnecting(connection)
  await connection.close()
  t.equal(lines.length, 1)
})

t.test('a server that is silent', async t => {
  const url = `redis://127.0.0.1:${await tcpServer(t)}`
  const { connection, lines } = await connectionTo(t, url)
  t.strictSame(lines, [['Redis is unavailable', { reason: 'no answer' }]])
  await t.rejects(connection.client.get('key'), notSent)
  await connection.close()
})

t.test('a server that ends the connection instead of an answer', async t => {
  const port = await tcpServer(t, socket => {
    socket.setEncoding('utf8').on('data', commands => {
      if (/^get\r$/m.test(String(commands))) socket.destroy()
      else socket.write('+OK\r\n'.repeat(String(commands).match(/^\*/gm)?.length ?? 0))
    })
  })
  const { connection } = await connectionTo(t, `redis://127.0.0.1:${port}`)
  await t.rejects(connection.client.get('key'), { name: 'MaxRetriesPerRequestError' })
})

t.test('a server whose errors quote the refused command', async t => {
  const answers: Record<string, string> = {
    HELLO: '-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `default`, `canary`',
    AUTH: '-ERR unknown command `AUTH`, with args beginning with: `canary`'
  }
  const { lines } = await connectionTo(t, await respServer(t, command => answers[command] ?? '+OK', 'canary'))
  t.strictSame(lines, [['Redis is unavailable', { reason: 'ERR' }]])
})

t.test('only a key that the documented rights allow is written, for half a second', async t => {
  const written: string[][] = []
  const { connection } = await connectionTo(t, await respServer(t, (command, ...args) => {
    if (command === 'SET') written.push(args)
    return '+OK'
  }))
  t.ok(connection.isUp)
  t.strictSame(written[0], ['payment-signature:probe', '', 'PX', '500'])
})

t.test('a server that first refuses writes, for two reasons, and closes abruptly', async t => {
  const answers: Record<string, string> = { SET: '-READONLY You can\'t write against a read only replica.', QUIT: '-ERR' }
  const { connection, says } = await connectionTo(t, await respServer(t, command => answers[command] ?? '+OK'))
  t.strictSame(await says(1), [['Redis is unavailable', { reason: 'READONLY' }]])
  answers.SET = '-MISCONF Errors writing to the AOF file.'
  t.strictSame((await says(2))[1], ['Redis is unavailable', { reason: 'MISCONF' }])
  connection.failed(new Error('MISCONF again'))
  connection.failed(new Error('connection closed'))
  delete answers.SET
  connection.client.disconnect(true)
  t.strictSame((await says(3))[2], 'Redis is back')
  t.ok(connection.isUp)
  await connection.close()
  connection.succeeded()
  t.notOk(connection.isUp, 'closed for good')
})

t.test('with a real Redis', { skip: withoutRedis }, async t => {
  t.test('Redis is up, and the log does not contain its password, right or wrong', async t => {
    const redis = redisServer(t, 'canary-password')
    await redis.start()
    const wrong = await connectionTo(t, redis.url.replace('canary', 'wrong-canary'))
    t.strictSame(wrong.lines, [['Redis is unavailable', { reason: 'WRONGPASS' }]])
    await wrong.connection.close()
    const { connection, lines } = await connectionTo(t, redis.url)
    t.ok(connection.isUp)
    t.equal(await connection.client.set('key', 'value'), 'OK')
    await connection.close()
    t.match(await redis.command('info', 'clients'), /^connected_clients:1\r$/m, 'only the one that asks is left')
    t.strictSame(lines, [])
  })

  t.test('Redis starts after the service, stops, and returns', async t => {
    const redis = redisServer(t)
    const { connection, says } = await connectionTo(t, redis.url)
    t.strictSame(await says(1), [['Redis is unavailable', { reason: 'ENOENT' }]])
    await redis.start()
    t.strictSame((await says(2))[1], 'Redis is back')
    t.ok(connection.isUp)
    await redis.kill('SIGKILL')
    t.strictSame((await says(3))[2], ['Redis is unavailable', { reason: 'no answer' }])
    t.notOk(connection.isUp)
    t.strictSame((await says(4))[3], ['Redis is unavailable', { reason: 'ECONNREFUSED' }])
    await redis.start()
    t.strictSame((await says(5))[4], 'Redis is back')
  })

  t.test('Redis hangs', async t => {
    const redis = redisServer(t)
    await redis.start()
    const { connection, lines, says } = await connectionTo(t, redis.url)
    await redis.kill('SIGSTOP')
    await t.rejects(connection.client.get('key'), timedOut, 'the first command waits')
    connection.failed(new Error('as its user says'))
    await reconnecting(connection)
    await t.rejects(connection.client.get('key'), notSent, 'the next one does not')
    await redis.kill('SIGCONT')
    t.strictSame(await says(2), [['Redis is unavailable', { reason: 'no answer' }], 'Redis is back'])
    await redis.kill('SIGSTOP')
    await connection.close()
    t.equal(lines.length, 2)
  })
})

t.test('a certificate that is renewed, one file after the other', { skip: withoutOpenssl }, async t => {
  const { folder, client, server } = certificates(t)
  const [cert, key] = [join(folder, 'cert'), join(folder, 'key')]
  copyFileSync(client.cert, cert)
  copyFileSync(client.key, key)
  const lines: unknown[] = []
  const certificate = clientCertificate(cert, key, { info () {}, warn: (...line) => lines.push(line) })
  const first = certificate()
  copyFileSync(server.cert, cert)
  t.equal(certificate(), first, 'its key is still the old one')
  t.equal(certificate(), first)
  copyFileSync(server.key, key)
  t.not(certificate(), first)
  t.strictSame(lines, [[{ reason: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' },
    `the client certificate for Redis, "${cert}" with the key "${key}", cannot be used; keeping the current one`]])
  copyFileSync(client.cert, cert)
  certificate()
  t.equal(lines.length, 2, 'another time is another line')
})

t.test('a certificate that cannot be used', async t => {
  const file = join(t.testdir({ file: 'canary' }), 'file')
  t.throws(() => clientCertificate(file, file, console), {
    message: whole(`the client certificate for Redis, "${file}" with the key "${file}", cannot be used (ERR_OSSL_PEM_NO_START_LINE)`)
  })
  const config = { RATE_LIMIT_MAX: 1, REDIS_URL: 'rediss://127.0.0.1:1', REDIS_TLS_CERT_FILE: '', REDIS_TLS_KEY_FILE: '/nowhere' }
  await t.rejects(async () => testApp(t, { config }).app.ready(), {
    message: whole('the client certificate for Redis, "" with the key "/nowhere", cannot be used (ENOENT)')
  })
})
