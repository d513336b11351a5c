import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { send as sendRequest } from '../../support/send.js'
import { signatureOf } from '../signature.js'
import type { Fields } from '../signature.js'
import { key, token } from './service.js'

/** Outcome of a request. Status 0: the connection ended without a response. */
interface Outcome {
  statusCode: number
  /** A violation, such as a wrong signature. */
  fault?: string
}

export interface Kind {
  name: string
  /** Expected statuses. 0: no response. */
  statusCodes: number[]
  send: (port: number, signal: AbortSignal) => Promise<Outcome>
  /** True if the service counts the request among its decisions, and among its routed requests. */
  isDecision: boolean
  isRouted: boolean
}

const path = '/api/generate-signature'
export const agent = new Agent({ keepAlive: true })

const one = <Item>(...items: Item[]): Item => items[randomInt(items.length)] as Item
const text256 = () => Array.from({ length: randomInt(1, 200) }, () => String.fromCharCode(randomInt(0x21, 0x7f))).join('')
const address = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
const digits = () => String(randomInt(1, 10_000_000))
const amount = () => `${randomInt(1, 400)}.${randomInt(10, 100)}`
const bearer = { authorization: `Bearer ${key}` }

function fields (operationType: Fields['operationType']): Fields {
  const common = { operationType, merchantAccountNumber: '102551', sid: randomUUID(), clientTimeStamp: Date.now() }
  const orderId = `O-${digits()}`
  switch (operationType) {
    case 'purchase': return { ...common, amount: amount(), orderId }
    case 'refund': return { ...common, amount: amount(), transactionFCRN: digits(), ...one({ orderId }, {}) }
    case 'void': return { ...common, transactionFCRN: digits() }
    case 'inquiry': return { ...common, transactionId: orderId, idType: 'ORDER_ID' }
  }
}

const send = (port: number, { url = path, headers = {}, ...options }: {
  method?: string, url?: string, headers?: Record<string, string>, body?: string
}) => sendRequest(port, { agent, path: url, headers: { 'x-forwarded-for': address(), ...headers }, ...options })

/** Checks the signature of a response with status 200. */
function judged (fields: Fields, statusCode: number, body: string): Outcome {
  const expected = JSON.stringify({ signature: signatureOf(fields, token) })
  return statusCode !== 200 || body === expected
    ? { statusCode }
    : { statusCode, fault: `${JSON.stringify(fields)} was signed ${body}` }
}

async function signed (port: number, fields: Fields, headers: Record<string, string> = {}): Promise<Outcome> {
  const { statusCode, body } = await send(port, { headers, body: JSON.stringify(fields) })
  return judged(fields, statusCode, body)
}

/** Sends a request that is refused, and checks the form of the error. */
async function refused (port: number, options: Parameters<typeof send>[1]): Promise<Outcome> {
  const { statusCode, body } = await send(port, options)
  return /^\{"error":"[^]+"\}$/.test(body) ? { statusCode } : { statusCode, fault: `the body of an error is ${body}` }
}

/** Sends bytes in pieces. Resolves with the response when the connection ends. */
async function raw (port: number, pieces: string[], pause = 0, signal?: AbortSignal) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  const cut = () => socket.destroy()
  signal?.addEventListener('abort', cut)
  let received = ''
  socket.on('error', () => {}).on('data', data => { received += data })
  const closed = once(socket, 'close')
  for (const piece of pieces) {
    socket.write(piece)
    if (pause > 0) await setTimeout(pause)
  }
  await closed
  signal?.removeEventListener('abort', cut)
  const [, body = ''] = received.split('\r\n\r\n', 2)
  return { statusCode: Number(received.split(' ', 2)[1] ?? 0), body }
}

const head = (length: number, more = '') => `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}` +
  `X-Forwarded-For: ${address()}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** Sends a part of a request, or all of it, and resets the connection. */
async function abandon (port: number, bytes: string): Promise<Outcome> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes, () => socket.resetAndDestroy())
  await once(socket, 'close')
  return { statusCode: 0 }
}

const decision = { isDecision: true, isRouted: true }
const routed = { isDecision: false, isRouted: true }
const unrouted = { isDecision: false, isRouted: false }

/** Kinds that take milliseconds. */
export const quickKinds: Kind[] = [
  { name: 'purchase', statusCodes: [200], ...decision, send: port => signed(port, fields('purchase')) },
  ...(['purchase', 'refund', 'void', 'inquiry'] as const).map(operation => ({
    name: `${operation} with a key`, statusCodes: [200], ...decision, send: (port: number) => signed(port, fields(operation), bearer)
  })),
  {
    name: 'purchase with odd headers',
    statusCodes: [200],
    ...decision,
    send: port => signed(port, fields('purchase'), {
      origin: `https://${text256()}`, 'x-request-id': text256(), 'user-agent': text256(), traceparent: text256(), [`x-${randomUUID()}`]: text256()
    })
  },
  {
    name: 'purchases from one address',
    statusCodes: [200, 429],
    ...decision,
    send: port => signed(port, fields('purchase'), { 'x-forwarded-for': '192.0.2.1' })
  },
  { name: 'refund without a key', statusCodes: [403], ...decision, send: port => signed(port, fields('refund')) },
  {
    name: 'another account number',
    statusCodes: [403],
    ...decision,
    send: port => signed(port, { ...fields('purchase'), merchantAccountNumber: String(randomInt(200_000, 999_999)) })
  },
  {
    name: 'a wrong key',
    statusCodes: [401, 429], // 429 after too many wrong keys of an address
    ...decision,
    send: port => refused(port, { headers: { authorization: `Bearer ${randomUUID()}` }, body: '{}' })
  },
  {
    name: 'a field that strict refuses',
    statusCodes: [400],
    ...decision,
    send: port => signed(port, { ...fields('purchase'), orderId: text256() + ' ' })
  },
  { name: 'an amount of zero', statusCodes: [400], ...decision, send: port => signed(port, { ...fields('purchase'), amount: '0.00' }) },
  {
    name: 'a malformed body',
    statusCodes: [400],
    ...decision,
    send: port => refused(port, { body: one('', '{', '[]', 'null', '{"a":1}x', '{"__proto__":1}', text256() + '}') })
  },
  { name: 'a body of another type', statusCodes: [415], ...decision, send: port => refused(port, { headers: { 'content-type': `${one('text', 'image')}/x-${digits()}` }, body: 'x' }) },
  { name: 'a body that is too large', statusCodes: [413], ...decision, send: port => refused(port, { body: 'x'.repeat(102_401) }) },
  ...['GET', 'POST', 'DELETE'].map(method => ({
    name: `${method} of an unknown path`,
    statusCodes: [404],
    ...routed,
    send: (port: number) => refused(port, { method, url: `/${randomUUID()}` })
  })),
  {
    name: 'a wrong method',
    statusCodes: [405],
    ...routed,
    send: port => refused(port, { method: one('PUT', 'DELETE', 'PATCH', 'PROPFIND', 'PURGE', 'LOCK', 'TRACE') })
  },
  { name: 'a malformed URL', statusCodes: [400], ...unrouted, send: port => refused(port, { method: 'GET', url: `/%c0${digits()}` }) },
  {
    name: 'a preflight',
    statusCodes: [204],
    ...routed,
    send: port => send(port, { method: 'OPTIONS', headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' } })
  },
  ...['/', '/health', '/ready'].map(url => ({
    name: `GET ${url}`, statusCodes: [200], ...routed, send: (port: number) => send(port, { method: 'GET', url })
  })),
  {
    name: 'malformed HTTP',
    statusCodes: [400],
    ...unrouted,
    send: port => raw(port, [one(
      `${text256()}\r\n\r\n`, `${randomUUID()} / HTTP/1.1\r\nHost: x\r\n\r\n`, 'GET / HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n'
    )])
  },
  {
    name: 'headers that are too large',
    statusCodes: [431],
    ...unrouted,
    send: port => raw(port, [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`])
  },
  { name: 'no Host', statusCodes: [400], ...routed, send: port => raw(port, ['GET /health HTTP/1.1\r\nConnection: close\r\n\r\n']) },
  { name: 'aborted in the body', statusCodes: [0], ...unrouted, send: port => abandon(port, `${head(100)}{`) },
  {
    name: 'aborted before the response',
    statusCodes: [0],
    ...decision,
    send: port => {
      const body = JSON.stringify(fields('purchase'))
      return abandon(port, head(body.length) + body)
    }
  }
]

/** Kinds that take seconds. They have no outcome if the soak ends first. */
export const slowKinds: Kind[] = [
  {
    name: 'a slow body',
    statusCodes: [200],
    ...decision,
    send: async (port, signal) => {
      const request = fields('purchase')
      const sent = JSON.stringify(request)
      const { statusCode, body } = await raw(port, [head(sent.length), ...sent.match(/[^]{1,40}/g) ?? []], 200, signal)
      return judged(request, statusCode, body)
    }
  },
  { name: 'a body that never ends', statusCodes: [408], ...unrouted, send: (port, signal) => raw(port, [`${head(100)}{`], 0, signal) },
  { name: 'headers that never end', statusCodes: [408], ...unrouted, send: (port, signal) => raw(port, ['GET / HTTP/1.1\r\nHo'], 0, signal) },
  { name: 'an idle connection', statusCodes: [408], ...unrouted, send: (port, signal) => raw(port, [], 0, signal) }
]
