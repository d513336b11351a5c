import t from 'tap'
import { generateSignature } from '../../../src/scheme/generate-signature.js'
import { InvalidRequestError, SigningError } from '../../../src/scheme/errors.js'
import type { Signer } from '../../../src/scheme/signer.js'

const request = { accountNumber: '102551', sid: 'sid-1', clientTimeStamp: 1709912345678 }

const throwing = (thrown: unknown): Signer => ({
  variant: 'A',
  sign () { throw thrown }
})

t.test('a failure of the signer keeps its message, and is the cause', async t => {
  const failure = new RangeError('the HSM is asleep')
  t.throws(() => generateSignature(throwing(failure), request), {
    name: 'SigningError', code: 'ERR_SIGNING_FAILED', message: 'the HSM is asleep', cause: failure
  })
})

for (const thrown of [null, undefined, 'text', 7]) {
  t.test(`throw ${JSON.stringify(thrown)} has no message of its own`, async t => {
    t.throws(() => generateSignature(throwing(thrown), request), {
      name: 'SigningError', code: 'ERR_SIGNING_FAILED', message: 'Signing failed'
    })
  })
}

t.test('a SigningError is passed on as it is', async t => {
  const failure = new SigningError('ERR_SID_INVALID', 'sid must be a non-empty string')
  t.throws(() => generateSignature(throwing(failure), request), failure)
})

t.test('a refusal of the signer is passed on as it is', async t => {
  const refusal = new InvalidRequestError('ERR_SID_REQUIRED')
  t.throws(() => generateSignature(throwing(refusal), request), refusal)
})
