import { Agent, METHODS } from 'node:http'
import t, { type Test } from 'tap'
import { createHandler } from '../../src/embed.js'
import { token } from '../support/app.js'
import { freePort } from '../support/free-port.js'
import { exchange, exchangeBytes } from '../support/http.js'
import { send } from '../support/send.js'
import { listening, server } from '../support/server.js'

/*
 * A router that reads the path of a client as a pattern throws for `/:(`. Outside a request, the exception ends the
 * process.
 */

const url = '/api/generate-signature'

/** Texts that a router, a pattern, a template or a file system reads as syntax. */
const syntax: readonly string[] = [
  ':', '*', '(', ')', '[', ']', '{', '}', '?', '#', '%', ';', '+', '^', '$', '|', '\\', '.', '..', '//', '::', '**', '()', '[]',
  ':a', ':a(', ':a)', ':a([)', ':a(*)', ':a(.*', ':a(\\', ':a(\\d+)', ':a?', '*a', '(?', '(?:', '[a-', '[^', '{1,', '$' + '{a}', '{{a}}', '<%',
  '%00', '%0', '%25', '%2f', '%3a(', '%c0', '\0', '\x01', ' ', '\t', '\x7f', '\xe9', '__proto__', 'constructor',
  ':'.repeat(300), '('.repeat(300), '%28'.repeat(300), 'x'.repeat(300), 'x'.repeat(8000)
]

/**
 * Paths with the syntax alone, between letters, and behind and in the path of the signing route, each with and without
 * a final slash.
 */
const patternPaths: readonly string[] = syntax
  .flatMap(text => [`/${text}`, `/a${text}b`, `/api/generate-signature${text}`, `/api/${text}/generate-signature`])
  .flatMap(path => [path, `${path}/`])

/** Matches a path that the client of Node.js refuses, and most of which the parser of the server refuses. */
const unsendable = /[^!-\xff]/

const others = METHODS.filter(method => method !== 'CONNECT') // Fastify has no route for it

/**
 * Sends each path with GET, POST and another method at a time. Fails for each answer that is not below 500, at
 * most ten times.
 */
async function sendAll (
  t: Test, paths: readonly string[], send: (method: string, path: string) => Promise<number>, others: readonly string[]
): Promise<void> {
  const faults: string[] = []
  for (const [index, path] of paths.entries()) {
    await Promise.all(['GET', 'POST', others[index % others.length]!].map(async method => {
      const status = await send(method, path).catch(String)
      const isAnswered = Number(status) >= 200 && Number(status) < 500
      if (!isAnswered) faults.push(`${method} ${JSON.stringify(path.slice(0, 100))}: ${status}`)
    }))
    if (faults.length >= 10) break
  }
  t.strictSame(faults, [])
}

t.test('the service answers every path, and lives', async t => {
  const service = server(t, { MERCHANT_TOKEN: token, ADMIN_PORT: String(await freePort()) })
  const agent = new Agent({ keepAlive: true, maxSockets: 3 })
  t.teardown(() => agent.destroy())
  const [, admin] = await service.says(/http:\/\/127\.0\.0\.1:(\d+)\/metrics/)
  const [, port] = await service.says(listening)
  for (const one of [port, admin]) {
    const ask = async (method: string, path: string) => (await send(Number(one), { agent, method, path })).statusCode
    const sendable = patternPaths.filter(path => !unsendable.test(path))
    const absolute = sendable.filter(path => !path.endsWith('/')).map(path => `http://pay.example${path}`)
    await sendAll(t, [...sendable, ...absolute], ask, others)
    await exchangeBytes(Number(one), 'CONNECT /:( HTTP/1.1\r\nHost: pay.example\r\n\r\n', 1000)
    for (const path of patternPaths.filter(path => unsendable.test(path))) {
      t.match(await exchange(Number(one), `GET ${path} HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 [24]/)
    }
    for (const [method, path, status] of [
      ['GET', '/health', 200],
      ['GET', '/:(/', 404],
      ['POST', '/*a/', 404],
      ['OPTIONS', '/:a([)/', one === port ? 204 : 404], // CORS answers every OPTIONS
      ['GET', `${url}/`, one === port ? 405 : 404],
      ['GET', `${url}#a`, one === port ? 405 : 404]
    ] as const) t.equal(await ask(method, path), status, `${method} ${path}`)
  }
  t.equal(service.process.exitCode, null)
})

t.test('the fetch handler answers every path', async t => {
  const handler = createHandler({ config: { MERCHANT_TOKEN: token }, clientAddress: () => '192.0.2.1', logger: false })
  t.teardown(() => handler.close())
  const ask = async (method: string, path: string) => (await handler(new Request(`https://pay.example${path}`, { method }))).status
  await sendAll(t, patternPaths, ask, [...others.filter(method => method !== 'TRACE'), 'UNKNOWN']) // Request refuses it
})
