import t, { type Test } from 'tap'
import { SigningError } from '../../../src/scheme/errors.js'
import { testApp, type TestOptions } from '../../support/app.js'
import { body } from '../../support/example.js'

const request = JSON.parse(body)
const fault = [500, 'Internal Server Error', 'fault']

/** An app, and a function that returns status, signature or error, and code of a response. */
function signing (t: Test, options: TestOptions) {
  const { app, log } = testApp(t, options)
  async function ask (fields = {}) {
    const response = await app.inject({ method: 'POST', url: '/api/generate-signature', payload: { ...request, ...fields } })
    const { signature, error } = response.json()
    return [response.statusCode, signature ?? error, response.headers['error-code']]
  }
  return { app, log, ask }
}

t.test('a token function refuses, and every other failure is a fault whose text the client does not get', async t => {
  for (const [what, tokenOf, expected] of [
    ['a refusal', () => ({ statusCode: 404, error: 'no such account', code: 'UNKNOWN' }), [404, 'no such account', 'refused; reason=UNKNOWN']],
    ['a refusal without a text', async () => ({ statusCode: 403 }), [403, 'Refused by the merchant', 'refused']],
    ['a refusal with 500', () => ({ statusCode: 500, error: 'canary' }), fault],
    ['an error at once', () => { throw Object.assign(new Error('the vault says no'), { statusCode: 403 }) }, fault],
    ['an error', async () => { throw new Error('the vault says no') }, fault],
    ['an error of the scheme', () => { throw new SigningError('ERR_NOT_TEXT', 'the vault says no') }, fault],
    ['null as an error', async () => { throw null }, fault], // eslint-disable-line no-throw-literal
    ...['', undefined, null, 7, {}].map(token => [`the token ${JSON.stringify(token)}`, () => token, fault] as const)
  ] as const) {
    const { ask, log } = signing(t, { tokenOf: tokenOf as never })
    t.strictSame(await ask(), expected, what)
    if (expected !== fault) continue
    t.match(log(), /"level":50.*"msg":"unexpected fault"/)
    if (what.startsWith('an error')) t.match(log(), 'the vault says no')
    if (what.startsWith('the token')) t.match(log(), 'merchantToken must be a non-empty string')
  }
})

t.test('a token function gets the account; its token signs, and is judged like a configured one', async t => {
  const asked: unknown[] = []
  const digits = 'STRICT needs a token that has more than digits and points'
  const known = 'NODE_ENV=production refuses the development token'
  // printf '%s' '1709912345678ORDER-12345another-token102551100.00' | sha256sum
  const others = /\/\/\/0476b429a47095b37be7cadeaad85c26968f1112df843717c97b2f598336e74c$/
  for (const [config, token, expected] of [
    [{}, 'another-token', others], [{ STRICT: 'true' }, 'another-token', others], [{}, '1234567890.12345', /^/],
    [{ STRICT: 'true' }, '1234567890.12345', digits], [{ NODE_ENV: 'production' }, 'development-only-token', known]
  ] as const) {
    const { ask, log } = signing(t, {
      config, tokenOf: (...given) => asked.push(given) > 0 ? token : ''
    })
    const answer = await ask({ merchantAccountNumber: undefined, accountNumber: '102551' })
    if (expected instanceof RegExp) t.match(answer, [200, expected])
    else {
      t.strictSame(answer, fault)
      t.match(log(), expected)
    }
  }
  t.strictSame(asked, Array(5).fill(['102551', undefined]))
})
