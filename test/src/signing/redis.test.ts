import t, { type Test } from 'tap'
import { RedisConnection } from '../../../src/signing/redis-connection.js'
import { tcpServer } from '../../support/backend.js'
import { redisServer, withoutRedis } from '../../support/redis.js'
import { respServer } from '../../support/resp.js'
import { whole } from '../../support/whole.js'

/** A connection and its log lines. `says` resolves when there are `count` lines. */
async function connectionTo (t: Test, url: string) {
  const lines: unknown[] = []
  const hosts = new Set<string>()
  const waiting = new Map<number, () => void>()
  const add = (line: unknown) => { waiting.get(lines.push(line))?.() }
  const connection = await RedisConnection.open(url, {
    warn: ({ host, ...details }, message) => {
      hosts.add(host)
      add([message, details])
    },
    info: message => add(message)
  })
  t.teardown(() => connection.close())
  const says = async (count: number) => {
    if (lines.length < count) await new Promise<void>(resolve => { waiting.set(count, resolve) })
    return lines
  }
  return { connection, lines, hosts, says }
}

/** Errors of ioredis for a command that is not sent, and for a command without an answer. */
const [notSent, timedOut] = [{ message: /enableOfflineQueue/ }, { message: 'Command timed out' }]

/** Resolves when the connection waits for its next attempt. `once` of node:events would reject on an error. */
const reconnecting = ({ client }: RedisConnection) => new Promise(resolve => { client.once('reconnecting', resolve) })

t.test('a URL that is malformed', async t => {
  await t.rejects(connectionTo(t, 'http://127.0.0.1'), { message: whole('the URL of Redis is malformed') })
})

t.test('Redis is down: commands fail at once, and pauses between reconnects are bounded', async t => {
  for (const url of ['redis://127.0.0.1:1', 'rediss://127.0.0.1:1']) {
    const { connection: { client } } = await connectionTo(t, url)
    await t.rejects(client.set('key', 'value'))
    const { retryStrategy } = client.options as { retryStrategy?: (attempt: number) => number }
    t.same([1, 4, 5, 20].map(attempt => retryStrategy?.(attempt)), [100, 800, 1000, 1000])
  }
})

for (const mode of ['cluster', 'sentinel']) {
  t.test(`a server in ${mode} mode`, async t => {
    const information = `redis_mode:${mode}`
    const url = await respServer(t, name => name === 'INFO' ? `$${information.length}\r\n${information}` : '+OK')
    const message = `Redis cannot be used: the server runs in ${mode} mode: the URL has to be that of one Redis or Valkey`
    await t.rejects(connectionTo(t, url), { message: whole(message) })
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
  const { connection, lines, hosts } = await connectionTo(t, 'redis://user:canary@127.0.0.1:1/2?name=canary')
  t.notOk(connection.isUp)
  await t.rejects(connection.client.get('key'))
  t.strictSame(lines, [['Redis is unavailable', { reason: 'ECONNREFUSED' }]])
  t.strictSame([...hosts], ['127.0.0.1:1'])
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
