import t from 'tap'
import type { Test } from 'tap'
import { testApp } from '../../support/app.js'
import { portOf, raw } from '../../support/http.js'

/** The client's address as the log has it, for a connection from `remoteAddress`. */
async function logged (t: Test, TRUST_PROXY: string, remoteAddress: string, forwarded: string): Promise<unknown> {
  const { app, log } = testApp(t, { config: { TRUST_PROXY } })
  await app.inject({ url: '/nowhere', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
  return JSON.parse(log().trim().split('\n').at(-1) ?? '').ip
}

for (const [TRUST_PROXY, remoteAddress, forwarded, expected] of [
  ['', '127.0.0.1', '203.0.113.7', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['127.0.0.1', '127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['127.0.0.1,203.0.113.0/24', '127.0.0.1', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
  ['10.0.0.0/8', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
  ['10.0.0.0/8', '11.1.2.3', '203.0.113.7', '11.1.2.3'],
  ['10.0.0.0/8', '::ffff:10.1.2.3', '203.0.113.7', '203.0.113.7'],
  ['::1, fd00::/8', 'fd00::5', '203.0.113.7', '203.0.113.7']
] as const) {
  t.test(`TRUST_PROXY=${TRUST_PROXY}, ${remoteAddress} forwards for ${forwarded}`, async t => {
    t.equal(await logged(t, TRUST_PROXY, remoteAddress, forwarded), expected)
  })
}

t.test('the address is known even when the client has gone before the line is written', async t => {
  const { app, log } = testApp(t, { config: { TRUST_PROXY: '127.0.0.1' } })
  // Runs before the line is written.
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.destroy()
    await closed
  })
  const port = await portOf(app)
  await raw(port, 'GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n')
  await app.close()
  t.match(log(), '"ip":"203.0.113.7"')
})
