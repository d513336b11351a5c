import t from 'tap'
import { loggable, toRefusedError, RefusedError } from '../../../src/http/refusals.js'
import { InvalidRequestError, SigningError } from '../../../src/scheme/errors.js'

const withStatus = (statusCode: number, code?: string) => Object.assign(new Error('a text'), { statusCode, ...code && { code } })

t.test('a refusal has the status and the usual message of its code', async t => {
  const { statusCode, message, errorCode } = new RefusedError('rate-limit')
  t.strictSame([statusCode, message, errorCode], [429, 'Too many requests', 'rate-limit'])
})

t.test('errors of the scheme, of Fastify and of hooks as refusals', async t => {
  const refused = new RefusedError('policy', 'not yours')
  t.equal(toRefusedError(refused), refused)
  for (const [what, error, status, code, message, hookStatus] of [
    ['a missing field', new InvalidRequestError('ERR_SID_REQUIRED'), 400, 'sid-required; field=sid',
      'sid is required (client-generated session ID)'],
    ['a sid', new SigningError('ERR_SID_INVALID', 'sid must be a non-empty string'), 500, 'sid-invalid; field=sid',
      'sid must be a non-empty string'],
    ['a body that is too large', withStatus(413, 'FST_ERR_CTP_BODY_TOO_LARGE'), 413, 'body-too-large', 'a text'],
    ['a type of Fastify', withStatus(415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE'), 415, 'content-type',
      'Unsupported Media Type: send the body as application/json'],
    ['a malformed URL', withStatus(400, 'FST_ERR_BAD_URL'), 400, 'http-invalid', 'Malformed URL'],
    ...[400, 401, 499].map(status => [`a hook with ${status}`, withStatus(status), status, 'refused', 'a text'] as const),
    ['a hook with 503', withStatus(503), 503, 'refused', 'a text'],
    ['a hook that has set a status', new Error('a text'), 402, 'refused', 'a text', 402],
    ['a member `status`', { status: 418, message: 'canary' }, 500, 'fault', 'Internal Server Error'],
    ...[200, 399, 500, 504].map(status =>
      [`the status ${status}`, withStatus(status), 500, 'fault', 'Internal Server Error'] as const),
    ['an error', new Error('canary'), 500, 'fault', 'Internal Server Error'],
    ...[undefined, null, 0, '', 'canary'].map(value =>
      [`the value ${value}`, value, 500, 'fault', 'Internal Server Error'] as const)
  ] as Array<[what: string, error: unknown, status: number, code: string, message: string, hookStatus?: number]>) {
    const { statusCode, errorCode, message: text } = toRefusedError(error, hookStatus)
    t.strictSame([statusCode, errorCode, text], [status, code, message], what)
  }
})

t.test('the log gets name, code and stack of an error, and none of its other members', async t => {
  const error = Object.assign(new TypeError('a text'), { code: 'E_VAULT', config: { headers: { 'X-Vault-Token': 'canary' } } })
  t.match(loggable(error), { type: 'TypeError', code: 'E_VAULT', stack: /^TypeError: a text\n {4}at / })
  t.notMatch(JSON.stringify(loggable(error)), 'canary')
  for (const value of [undefined, null, 'canary', 7]) t.match(loggable(value), { stack: /^no error but \w+$/ })
})
