import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { RedisConnection } from '../../src/redis/redis-connection.js'
import { testApp } from '../support/app.js'
import { redisUsers } from '../support/documented.js'
import { request } from '../support/example.js'
import { withoutRedis } from '../support/redis.js'
import { certificates, cluster, redisNode, sentinels, withoutOpenssl } from '../support/redis-kinds.js'
import { listening, server } from '../support/server.js'

const payload = { accountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }
const silent = { warn () {}, info () {} }

/** Starts the service with the rate limit in Redis. `ask` sends a request from an address, and returns the status. */
function limitedBy (t: Test, REDIS_URL: string, max = 1, tls = {}) {
  const config = { REDIS_URL, RATE_LIMIT_MAX: max, TRUST_PROXY: '127.0.0.1', ...tls }
  const { app, log } = testApp(t, { config })
  const ask = async (address = '192.0.2.1') => (await app.inject({
    method: 'POST', url: '/api/generate-signature', payload, headers: { 'x-forwarded-for': address }
  })).statusCode
  const outages = () => log().split('\n').filter(line => line.includes('Redis is')).map(line => {
    const { msg, reason } = JSON.parse(line)
    return [msg, reason]
  })
  return { app, ask, outages }
}

t.jobs = 2

t.test('Sentinel', { skip: withoutRedis, buffered: true }, async t => {
  const { primary, replica, sentinel } = await sentinels(t)
  const nobody = '127.0.0.1:1'
  const url = `redis+sentinel://${nobody},127.0.0.1:${sentinel.port}/1?name=signatures`

  t.test('a Sentinel instead of a Redis, and the reverse, are errors', async t => {
    await t.rejects(RedisConnection.open(`redis://127.0.0.1:${sentinel.port}`, silent), {
      message: 'Redis cannot be used: it is a Sentinel: the URL has to be redis+sentinel://host,host?name=primary, or ' +
        'rediss+sentinel:// for TLS'
    })
    await t.rejects(RedisConnection.open(`redis+sentinel://127.0.0.1:${primary.port}?name=signatures`, silent), {
      message: 'Redis cannot be used: it is not a Sentinel: the URL has to begin with redis:// or rediss://'
    })
    await t.rejects(RedisConnection.open(`redis+sentinel://127.0.0.1:${sentinel.port}?name=others`, silent), {
      message: 'Redis cannot be used: no Sentinel knows a primary of the name in the URL'
    })
  })

  t.test('no Sentinel responds', async t => {
    const { outages, app } = limitedBy(t, `redis+sentinel://${nobody}?name=signatures`)
    await app.ready()
    t.strictSame(outages(), [['Redis is unavailable', 'no answer']])
  })

  t.test('a failover under load', async t => {
    const { ask, outages } = limitedBy(t, url, 1_000_000)
    t.equal(await ask(), 200)
    t.equal(await ask(), 200)
    const count = async () => Number(await replica.command('eval', 'redis.call("select", 1) return redis.call("get", KEYS[1])', 1,
      'payment-signature:rate-limit:default:60000:address:192.0.2.1'))
    while (await count() < 2);
    await primary.kill()
    const statuses = new Set<number>()
    while (outages().at(-1)?.[0] !== 'Redis is back') statuses.add(await ask())
    t.strictSame([...statuses], [200])
    t.strictSame(outages(), [
      ['Redis is unavailable', 'no answer'], ['Redis is unavailable', 'ECONNREFUSED'], ['Redis is back', undefined]
    ])
    const before = await count()
    t.equal(await ask(), 200)
    t.equal(await count(), before + 1, 'counted where the replica was')
  })
})

t.test('Cluster', { skip: withoutRedis, buffered: true }, async t => {
  const { primaries, replica } = await cluster(t, 3, { hasReplica: true })
  const [first, second] = primaries as [typeof primaries[0], typeof primaries[0]]
  const url = `redis+cluster://127.0.0.1:1,127.0.0.1:${second.port}`

  t.test('instances share a count, even during a failover', async t => {
    const addresses = Array.from({ length: 12 }, (_, host) => `192.0.2.${host}`)
    const { ask, outages } = limitedBy(t, url, 1_000_000)
    const other = limitedBy(t, url, 1)
    for (const address of addresses) t.equal(await ask(address), 200)
    for (const address of addresses) t.equal(await other.ask(address), 429)
    t.strictSame(outages(), [])
    await first.kill()
    const statuses = new Set<number>()
    while (outages().at(-1)?.[0] !== 'Redis is back') {
      for (const address of addresses) statuses.add(await ask(address))
      await setTimeout(10)
    }
    t.strictSame([...statuses], [200])
    const lines = outages().map(line => line.join(' '))
    t.equal(lines.length, new Set(lines).size, `each reason once: ${lines.join(', ')}`)
    const counts = async () => {
      const keys = await replica?.command('keys', 'payment-signature:rate-limit:*') as string[]
      return await Promise.all(keys.map(async key => Number(await replica?.command('get', key))))
    }
    const before = await counts()
    t.ok(before.length > 0)
    for (const address of addresses) t.equal(await ask(address), 200)
    t.strictSame(await counts(), before.map(count => count + 1), 'counted where the replica was')
  })
})

/** Documented rights of the users: of the signing service, in a Cluster, and at a Sentinel. */
const users = redisUsers.trim().split('\n').map(line => line.split(' ').slice(2))

t.test('a user with only the documented rights', { skip: withoutRedis, buffered: true }, async t => {
  const [user = [], clusterUser = [], sentinelUser = []] = users
  const redis = await redisNode(t)
  const url = `redis://payment-signature:s3cret@127.0.0.1:${redis.port}`

  t.test('the rights are sufficient', async t => {
    await redis.command('acl', 'setuser', ...user)
    const { ask, outages } = limitedBy(t, url)
    t.strictSame([await ask(), await ask(), outages()], [200, 429, []])
    t.strictSame(await redis.command('acl', 'log'), [], 'nothing was refused')
  })

  t.test('each right is needed', async t => {
    t.intercept(console, 'warn', { value: () => {} }) // ioredis' own message about INFO
    for (const right of user.filter(word => word.startsWith('+'))) {
      await redis.command('flushall')
      await redis.command('script', 'flush')
      await redis.command('acl', 'deluser', 'payment-signature')
      await redis.command('acl', 'log', 'reset')
      await redis.command('acl', 'setuser', ...user.filter(word => word !== right))
      const { ask } = limitedBy(t, url)
      for (let sent = 0; sent < 2; sent++) await ask()
      t.match(String(await redis.command('acl', 'log')), right.slice(1), right)
    }
  })

  t.test('in a Cluster', async t => {
    const { primaries: [node] } = await cluster(t, 1)
    await node?.command('acl', 'setuser', ...user)
    await node?.command('acl', 'setuser', ...clusterUser)
    const { ask, outages } = limitedBy(t, `redis+cluster://payment-signature:s3cret@127.0.0.1:${node?.port}`)
    t.strictSame([await ask(), await ask(), outages()], [200, 429, []])
    t.strictSame(await node?.command('acl', 'log'), [])
  })

  t.test('at a Sentinel', async t => {
    const { primary, sentinel } = await sentinels(t)
    await primary.command('acl', 'setuser', ...user)
    await sentinel.command('acl', 'setuser', ...sentinelUser)
    await sentinel.command('acl', 'setuser', 'default', 'resetpass')
    const { ask, outages } = limitedBy(t, `redis+sentinel://payment-signature:s3cret@127.0.0.1:${sentinel.port}` +
      '?name=signatures&sentinelUsername=payment-signature&sentinelPassword=s3cret')
    t.strictSame([await ask(), await ask(), outages()], [200, 429, []])
  })
})

t.test('TLS, with a private authority and client certificates', {
  skip: withoutRedis || withoutOpenssl, buffered: true
}, async t => {
  const tls = certificates(t)
  const { cert, key } = tls.client
  const base = { RATE_LIMIT_MAX: '1', REDIS_TLS_CERT_FILE: cert, REDIS_TLS_KEY_FILE: key }
  const statuses = async (port: string) => {
    const ask = () => request(port, JSON.stringify(payload))
    return [(await ask()).status, (await ask()).status]
  }
  const redis = await redisNode(t, [], tls)
  const url = `rediss://127.0.0.1:${redis.port}`

  t.test('one Redis, with an invalid certificate that is renewed', async t => {
    const [cert, key] = [join(tls.folder, 'renewed.pem'), join(tls.folder, 'renewed.key')]
    copyFileSync(tls.stranger.cert, cert)
    copyFileSync(tls.stranger.key, key)
    const service = server(t, {
      ...base, REDIS_URL: url, NODE_EXTRA_CA_CERTS: tls.ca, REDIS_TLS_CERT_FILE: cert, REDIS_TLS_KEY_FILE: key
    })
    await service.says(/"reason":"ERR_SSL_TLSV1_ALERT_UNKNOWN_CA","msg":"Redis is unavailable"/)
    const [, port = ''] = await service.says(listening)
    t.strictSame(await statuses(port), [200, 200])
    copyFileSync(tls.client.cert, cert) // another user still owns the key
    copyFileSync(tls.client.key, key)
    await service.says(/"Redis is back"/)
    t.strictSame(await statuses(port), [200, 429])
  })

  t.test('without the certificate authority, the connection fails', async t => {
    for (const [url, reason] of [
      [`rediss://127.0.0.1:${redis.port}`, 'SELF_SIGNED_CERT_IN_CHAIN'],
      [`rediss+cluster://localhost:${redis.port}`, 'no answer'],
      [`rediss+sentinel://localhost:${redis.port}?name=signatures`, 'no answer']
    ] as const) {
      const { outages, app } = limitedBy(t, url, 1, { REDIS_TLS_CERT_FILE: cert, REDIS_TLS_KEY_FILE: key })
      await app.ready()
      t.strictSame(outages(), [['Redis is unavailable', reason]])
    }
  })

  for (const [kind, urlOf] of Object.entries({
    Sentinel: async (t: Test) => `rediss+sentinel://localhost:${(await sentinels(t, tls)).sentinel.port}?name=signatures`,
    Cluster: async (t: Test) => `rediss+cluster://localhost:${(await cluster(t, 1, { tls })).primaries[0]?.port}`
  })) {
    t.test(kind, async t => {
      const service = server(t, { ...base, REDIS_URL: await urlOf(t), NODE_EXTRA_CA_CERTS: tls.ca })
      const [, port = ''] = await service.says(listening)
      t.strictSame(await statuses(port), [200, 429])
      t.notMatch(service.output(), 'unavailable')
    })
  }
})
