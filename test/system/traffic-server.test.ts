import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { VariantA } from '../../src/scheme/variants.js'
import { testApp, token } from '../support/app.js'
import { body } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking } from '../support/installed.js'
import { temporaryFolder } from '../support/scope.js'
import { start, type Scope } from '../support/server.js'

/*
 * Apache Traffic Server keeps a connection whose response came before its request was complete, and sends the next
 * client's request into the rest of the old body. The service has no such response.
 */

/** Starts Traffic Server in front of a port, all in its own folder. Returns its port. */
async function trafficServer (t: Scope, origin: number): Promise<number> {
  const folder = temporaryFolder(t, 'traffic-server-')
  for (const name of ['data', 'run', 'log', 'cache']) mkdirSync(join(folder, name))
  cpSync('/etc/trafficserver', join(folder, 'etc'), { recursive: true })
  const port = await freePort()
  const own = { sysconfdir: 'etc', datadir: 'data', runtimedir: 'run', logdir: 'log', cachedir: 'cache', localstatedir: '' }
  const paths = Object.entries({
    prefix: '/usr',
    exec_prefix: '/usr',
    bindir: '/usr/bin',
    sbindir: '/usr/sbin',
    includedir: '/usr/include',
    libdir: '/usr/lib',
    libexecdir: '/usr/lib/trafficserver/modules',
    ...Object.fromEntries(Object.entries(own).map(([name, path]) => [name, join(folder, path)]))
  })
  writeFileSync(join(folder, 'runroot.yaml'), paths.map(([name, path]) => `${name}: ${path}\n`).join(''))
  writeFileSync(join(folder, 'etc/remap.config'), `map / http://127.0.0.1:${origin}/\n`)
  writeFileSync(join(folder, 'etc/storage.config'), `${join(folder, 'cache')} 32M\n`)
  writeFileSync(join(folder, 'etc/records.config'), `
CONFIG proxy.config.http.server_ports STRING ${port}:ip-in=127.0.0.1
CONFIG proxy.config.http.cache.http INT 0
CONFIG proxy.config.http.server_session_sharing.pool STRING global
CONFIG proxy.config.admin.user_id STRING #-1
CONFIG proxy.config.exec_thread.autoconfig INT 0
CONFIG proxy.config.exec_thread.limit INT 1
CONFIG proxy.config.log.logging_enabled INT 0
`)
  start(t, 'traffic_server', [`--run-root=${folder}`], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } })
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/health`).then(({ status }) => status === 200, () => false)
    if (isUp) return port
    await setTimeout(20)
  }
}

const url = '/api/generate-signature'
const smuggled = `POST ${url} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-Forwarded-For: 203.0.113.9\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body.replace('ORDER-12345', 'ORDER-66666')}`

t.test('honest clients beside four attackers: each gets its own signature, and nothing is smuggled', { skip: lacking('traffic_server') }, async t => {
  const asked: string[] = []
  const { app } = testApp(t, {
    config: { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'silent' },
    authorize: ({ request: { orderId = '' } }) => asked.push(orderId) > 0
  })
  const port = await trafficServer(t, await portOf(app))
  const honest = new AbortController()

  /** Announces more than it sends, so that a response in between would leave the connection within the body. */
  async function attack (path: string, type: string): Promise<void> {
    for (let times = 0; !honest.signal.aborted; times++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      const length = 2 * smuggled.length
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(50)}`)
      await Promise.race([once(socket, 'data').catch(() => {}), setTimeout(30)])
      if (times % 2 === 0) socket.write(smuggled)
      socket.destroy()
    }
  }
  const attackers = [[url, 'text/plain'], ['/nowhere', 'application/json'], [`${url}?a`, 'text/xml'], ['/health', 'text/plain']]
    .map(([path = '', type = '']) => attack(path, type))

  const signer = new VariantA(token)
  const wrong: unknown[] = []
  await Promise.all(Array.from({ length: 4 }, async (_, client) => {
    for (let sent = 0; sent < 100; sent++) {
      const request = { ...JSON.parse(body), orderId: `ORDER-${client}-${sent}` }
      const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal: AbortSignal.timeout(5000) // a request whose answer another client got
      }).then(response => response.text(), String)
      if (answer !== JSON.stringify({ signature: signer.sign(signer.read(request)) })) wrong.push(answer.slice(0, 200))
    }
  }))
  honest.abort()
  await Promise.all(attackers)
  t.strictSame(wrong, [])
  t.equal(asked.filter(orderId => orderId === 'ORDER-66666').length, 0, 'no smuggled request was decided')
  t.equal(asked.length, 400)
})
