import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Caller } from '../../src/guard/policy.js'
import { failureOf, isRequest } from '../../src/scheme/errors.js'
import type { Reading } from '../../src/scheme/reading.js'
import { messages } from '../../src/service/messages.js'
import { RefusedError } from '../../src/service/refused-error.js'
import type { SigningSettings } from './guard-options.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The reading to sign; null before the body was read, and if the scheme refuses the request. */
    signingReading: Reading | null
    /** True once a signature was made. The response contains it, unless the request was refused afterwards. */
    signingSucceeded: boolean
    /** Name of the caller in the policy; `anonymous` without a policy. */
    signingCaller: string
    /** The caller's rules, by the policy at the time of the request's arrival; null without a policy. */
    signingRules: Caller | null
  }
}

/** Returns the reading of a request, for hooks after the body was read. */
export const readingOf = ({ signingReading }: FastifyRequest): Reading => signingReading as Reading

/**
 * Reads each request once, immediately after its body was parsed. Refuses the requests that the scheme refuses
 * (specification 4.1, steps 1 to 6). Later code uses the reading and not the body.
 */
export default fp<SigningSettings>(async function requestReader (app, { reader }) {
  app.decorateRequest('signingReading', null)
  app.decorateRequest('signingSucceeded', false)
  app.decorateRequest('signingCaller', 'anonymous')
  app.decorateRequest('signingRules', null)

  app.addHook('preValidation', (request, _reply, done) => {
    if (!isRequest(request.body)) return done(new RefusedError('body-invalid', messages.bodyNotAnObject))
    try {
      request.signingReading = reader.read(request.body)
    } catch (thrown) {
      return done(failureOf(thrown))
    }
    done()
  })
}, { name: 'request-reader' })
