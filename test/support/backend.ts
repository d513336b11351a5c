import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A merchant's backend on a free port, and its URL. */
export async function backendServer (t: Test, answer: RequestListener): Promise<{ server: Server, url: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/may-sign?shop=1` }
}

/** Its URL only. */
export const backend = async (t: Test, answer: RequestListener): Promise<string> => (await backendServer(t, answer)).url

export const answering = (statusCode: number, body: string | Buffer = '', headers = {}): RequestListener =>
  (_request, response) => { response.writeHead(statusCode, headers).end(body) }

/** Any server on a free port, and its URL without a path. */
export const serving = async (t: Test, answer: RequestListener): Promise<string> =>
  new URL(await backend(t, answer)).origin
