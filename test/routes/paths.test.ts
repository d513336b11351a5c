import { METHODS } from 'node:http'
import t, { type Test } from 'tap'
import { createHandler } from '../../src/fetch.js'
import { token } from '../support/app.js'
import { freePort } from '../support/free-port.js'
import { patternPaths } from '../support/pattern-paths.js'
import { RawClient } from '../support/raw-client.js'
import { listening, server } from '../support/server.js'

/*
 * A router that reads the path of a client as a pattern throws for `/:(`. Outside a request, the exception ends the
 * process.
 */

const url = '/api/generate-signature'

/**
 * Sends each path with GET, POST and one of the other methods in turn. Fails for each answer that is not below 500, at
 * most ten times.
 */
async function sendAll (
  t: Test, paths: readonly string[], send: (method: string, path: string) => Promise<number>, others = METHODS
): Promise<void> {
  const faults: string[] = []
  for (const [index, path] of paths.entries()) {
    for (const method of ['GET', 'POST', others[index % others.length]!]) {
      const status = await send(method, path).catch(String)
      const isAnswered = Number(status) >= 200 && Number(status) < 500
      // Fastify has no route for CONNECT: it is enough that the process lives.
      if (!isAnswered && method !== 'CONNECT') faults.push(`${method} ${JSON.stringify(path.slice(0, 100))}: ${status}`)
    }
    if (faults.length >= 10) break
  }
  t.strictSame(faults, [])
}

/** Sends each path to a port of 127.0.0.1, also as the path of an absolute URL. */
async function sendRaw (t: Test, port: number, paths: readonly string[]): Promise<void> {
  const client = new RawClient(port)
  t.teardown(() => client.close())
  await sendAll(t, [...paths, ...paths.map(path => `http://pay.example${path}`)], (method, path) => client.send(method, path))
}

t.test('the service answers every path, and lives', async t => {
  const service = server(t, { MERCHANT_TOKEN: token, ADMIN_PORT: String(await freePort()) })
  const [, admin] = await service.says(/http:\/\/127\.0\.0\.1:(\d+)\/metrics/)
  const [, port] = await service.says(listening)
  for (const one of [port, admin]) {
    await sendRaw(t, Number(one), patternPaths)
    const client = new RawClient(Number(one))
    t.teardown(() => client.close())
    for (const [method, path, status] of [
      ['GET', '/health', 200],
      ['GET', '/:(/', 404],
      ['POST', '/*a/', 404],
      ['OPTIONS', '/:a([)/', one === port ? 204 : 404], // CORS answers every OPTIONS
      ['GET', `${url}/`, one === port ? 405 : 404],
      ['GET', `${url}#a`, one === port ? 405 : 404]
    ] as const) t.equal(await client.send(method, path), status, `${method} ${path}`)
  }
  t.equal(service.process.exitCode, null)
})

t.test('the fetch handler answers every path', async t => {
  const handler = createHandler({ config: { MERCHANT_TOKEN: token }, clientAddress: () => '192.0.2.1', logger: false })
  t.teardown(() => handler.close())
  const others = METHODS.filter(method => !['CONNECT', 'TRACE'].includes(method)) // Request refuses them
  await sendAll(t, patternPaths, async (method, path) =>
    (await handler(new Request(`https://pay.example${path}`, { method }))).status, [...others, 'UNKNOWN'])
})
