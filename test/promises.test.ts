/* eslint no-template-curly-in-string: off -- names of tests stand here as in their files */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { serveAdmin } from '../src/admin.js'
import { connectionLimitOf } from '../src/listening/connection-limit.js'
import type { Environment } from '../src/configuration/settings.js'
import { testApp, token } from './support/app.js'
import { root } from './support/server.js'

/** Shows that a promise holds, or names the tests that do: the path of a file, and a test's name as the file has it. */
type Proof = ((t: Test) => Promise<unknown>) | Array<readonly [file: string, name: string]>

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Promises of SECURITY.md, from top to bottom. */
const promises: Record<string, Proof> = {
  'Signatures follow the scheme, for every known-answer vector.': [['test/vectors.test.ts', 'signatures of ${file}']],
  'No value is trimmed, coerced, normalized or defaulted, except as the scheme requires.': async t => {
    const sent = '{"amount":" 01.50 ","merchantAccountNumber":"10 ","orderId":"e\u0301 ","sid":" s ","clientTimeStamp":1}'
    const expected = `${sha256('1 s  01.50 ')}///${sha256(`1e\u0301 ${token}10  01.50 `)}`
    const headers = { 'content-type': 'application/json' }
    const response = await testApp(t).app.inject({ method: 'POST', url: '/api/generate-signature', payload: sent, headers })
    t.equal(response.json().signature, expected)
  },
  'A body that is not valid UTF-8 is refused.': [
    ['test/plugins/signing/json-body.test.ts', '${what} is refused, where Fastify would sign U+FFFD']
  ],
  'Strict fields, policy, your backend and the audit judge what is signed, not the raw body.': [
    ['test/routes/generate-signature.test.ts', 'guards judge the token and the types of the body, if read returns ${what}'],
    ['test/plugins/signing/policy-guard.test.ts', 'a repeated field is refused with its name'],
    ['test/plugins/signing/policy-guard.test.ts', 'a caller without a key, and one with a key'],
    ['test/plugins/signing/authorize.test.ts', 'what the backend judges is what is signed, however it was sent'],
    ['test/plugins/signing/audit.test.ts', 'every term that is signed, and none that is not']
  ],
  'A custom signer receives the fields that are signed, and no others.': [
    ['test/routes/generate-signature.test.ts', 'a custom signer gets each field that is signed, as the text that is signed, and no other']
  ],
  'Under `STRICT` or a policy, no caller gets a signature that serves as a purchase, refund, void or inquiry without an id that the policy does not allow, if the payment side meets the assumptions.': [
    ['test/src/guard/strict.test.ts', 'the promise, variant ${variant}: every request of a few texts, cut in every way'],
    ['test/src/guard/strict.test.ts', 'the promise, variant ${variant}: random requests and callers']
  ],
  'Your backend allows a request by a 204, or by a 200 with `"allowed": true`.': [
    ['test/src/backend/backend.test.ts', 'which bodies allow, which refuse, and which decide nothing'],
    ['test/src/backend/backend.test.ts', '${what} is ${expected[0]}']
  ],
  'A redirect, a duplicate key, and a body that is empty, incomplete, compressed or over 16 KiB get no signature.': [
    ['test/src/backend/backend.test.ts', 'which bodies allow, which refuse, and which decide nothing'],
    ['test/src/backend/backend.test.ts', '${what} is ${expected[0]}'],
    ['test/src/backend/backend.test.ts', 'no redirect is followed, not even to a page that says yes']
  ],
  'At most `AUTHORIZE_MAX_IN_FLIGHT` requests wait for your backend.': [
    ['test/plugins/signing/authorize.test.ts', 'AUTHORIZE_MAX_IN_FLIGHT bounds the waiting requests; with a bound of 1, the backend can come back']
  ],
  'Time-outs, 502, 503 and 504 for one address do not open the circuit breaker for other addresses.': [
    ['test/plugins/signing/authorize.test.ts', '45 time-outs of ${what}: ${refused} of 30 shoppers get 503'],
    ['test/plugins/signing/authorize.test.ts', 'one order to which a proxy answers 502 does not open the circuit breaker for other addresses']
  ],
  'A form or script of another site gets no signature with a shopper\'s cookie.': [
    ['test/system/session.test.ts', 'another site cannot use the session']
  ],
  'The token is in no log line, response or error message.': [
    ['test/src/telemetry/telemetry.test.ts', 'nothing that may hold the token is logged, whatever happens'],
    ['test/src/token/token.test.ts', 'whatever goes wrong, ${JSON.stringify(canary)} is not logged'],
    ['test/src/token/token.test.ts', 'a real request with the token in its path, encoded in lower case, in part or twice']
  ],
  'Bodies, headers and query strings are not logged.': [
    ['test/src/telemetry/telemetry.test.ts', 'nothing that may hold the token is logged, whatever happens']
  ],
  'The audit records every signed term except the token, and the session id as a digest.': [
    ['test/plugins/signing/audit.test.ts', 'every term that is signed, and none that is not']
  ],
  'With `AUDIT=required`, a request that cannot be recorded is not signed.': [
    ['test/plugins/signing/audit.test.ts', 'AUDIT=required on a full disk: nothing is signed, it is not ready, and says so once'],
    ['test/system/log-reader.test.ts', 'with AUDIT=required nothing is signed that nobody can read of']
  ],
  'With `auditRequired`, a hook of your app cannot release a signature that was not recorded.': [
    ['test/plugins/signing/audit.test.ts', 'a signature counts as one whatever a hook of the host does to its response']
  ],
  'Repeated refusals outside signing do not fill the log: it has the first and a count for each address, reason and minute. `RATE_LIMIT_MAX` does the same for the log and the audit of signing.': [
    ['test/src/telemetry/telemetry.test.ts', 'many times ${statusCode} ${error}: the first is logged, and then a count for each address'],
    ['test/src/telemetry/telemetry.test.ts', 'each minute the log has a count of those that were refused more than once'],
    ['test/plugins/signing/rate-limit.test.ts', 'the log contains the first refusal of a client, then a count']
  ],
  'A logged path has at most 256 characters.': [
    ['test/src/telemetry/telemetry.test.ts', '${what}: one line, with 256 characters of the path at most']
  ],
  'With `NODE_ENV=production`, the service does not start without a token or with the development token.': [
    ['test/src/token/token.test.ts', 'the development default']
  ],
  'In production, SIGUSR1 opens no inspector, and an inspector that was opened earlier is closed.': [
    ['test/server.test.ts', 'SIGUSR1 opens no inspector ${what}'],
    ['test/system/signals.test.ts', '${what} is closed']
  ],
  'Malformed HTTP, URLs and JSON, and values without a text, get an error in JSON, and the service keeps running.': [
    ['test/plugins/http/protocol-errors.test.ts', '${what} is answered with ${statusCode}'],
    ['test/plugins/http/responses.test.ts', '${what} is answered with ${statusCode}'],
    ['test/documents.test.ts', 'the order of checks: the service responds as the model of its documents predicts']
  ],
  'A body with a `__proto__` or `constructor.prototype` key is refused.': [
    ['test/plugins/signing/json-body.test.ts', 'keys of prototypes are refused']
  ],
  'A body has at most `BODY_LIMIT` bytes.': [['test/plugins/http/responses.test.ts', 'BODY_LIMIT is the limit']],
  'Headers have at most 16 KiB and 128 lines.': [
    ['test/plugins/http/protocol-errors.test.ts', '${what} is answered with ${statusCode}'],
    ['test/plugins/http/protocol-errors.test.ts', 'the 128th header still counts']
  ],
  'A body that is being read takes at most three times `BODY_LIMIT` of memory.': [
    ['test/plugins/signing/json-body.test.ts', 'memory for a body of 102,000 chunks of one byte is at most three times BODY_LIMIT']
  ],
  'All bodies that are being read share 8 MiB, or one `BODY_LIMIT` if that is more.': [
    ['test/plugins/signing/json-body.test.ts', 'all bodies that are being read share 8 MiB']
  ],
  'A body has at most 1,000 arrays, objects and commas.': [
    ['test/plugins/signing/json-body.test.ts', 'a body with more than 1000 arrays, objects and commas is refused before it is parsed']
  ],
  'A request has to arrive within 10 seconds.': [
    ['test/plugins/http/protocol-errors.test.ts', '${what} times out'],
    ['test/plugins/operation/readiness.test.ts', 'time-outs, in milliseconds']
  ],
  'At most 64 requests wait behind another one on the same connection, and 256, or 16 MiB, on all connections.': [
    ['test/plugins/http/connections.test.ts', 'more than 64 requests that wait behind another one cut the connection, and no other'],
    ['test/plugins/http/connections.test.ts', '256 requests may wait on all connections together, and are served one after the other'],
    ['test/plugins/http/connections.test.ts', 'bodies that wait share 16 MiB with the headers'],
    ['test/src/admin.test.ts', 'a new connection is ended if all 16 have a request in progress, and pipelining is limited']
  ],
  'A request behind another one is judged and signed only after the earlier response has been sent.': [
    ['test/plugins/http/connections.test.ts', '5 connections with 60 requests that hang up leave 5 calls of the backend, and no signature'],
    ['test/plugins/http/connections.test.ts', 'nothing is read, asked or signed behind a response that closes the connection']
  ],
  'Connections are limited below the limit of open files.': async t => {
    for (const files of [64, 1024, 20_000]) {
      t.ok(connectionLimitOf({ MAX_CONNECTIONS: 0, AUTHORIZE_URL: '' } as Environment, files) <= files - 48)
    }
  },
  'Surplus connections are closed at once, and the others are served.': [
    ['test/plugins/http/connections.test.ts', 'connections to all addresses count together, and those beyond the limit end without a byte'],
    ['test/server.test.ts', 'idle connections beyond the descriptors: the surplus is refused, the rest is served']
  ],
  'The admin port is on the loopback interface, unless `ADMIN_HOST` is set.': async t => {
    for (const [config, expected] of [[{ HOST: '127.0.0.2' }, /^http:\/\/(?:127\.0\.0\.1|\[::1\]):/], [{ ADMIN_HOST: '0.0.0.0' }, /^http:\/\/0\.0\.0\.0:/]] as const) {
      const { app } = testApp(t, { config: { ADMIN_PORT: '0', ...config } })
      await app.ready()
      t.match(await serveAdmin(app), expected)
    }
  },
  'Idle connections do not keep probes out of the admin port.': [
    ['test/src/admin.test.ts', 'of 16 connections, the oldest without a request in progress gives way to a new one']
  ],
  'An unexpected fault is answered with `Internal Server Error`, and only the log has the details.': [
    ['test/plugins/http/responses.test.ts', "a thrown ${thrown instanceof Error ? 'Error ' : ''}${JSON.stringify(thrown)}"]
  ],
  'On SIGTERM, requests in flight get their responses before their connections end.': [
    ['test/plugins/operation/readiness.test.ts', 'a request in flight is answered, and its connection ends'],
    ['test/server.test.ts', 'SIGTERM with a request in flight']
  ]
}

const [, section = ''] = /^## What we promise\n([^]*?)^## /m.exec(readFileSync(join(root, 'SECURITY.md'), 'utf8')) ?? []
const items = section.split(/^- /m).slice(1)
  .map(item => item.replace(/\s+/g, ' ').replace(/\[(.*?)\]\(.*?\)/g, '$1').trim())

t.test('each promise of SECURITY.md has its tests, in the same order', async t => {
  t.strictSame(Object.keys(promises), items)
})

for (const [promise, proof] of Object.entries(promises)) {
  t.test(promise, async t => {
    if (typeof proof === 'function') await proof(t)
    for (const [file, name] of typeof proof === 'function' ? [] : proof) {
      const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")
      t.ok(["'", '"', '`'].some(quote => source.includes(`t.test(${quote}${name}${quote},`)), `${file}: ${name}`)
    }
  })
}
