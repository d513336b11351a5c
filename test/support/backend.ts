import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { Test } from 'tap'
import type { Scope } from './server.js'

/** Starts an HTTP server on a free port. The test closes the server at its end. */
export async function serve (t: Scope, answer: RequestListener, host = '127.0.0.1'): Promise<{ server: Server, origin: string }> {
  const server = createServer(answer).listen(0, host)
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Starts a TCP server on a free port and returns the port. The test closes the server at its end. */
export async function tcpServer (t: Pick<Test, 'teardown'>, listener: (socket: Socket) => void = () => {}): Promise<number> {
  const server = createTcpServer(socket => {
    t.teardown(() => socket.destroy())
    listener(socket.on('error', () => {}))
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a merchant's backend. */
export async function backendServer (t: Test, answer: RequestListener): Promise<{ server: Server, url: string }> {
  const { server, origin } = await serve(t, answer)
  return { server, url: `${origin}/may-sign?shop=1` }
}

/** Starts a merchant's backend, and returns its URL. */
export const backend = async (t: Test, answer: RequestListener): Promise<string> => (await backendServer(t, answer)).url

export const answering = (statusCode: number, body: string | Buffer = '', headers = {}): RequestListener =>
  (_request, response) => { response.writeHead(statusCode, headers).end(body) }

/** Starts a server on a free port, and returns its URL without a path. */
export const serving = async (t: Test, answer: RequestListener): Promise<string> =>
  new URL(await backend(t, answer)).origin

/** A response of a script: `none` for no response, `slow` for one by a byte a second, `stalled` for a part of one. */
type Scripted = readonly [status: number, headers: object, body: string | Buffer] | 'none' | 'slow' | 'stalled'

/** Starts a server that sends each response once, in turn. Returns its URL, and bodies and times of the requests. */
export async function scripted (t: Test, ...responses: readonly Scripted[]) {
  const bodies: string[] = []
  const times: number[] = []
  const authorizations: Array<string | undefined> = []
  const url = await serving(t, async (request, response) => {
    authorizations.push(request.headers.authorization)
    bodies.push((await request.setEncoding('utf8').toArray()).join(''))
    times.push(performance.now())
    const answer = responses[bodies.length - 1] ?? [418, {}, 'more requests than expected']
    if (answer === 'slow') {
      const timer = setInterval(() => response.write(' '), 1000)
      response.on('close', () => clearInterval(timer))
    } else if (answer === 'stalled') response.writeHead(200, { 'Content-Length': 100 }).write('{"sign')
    else if (answer !== 'none') response.writeHead(answer[0], { ...answer[1] }).end(answer[2])
  })
  return { url, bodies, times, authorizations }
}

/** Returns the URL of a server that does not accept connections, and whose queue of them is full. */
export async function deafServer (t: Test): Promise<string> {
  const worker = new Worker(`
    const { parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`, { eval: true })
  const [port] = await once(worker, 'message')
  const waiting = Array.from({ length: 2 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.all(waiting.map(socket => once(socket, 'connect')))
  t.teardown(async () => {
    for (const socket of waiting) socket.destroy()
    await worker.terminate()
  })
  return `http://127.0.0.1:${port}/may-sign`
}
