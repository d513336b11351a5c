import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { VariantA } from '../../src/scheme/variant-a.js'
import { proxied } from '../support/documented.js'
import { exchangeBytes } from '../support/http.js'
import { startProxy, without } from '../support/proxies.js'
import { listening, sayingWhere, server } from '../support/server.js'

// The service enforces the rules of RFC 9112 about the end of a message, and answers each request once. A proxy and the
// service never disagree about the end of a request: no client gets the response of another one.

/** Section of RFC 9112, or of RFC 9110, the required response of a server without a proxy, a name, and the bytes. */
type Case = readonly [rule: string, expected: Expected, name: string, text: string]

/**
 * - `answered`: respond with 200, and serve the next request of the connection
 * - `last`: respond with 200, and close the connection
 * - `refused`: respond with an error; the next request of the connection may be served
 * - `closed`: respond with an error and close the connection, because the end of the message is uncertain
 * - `either`: any of these
 * - `incomplete`: no response before the rest of the body
 * - `pipelined`: respond to the first request, and close the connection: bytes behind it may come before its response
 */
type Expected = 'answered' | 'last' | 'refused' | 'closed' | 'either' | 'incomplete' | 'pipelined'

const path = '/api/generate-signature'

const head = (...lines: string[]): string => [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...lines, '', '']
  .join('\r\n')
const withBody = (body: string, ...lines: string[]): string => head(...lines, `Content-Length: ${body.length}`) + body
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const chunked = (body: string, ...lines: string[]): string => head(...lines, 'Transfer-Encoding: chunked') + body

/** Replaces the request line of a request. */
const line = (body: string, requestLine: string): string => withBody(body).replace(/^.*(?=\r\n)/, requestLine)

/**
 * Returns all cases: those that could hide the end of a message. Node.js parses request lines and names of headers.
 *
 * @param body - a signable body
 * @param smuggled - a whole request that a server must not see where it stands in a body
 */
const casesOf = (body: string, smuggled: string): Case[] => {
  const both = (transferEncoding: string): string => head(transferEncoding, `Content-Length: ${5 + smuggled.length}`) + `0\r\n\r\n${smuggled}`
  const length = (value: string): string => head(`Content-Length:${value}`) + body
  return [
    ['2.2', 'answered', 'empty line before the request', `\r\n${withBody(body)}`],
    ['2.2', 'either', 'lines that end with LF alone', withBody(body).replaceAll('\r\n', '\n')],
    ['2.2', 'refused', 'CR alone as the end of a line', withBody(body, 'X: a\rTransfer-Encoding: chunked')],
    ['2.2', 'refused', 'space before the first header', withBody(body).replace('Host', ' Host')],
    ['3.2.2', 'answered', 'absolute target', line(body, `POST http://localhost${path} HTTP/1.1`)],
    ['3.2.2', 'either', 'absolute target of another host', line(body, `POST http://other.example${path} HTTP/1.1`)],
    ['5.1', 'refused', 'space before the colon', withBody(body, 'X : y')],
    ['5.1', 'closed', 'space before the colon of Content-Length', head(`Content-Length : ${smuggled.length}`) + smuggled],
    ['5.1', 'closed', 'space before the colon of Transfer-Encoding', head('Transfer-Encoding : chunked') + chunk(body) + '0\r\n\r\n'],
    ['5.2', 'either', 'folded header', withBody(body, 'X: a\r\n b')],
    ['5.2', 'either', 'folded Transfer-Encoding', head('Transfer-Encoding:\r\n chunked') + chunk(body) + '0\r\n\r\n'],
    ['6.1', 'answered', 'chunked', chunked(`${chunk(body)}0\r\n\r\n`)],
    ['6.1', 'closed', 'unknown coding', head('Transfer-Encoding: x') + `${chunk(body)}0\r\n\r\n`],
    ['6.1', 'closed', 'coding that ends with chunked', head('Transfer-Encoding: xchunked') + `${chunk(body)}0\r\n\r\n`],
    ['6.1', 'closed', 'NUL after the coding', head('Transfer-Encoding: chunked\0') + `${chunk(body)}0\r\n\r\n`],
    ['6.1', 'closed', 'chunked twice', head('Transfer-Encoding: chunked, chunked') + `${chunk(body)}0\r\n\r\n`],
    ['6.1', 'closed', 'chunked before another coding', head('Transfer-Encoding: chunked, gzip') + `${chunk(body)}0\r\n\r\n`],
    ['6.1', 'either', 'another coding before chunked', head('Transfer-Encoding: gzip, chunked') + `${chunk(body)}0\r\n\r\n`],
    ['6.1', 'closed', 'two lines, chunked first', head('Transfer-Encoding: chunked', 'Transfer-Encoding: x') + `${chunk(body)}0\r\n\r\n`],
    ['6.1', 'pipelined', 'chunked in HTTP/1.0', `POST ${path} HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n` +
      `Content-Type: application/json\r\n\r\n0\r\n\r\n${smuggled}`],
    ['6.3', 'closed', 'both framings', both('Transfer-Encoding: chunked')],
    ['6.3', 'closed', 'both framings, space before the coding', both('Transfer-Encoding:  chunked')],
    ['6.3', 'closed', 'both framings, another coding', both('Transfer-Encoding: identity')],
    ['6.3', 'closed', 'both framings, coding after a comma', both('Transfer-Encoding: ,chunked')],
    ['6.3', 'closed', 'both framings, line ends with LF', both('X: y\nTransfer-Encoding: chunked')],
    ['6.3', 'closed', 'both framings, vertical tab after the coding', both('Transfer-Encoding: chunked\v')],
    ['6.3', 'either', 'both framings, name with an underscore', both('Transfer_Encoding: chunked').replace('0\r\n\r\n', '     ')],
    ['6.3', 'closed', 'both framings, Content-Length first', head(`Content-Length: ${5 + smuggled.length}`, 'Transfer-Encoding: chunked') +
      `0\r\n\r\n${smuggled}`],
    ['6.3', 'closed', 'two lengths', head('Content-Length: 0', `Content-Length: ${smuggled.length}`) + smuggled],
    ['6.3', 'closed', 'two lengths, larger first', head(`Content-Length: ${smuggled.length}`, 'Content-Length: 0') + smuggled],
    ['6.3', 'either', 'two equal lengths', head(`Content-Length: ${body.length}`, `Content-Length: ${body.length}`) + body],
    ['6.3', 'closed', 'list of different lengths', head(`Content-Length: 0, ${smuggled.length}`) + smuggled],
    ['6.3', 'either', 'list of equal lengths', length(` ${body.length}, ${body.length}`)],
    ['6.2', 'closed', 'length with a plus', length(` +${body.length}`)],
    ['6.2', 'closed', 'length of 2^64 and the body', length(` ${18446744073709551616n + BigInt(body.length)}`)],
    ['6.2', 'incomplete', 'length above the limit of a body', length(' 9999999')],
    ['6.3', 'refused', 'no length and no body', head()],
    ['6.3', 'pipelined', 'no length and a GET in place of a body', head() + 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['6.3', 'pipelined', 'length shorter than the body', head(`Content-Length: ${body.length - 1}`) + body],
    ['7.1', 'answered', 'several chunks', chunked(`${chunk(body.slice(0, 9))}${chunk(body.slice(9))}0\r\n\r\n`)],
    ['7.1', 'answered', 'size with leading zeros', chunked(`000${chunk(body)}000\r\n\r\n`)],
    ['7.1', 'closed', 'size of 2^64 and the body', chunked(`1${body.length.toString(16).padStart(16, '0')}\r\n${body}\r\n0\r\n\r\n`)],
    ['7.1', 'either', 'space after the size', chunked(`${chunk(body).replace('\r\n', ' \r\n')}0\r\n\r\n`)],
    ['7.1', 'closed', 'size line ends with LF', chunked(`${chunk(body).replace('\r\n', '\n')}0\r\n\r\n`)],
    ['7.1', 'closed', 'no line end after the data', chunked(`${chunk(body).slice(0, -2)}0\r\n\r\n`)],
    ['7.1', 'closed', 'last chunk with LF', chunked(`${chunk(body)}0\n\n${smuggled}`)],
    ['7.1.1', 'answered', 'chunk extension', chunked(`${chunk(body).replace('\r\n', ';a=b\r\n')}0\r\n\r\n`)],
    ['7.1.1', 'closed', 'LF in a chunk extension', chunked(`${chunk(body).replace('\r\n', ';a\nb\r\n')}0\r\n\r\n`)],
    ['7.1.1', 'closed', 'chunk extension of 20,000 characters', chunked(`${chunk(body).replace('\r\n', `;${'a'.repeat(20_000)}\r\n`)}0\r\n\r\n`)],
    ['7.1.2', 'answered', 'trailer', chunked(`${chunk(body)}0\r\nX: y\r\n\r\n`, 'Trailer: X')],
    ['7.1.2', 'answered', 'trailer Host', chunked(`${chunk(body)}0\r\nHost: other.example\r\n\r\n`)],
    ['7.1.2', 'either', 'trailer Content-Length', chunked(`${chunk(body)}0\r\nContent-Length: 50\r\n\r\n`)],
    ['7.1.2', 'either', 'trailer Transfer-Encoding', chunked(`${chunk(body)}0\r\nTransfer-Encoding: chunked\r\n\r\n`)],
    ['7.1.2', 'closed', 'trailer without a colon', chunked(`${chunk(body)}0\r\nX\r\n\r\n`)],
    ['7.1.2', 'closed', 'trailer of 20,000 characters', chunked(`${chunk(body)}0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['9.3', 'last', 'Connection: close', withBody(body, 'Connection: close')],
    ['9.3', 'last', 'Connection: close among others', withBody(body, 'Connection: x, close')],
    ['9.3.2', 'pipelined', 'NUL behind the body', `${withBody(body)}\0`],
    ['9.3.2', 'pipelined', 'NUL and a request behind the body', `${withBody(body)}\0${smuggled}`],
    ['9.3.2', 'pipelined', 'GET before the request', `GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n${withBody(body)}`],
    ['9110 7.8', 'either', 'Upgrade: websocket', withBody(body, 'Connection: Upgrade', 'Upgrade: websocket')],
    ['9110 7.8', 'closed', 'preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['9110 10.1.1', 'answered', 'Expect: 100-continue', withBody(body, 'Expect: 100-continue')],
    ['9110 10.1.1', 'answered', 'unknown expectation', withBody(body, 'Expect: 200-ok')],
    ['9110 9.3.2', 'pipelined', 'HEAD before the request', `HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n${withBody(body)}`],
    ['9110 9.3.1', 'pipelined', 'GET with a body, then the request', 'GET /health HTTP/1.1\r\nHost: localhost\r\n' +
      `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}${withBody(body)}`]
  ]
}

/** Returns a request with a body. It closes the connection. */
const lastRequest = (body: string): string => withBody(body, 'Connection: close')

const token = 'tokenOfTheHttpCases'
const signer = new VariantA(token)

/** Returns a purchase with an order id, and its signature. */
function purchase (orderId: string) {
  const fields = { amount: '1.00', merchantAccountNumber: '1', orderId, sid: 's', clientTimeStamp: 1709912345678 }
  return { body: JSON.stringify(fields), signature: signer.sign(signer.read(fields)) }
}

/** Returns the statuses of the final responses. */
const statusesIn = (received: string): string[] =>
  [...received.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => String(status)).filter(status => status !== '100')

const times = (text: string, part: string): number => text.split(part).length - 1

/** True if a server without a proxy responded as it must. */
function isRight (expected: Expected, [first = '', ...others]: string[], isClosed: boolean): boolean {
  const isRefused = /^4|^50[1-9]/.test(first)
  return {
    answered: first === '200' && others.length > 0 && others.every(status => status === '200'),
    last: first === '200' && others.length === 0 && isClosed,
    refused: isRefused,
    closed: isRefused && others.length === 0,
    incomplete: first === '' && !isClosed,
    either: first !== '' && first !== '500',
    pipelined: first !== '' && first !== '500' && isClosed
  }[expected]
}

/** Time without a byte after which a connection is left, in milliseconds. */
const patience = 2000

/** Sends each case, and then an honest request of another client. */
async function attack (t: Test, port: number, audit: string, isDirect: boolean): Promise<void> {
  const isSigned = (orderId: string) => readFileSync(audit, 'utf8').includes(`"${orderId}"`)
  const waiting = [...casesOf('', '').keys()]
  async function client () {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const [own, smuggled] = [purchase(`OWN-${index}`), purchase(`SMUGGLED-${index}`)]
      const [probe, victim] = [purchase(`PROBE-${index}`), purchase(`VICTIM-${index}`)]
      const [rule, expected, name, text] = casesOf(own.body, withBody(smuggled.body))[index]!
      const what = `${name} (${rule})`
      const started = Date.now()
      // The service answers no request behind an unanswered one; a proxy does not pass such requests on.
      const received = await (isDirect
        ? exchangeBytes(port, text, patience, lastRequest(probe.body))
        : exchangeBytes(port, text + lastRequest(probe.body), patience))
      const statuses = statusesIn(received)
      if (isDirect) t.ok(isRight(expected, statuses, Date.now() - started < patience), `${what} is ${expected}`, { statuses })
      for (const { signature } of [own, smuggled, probe]) t.ok(times(received, signature) <= 1, `${what} is not answered twice`)
      const response = await exchangeBytes(port, lastRequest(victim.body), 20_000)
      t.equal(times(response, victim.signature), 1, `${what}: the next client gets its own response`, { response })
      const isSmuggled = isSigned(`SMUGGLED-${index}`) && (isDirect || !received.includes(smuggled.signature))
      t.notOk(isSmuggled, `${what} hides no request`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
}

for (const name of ['the service', 'nginx', 'haproxy'] as const) {
  const isDirect = name === 'the service'
  t.test(`ends of messages, ${isDirect ? 'without a proxy' : `behind ${name}`}`, { skip: !isDirect && without(name) }, async t => {
    const audit = join(t.testdir(), 'audit.log')
    const service = server(t, {
      MERCHANT_TOKEN: token, AUDIT_FILE: audit, LOG_LEVEL: 'error'
    }, { nodeOptions: [sayingWhere] })
    const port = Number((await service.says(listening))[1])
    if (isDirect) return attack(t, port, audit, true)
    const proxy = await startProxy(t, name, proxied[name], { 3001: port, 3002: port })
    await attack(t, proxy.port, audit, false)
  })
}
