import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { body, sign, signature } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { importing, listening, root, sayingWhere, server, start } from '../support/server.js'

t.test('npm start serves, signs, and exits when npm gets SIGTERM', async t => {
  const variables = [`PATH=${process.env.PATH}`, `HOME=${t.testdir()}`, 'PORT=0', 'HOST=127.0.0.1']
  const npm = ['npm', 'start', '--silent', '--update-notifier=false']
  const service = start(t, 'env', ['-i', ...variables, ...npm], { cwd: root, env: {} })
  const [, port = ''] = await service.says(listening)
  const lines = service.output().trim().split('\n').map(line => JSON.parse(line)).filter(({ msg }) => !msg.startsWith('bound to'))
  t.match(lines, [{ level: 40, msg: /^the merchant token is the development token/ }, { level: 30, msg: /^listening/ }])
  t.equal(lines.length, 2, 'no other warning')
  t.same(await sign(port), { signature })
  t.equal(await service.terminate(), 0)
})

// Standard output that takes no lines. A log cannot contain the address then.

const noFull = !existsSync('/dev/full') && 'there is no /dev/full'

t.test('the service signs, and exits with 0, when its log has no room', { skip: noFull }, async t => {
  const service = server(t, { AUDIT: 'true' }, { nodeOptions: [sayingWhere], stdout: '/dev/full' })
  const [, port = ''] = await service.says(listening)
  for (let count = 0; count < 5; count++) t.same(await sign(port), { signature })
  t.equal(await service.terminate(), 0)
})

t.test('a start that fails exits with 2 when its log has no room', { skip: noFull }, async t => {
  const service = server(t, { VARIANT: 'C' }, { stdout: '/dev/full' })
  t.equal(await service.ended, 2)
  t.match(service.output(), 'VARIANT is "C"')
})

t.test('the service signs, and exits with 0, when the reader of its log goes away', async t => {
  const service = server(t, {})
  const [, port = ''] = await service.says(listening)
  service.process.stdout?.destroy()
  for (let count = 0; count < 5; count++) t.same(await sign(port), { signature })
  t.equal(await service.terminate(), 0)
})

t.test('a reader that stalls costs lines, which are counted and reported, and no signature', async t => {
  const service = server(t, { ADMIN_PORT: String(await freePort()), AUDIT: 'true' }, { nodeOptions: [sayingWhere] })
  const [, port = '', metrics = ''] = await service.says(/listening at http:\/\/127\.0\.0\.1:(\d+), .*(http:\/\/127\.0\.0\.1:\d+\/metrics)/)
  service.process.stdout!.pause()
  const lost = async () => Number(/^payment_signature_log_lines_lost_total (\d+)$/m.exec(await (await fetch(metrics)).text())?.[1])
  const long = 'y'.repeat(256) // as long as a recorded value can be
  const large = JSON.stringify({ ...JSON.parse(body), amount: long, orderId: long, merchantAccountNumber: long })
  while (await lost() === 0) await Promise.all(Array.from({ length: 500 }, () => sign(port, large)))
  t.same(await sign(port), { signature })
  service.process.stdout!.resume()
  await service.says(/"lost":\d+,"msg":"lines of the log were lost: nobody read them"/)
  service.process.stdout!.pause()
  t.equal(await service.terminate(), 0)
})

t.test('a stalled reader does not keep the service from its end', async t => {
  const service = server(t, {}, { nodeOptions: [sayingWhere] })
  const [, port = ''] = await service.says(listening)
  service.process.stdout!.pause()
  for (let count = 0; count < 20; count++) await Promise.all(Array.from({ length: 100 }, () => sign(port)))
  const exited = once(service.process, 'exit')
  service.process.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
})

t.test('without a free descriptor, the connections that are open are served, and the process goes on', async t => {
  const hold = importing(`import { closeSync, openSync } from 'node:fs'; process.once('SIGWINCH', () => {
    const files = []
    try { for (;;) files.push(openSync('/dev/null')) } catch {}
    process.once('SIGWINCH', () => files.forEach(closeSync))
    console.error('held')
  })`)
  const service = server(t, {}, { descriptors: 256, nodeOptions: [hold] })
  const [, port = ''] = await service.says(listening)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const isAlive = async () => {
    const [response] = await once(get(`http://127.0.0.1:${port}/health`, { agent }), 'response')
    await once(response.resume(), 'end')
    return response.statusCode === 200
  }
  t.ok(await isAlive())
  service.process.kill('SIGWINCH')
  await service.says(/^held$/m)
  const refused = connect(Number(port), '127.0.0.1') // needs a descriptor, too, so that the system ends it
  await new Promise(resolve => refused.on('error', () => {}).once('close', resolve))
  t.ok(await isAlive(), 'on the connection that it has')
  service.process.kill('SIGWINCH')
  let signed
  while (signed === undefined) signed = await sign(port).catch(() => undefined) // until descriptors are free again
  t.same(signed, { signature })
  t.equal(await service.terminate(), 0)
})
