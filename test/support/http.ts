import { connect, type Socket } from 'node:net'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'

/** Listens on a free port of 127.0.0.1 and returns it. */
export async function portOf (app: FastifyInstance): Promise<number> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return Number(new URL(url).port)
}

/** Checks the security headers of a response, and that no header names the software. */
export function isProtected (t: Test, headers: object): void {
  t.match(headers, {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
  })
  t.strictSame(Object.keys(headers).filter(name => /server|powered-by|fastify|strict-transport/i.test(name)), [], 'no banner')
}

export interface RawAnswer {
  statusCode: number
  headers: Record<string, string>
  body: string
}

function parse (text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  return {
    statusCode: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(lines.map(line => {
      const [name = '', ...value] = line.split(': ')
      return [name.toLowerCase(), value.join(': ')]
    })),
    body: rest.join('\r\n\r\n')
  }
}

/** Opens a connection. The test closes the connection at its end. */
export function dial (t: Test, port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  return socket
}

/** Sends bytes unchanged, and returns all bytes that arrive until the server ends the connection. */
export async function exchange (port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.write(text)
  let received = ''
  for await (const chunk of socket) received += chunk
  return received
}

/**
 * Sends a byte for each character. Resolves with all that arrives when the server closes the connection, resets it, or
 * sends nothing for `patience` milliseconds.
 *
 * @param next - is sent after the beginning of the response
 */
export async function exchangeBytes (port: number, text: string, patience: number, next = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.on('error', () => {}).on('data', data => { received += data }).setTimeout(patience, () => socket.destroy())
  if (next !== '') socket.once('data', () => setTimeout(() => socket.write(next, 'latin1'), 20))
  socket.write(text, 'latin1')
  await closed
  return received
}

/** Sends bytes, and returns the first response. The connection may stay open. */
export async function raw (port: number, text: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.write(text)
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    const { headers, body } = parse(received)
    if (received.includes('\r\n\r\n') && Buffer.byteLength(body) >= Number(headers['content-length'] ?? 0)) break
  }
  return parse(received)
}

/** Returns the status and the decoded body of a response. */
export async function answer (app: FastifyInstance, request: InjectOptions | string): Promise<[number, unknown]> {
  const response = await app.inject(request)
  return [response.statusCode, response.json()]
}
