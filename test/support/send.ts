import { once } from 'node:events'
import { request } from 'node:http'
import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Sends a request with Node.js's client, by an agent's connection, or by a new one if `agent` is false, from an address
 * of this machine. Rejects after `timeout` milliseconds.
 */
export async function send (port: number, {
  agent, method = 'POST', path = '/api/generate-signature', headers = {}, body = '', timeout = 60_000, localAddress
}: {
  agent: Agent | false
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Buffer
  timeout?: number
  localAddress?: string
}): Promise<{ statusCode: number, headers: IncomingHttpHeaders, body: string }> {
  const outgoing = request({
    port,
    method,
    agent,
    path,
    host: '127.0.0.1',
    ...localAddress !== undefined && { localAddress },
    signal: AbortSignal.timeout(timeout),
    headers: {
      ...method !== 'GET' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...headers
    }
  }).end(body)
  outgoing.on('error', () => {}) // a server may respond before it has read all of a body
  const [response] = await once(outgoing, 'response') as [IncomingMessage]
  return { statusCode: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}
