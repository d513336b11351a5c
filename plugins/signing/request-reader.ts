import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Caller } from '../../src/guard/policy.js'
import { failureOf } from '../../src/scheme/errors.js'
import type { SignatureRequest } from '../../src/scheme/fields.js'
import type { Reading } from '../../src/scheme/reading.js'
import { messages } from '../../src/service/messages.js'
import { RefusedError } from '../../src/service/refused-error.js'
import type { SigningSettings } from './guard-options.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What will be signed; null until the body was read, and for good if the scheme refuses it. */
    signingReading: Reading | null
    /** True once a signature was made. The response contains it, unless the request was refused afterwards. */
    signingSucceeded: boolean
    /** The name of the caller, as a policy knows it; `anonymous` without one. */
    signingCaller: string
    /** The caller's rules, by the policy that was in force when the request came; null without a policy. */
    signingRules: Caller | null
  }
}

const isObject = (body: unknown): body is SignatureRequest =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

/** The reading of a request that was not refused, for hooks that come after the body was read. */
export const readingOf = ({ signingReading }: FastifyRequest): Reading => signingReading as Reading

/**
 * Reads each request once, right after its body was parsed. What the scheme refuses (specification 4.1, steps 1 to 6)
 * is refused here; nothing after it looks at the body.
 */
export default fp<SigningSettings>(async function requestReader (app, { reader }) {
  app.decorateRequest('signingReading', null)
  app.decorateRequest('signingSucceeded', false)
  app.decorateRequest('signingCaller', 'anonymous')
  app.decorateRequest('signingRules', null)

  app.addHook('preValidation', (request, _reply, done) => {
    if (!isObject(request.body)) return done(new RefusedError('body-invalid', messages.bodyNotAnObject))
    try {
      request.signingReading = reader.read(request.body)
    } catch (thrown) {
      return done(failureOf(thrown))
    }
    done()
  })
}, { name: 'request-reader' })
