import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { redisUsers } from '../support/documented.js'
import { request } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { lacking } from '../support/installed.js'
import { redisServer, withoutRedis } from '../support/redis.js'
import { temporaryFolder } from '../support/scope.js'
import { listening, server } from '../support/server.js'

const payload = { accountNumber: '102551', sid: 's', clientTimeStamp: 1709912345678 }

/** Starts the service with the rate limit in Redis. `ask` sends a request from an address, and returns the status. */
function limitedBy (t: Test, REDIS_URL: string) {
  const config = { REDIS_URL, RATE_LIMIT_MAX: 1, TRUST_PROXY: '127.0.0.1' }
  const { app, log } = testApp(t, { config })
  const ask = async (address = '192.0.2.1') => (await app.inject({
    method: 'POST', url: '/api/generate-signature', payload, headers: { 'x-forwarded-for': address }
  })).statusCode
  const outages = () => log().split('\n').filter(line => line.includes('Redis is')).map(line => {
    const { msg, cause } = JSON.parse(line)
    return [msg, cause]
  })
  return { app, ask, outages }
}

/** Documented rights of the user. */
const user = String(redisUsers.trim().split('\n')[0]).split(' ').slice(2)

t.test('a user with only the documented rights', { skip: withoutRedis }, async t => {
  const port = await freePort()
  const redis = redisServer(t, ['--bind', '127.0.0.1', '--port', String(port)], { port })
  await redis.start()
  const url = `redis://payment-signature:s3cret@127.0.0.1:${port}`

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
})

/** Creates a private authority, and a certificate of a server. Returns their folder. */
function certificates (t: Test): string {
  const folder = temporaryFolder(t, 'redis-')
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=ca', '-days', '2')
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server')
  openssl('x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial',
    '-extfile', 'names', '-out', 'server.pem', '-days', '2')
  return folder
}

t.test('TLS, with a private authority', { skip: withoutRedis || lacking('openssl') }, async t => {
  const [folder, tlsPort] = [certificates(t), await freePort()]
  const [ca, cert, key] = ['ca.pem', 'server.pem', 'server.key'].map(name => join(folder, name)) as [string, string, string]
  await redisServer(t, ['--bind', '127.0.0.1', '--port', '0', '--tls-port', String(tlsPort), '--tls-ca-cert-file', ca,
    '--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no'], { port: 0 }).start()
  const REDIS_URL = `rediss://127.0.0.1:${tlsPort}`
  const service = server(t, { RATE_LIMIT_MAX: '1', REDIS_URL, NODE_EXTRA_CA_CERTS: ca })
  const [, port = ''] = await service.says(listening)
  const ask = async () => (await request(port, JSON.stringify(payload))).status
  t.strictSame([await ask(), await ask()], [200, 429])
  t.notMatch(service.output(), 'unavailable')

  const { outages, app } = limitedBy(t, REDIS_URL)
  await app.ready()
  t.strictSame(outages(), [['Redis is unavailable', 'SELF_SIGNED_CERT_IN_CHAIN']], 'without the authority')
})
