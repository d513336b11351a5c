import t from 'tap'
import { sign, signature } from '../support/example.js'
import { importing, listening, loadingOf, server } from '../support/server.js'

t.jobs = 3 // the tests mostly wait

const loading = loadingOf('./app.js')

for (const [script, first] of [
  ['dist/src/server.js', 'fastify'], ['dist/tools/command-line/payment-signature.js', './commands.js']
] as const) {
  t.test(`SIGHUP does not end ${script} while it is loaded`, { buffered: true }, async t => {
    const service = server(t, {}, { nodeOptions: [loadingOf(first)], script, args: script.includes('tools') ? ['serve'] : [] })
    await service.says(/^loading$/m)
    service.process.kill('SIGHUP')
    await service.says(/^payment-signature-backend: SIGHUP while starting, ignored$/m)
  })
}

for (const [signal, what, option, begun] of [
  ['SIGTERM', 'while it is loaded', loading, /^loading$/m], ['SIGINT', 'before it listens', loadingOf('fastify'), /^loading$/m]
] as const) {
  t.test(`${signal} ${what} ends it with 0`, { buffered: true }, async t => {
    const service = server(t, { HOST: 'localhost' }, { nodeOptions: [option] })
    await service.says(begun)
    service.process.kill(signal)
    t.equal(await service.ended, 0)
    t.match(service.output(), `payment-signature-backend: ${signal} while starting\n`)
  })
}

t.test('SIGTERM as the service begins to listen shuts it down', { buffered: true }, async t => {
  const option = importing('import { Server } from "node:net"; const { listen } = Server.prototype; Server.prototype.listen = ' +
    'function (...args) { console.error("begins"); setTimeout(() => listen.apply(this, args), 100); return this }')
  const service = server(t, {}, { nodeOptions: [option] })
  await service.says(/begins/)
  t.equal(await service.terminate(), 0)
  t.match(service.output(), /"SIGTERM, shutting down".*\n(?:.*\n)*.*"closed"/)
})

t.test('with SHUTDOWN_DELAY it is not ready first, and goes on serving until a second signal', { buffered: true }, async t => {
  const service = server(t, { SHUTDOWN_DELAY: '3600000' })
  const [, port = ''] = await service.says(listening)
  const ready = () => fetch(`http://127.0.0.1:${port}/ready`)
  t.equal((await ready()).status, 200)
  service.process.kill('SIGTERM')
  await service.says(/"SIGTERM, not ready any more, still serving for 3600000 ms"/)
  const response = await ready()
  t.equal(response.status, 503)
  t.equal(response.headers.get('connection'), 'close')
  t.same(await response.json(), { error: 'shutting down' })
  t.same(await sign(port), { signature })
  t.notMatch(service.output(), /SIGTERM, shutting down/)
  service.process.kill('SIGTERM')
  t.equal(await service.ended, 1)
})
