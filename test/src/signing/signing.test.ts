import t, { type Test } from 'tap'
import type { PaymentSignatureOptions } from '../../../src/fastify.js'
import { SigningError } from '../../../src/scheme/errors.js'
import { embedded } from '../../support/embedded.js'
import { body } from '../../support/example.js'

const request = JSON.parse(body)
const fault = [500, 'Internal Server Error', 'fault']

/** An app, and a function that returns status, signature or error, and code of a response. */
function signing (t: Test, options: Partial<PaymentSignatureOptions>) {
  const { app, log } = embedded(t, options)
  async function ask (fields = {}) {
    const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload: { ...request, ...fields } })
    const { signature, error } = response.json()
    return [response.statusCode, signature ?? error, response.headers['error-code']]
  }
  return { app, log, ask }
}

t.test('a token function refuses, and every other failure is a fault whose text the client does not get', async t => {
  for (const [what, merchantToken, expected] of [
    ['a refusal', () => ({ statusCode: 404, error: 'no such account', code: 'UNKNOWN' }), [404, 'no such account', 'refused; reason=UNKNOWN']],
    ['a refusal without a text', async () => ({ statusCode: 403 }), [403, 'Refused by the merchant', 'refused']],
    ['a refusal with 500', () => ({ statusCode: 500, error: 'canary' }), fault],
    ['an error at once', () => { throw Object.assign(new Error('the vault says no'), { statusCode: 403 }) }, fault],
    ['an error', async () => { throw new Error('the vault says no') }, fault],
    ['an error of the scheme', () => { throw new SigningError('ERR_NOT_TEXT', 'the vault says no') }, fault],
    ['null as an error', async () => { throw null }, fault], // eslint-disable-line no-throw-literal
    ...['', undefined, null, 7, {}].map(token => [`the token ${JSON.stringify(token)}`, () => token, fault] as const)
  ] as const) {
    const { ask, log } = signing(t, { merchantToken: merchantToken as never })
    t.strictSame(await ask(), expected, what)
    if (expected !== fault) continue
    t.match(log(), /"level":50.*"msg":"unexpected fault"/)
    if (what.startsWith('an error')) t.match(log(), 'the vault says no')
    if (what.startsWith('the token')) t.match(log(), 'merchantToken must be a non-empty string')
  }
})

t.test('tokens that are refused at the start, and for each request if a function returns them', async t => {
  const { NODE_ENV } = process.env
  t.teardown(() => { NODE_ENV === undefined ? delete process.env.NODE_ENV : process.env.NODE_ENV = NODE_ENV })
  const digits = 'strict needs a token that has more than digits and points'
  const known = 'merchantToken is the development token, which everybody knows: production refuses it'
  for (const [environment, token, strict, message] of [
    ['test', '1234567890.12345', true, digits], ['production', 'development-only-token', false, known],
    ['test', 'development-only-token', true, undefined], ['production', '1234567890.12345', false, undefined]
  ] as const) {
    process.env.NODE_ENV = environment
    const { app } = signing(t, { merchantToken: token, strict })
    const error = await app.ready().then(() => undefined, error => error)
    t.equal(error?.message, message, token)
    if (message !== undefined) t.ok(error instanceof TypeError && 'code' in error && error.code === 'ERR_MERCHANT_TOKEN', token)
    const { ask, log } = signing(t, { merchantToken: () => token, strict })
    const answer = await ask()
    if (message === undefined) t.equal(answer[0], 200)
    else {
      t.strictSame(answer, fault)
      t.match(log(), message)
    }
  }
  for (const [options, code] of [[{ variant: 'C' }, 'ERR_VARIANT'], [{ merchantToken: '' }, 'ERR_MERCHANT_TOKEN']] as const) {
    await t.rejects(async () => signing(t, options as never).app.ready(), { name: 'UsageError', code })
  }
})
