import t from 'tap'
import type { Test } from 'tap'
import { testApp } from '../support/app.js'

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
