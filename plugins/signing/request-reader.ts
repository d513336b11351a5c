import { types } from 'node:util'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { SigningSettings } from '../../src/configuration/guard-options.js'
import { reportingGuards } from '../../src/configuration/report-only.js'
import { irregularitiesOf, type Irregularity } from '../../src/guard/irregularities.js'
import type { IdentifiedCaller } from '../../src/guard/policy.js'
import { isStrict } from '../../src/guard/strict.js'
import { continueAfter } from '../../src/http/continuation.js'
import { messages } from '../../src/http/messages.js'
import { failureOf, RefusedError } from '../../src/http/refused-error.js'
import type { Merchant } from '../../src/merchants/merchants-file.js'
import { InvalidRequestError } from '../../src/scheme/errors.js'
import { isRequest, type Reading } from '../../src/scheme/request.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The reading to sign; null before the body was read, and if the scheme refuses the request. */
    signingReading: Reading | null
    /** Result of the option `context`, for hooks after the request was read; null without the option. */
    signingContext: unknown
    /** Irregularities of the body for the strict grammar; null if no guard needs them. */
    signingIrregularities: readonly Irregularity[] | null
    /** True if the body has its own `merchantToken`. */
    signingHasOwnToken: boolean
    /** True once a signature was made. The response contains it, unless the request was refused afterwards. */
    signingSucceeded: boolean
    /** Name of the caller in the policy; `anonymous` without a policy. */
    signingCaller: string
    /** The merchant of the account; null before it was selected, and without a file of merchants. */
    signingMerchant: Merchant | null
    /** The caller's rules, by the policy at the time of the request's arrival; null without a policy. */
    signingRules: IdentifiedCaller | null
  }
}

/** Returns the reading of a request, for hooks after the body was read. */
export const readingOf = ({ signingReading }: FastifyRequest): Reading => signingReading as Reading

const terms = ['clientTimeStamp', 'sid', 'amount', 'referenceNumber', 'orderIdOrNull', 'idType', 'accountNumber'] as const

/** True for a reading, a copy or a Proxy of one. A custom signer may have no types. */
const isReading = (value: Partial<Reading> | null | undefined): value is Reading =>
  typeof value?.fields === 'object' && terms.every(name => typeof value[name] === 'string')

/**
 * Reads each request once, after its body was parsed and the option `context` has its result. Refuses the requests that
 * the scheme refuses (specification 4.1, steps 1 to 6), and with `acceptBodyToken: false` those with their own token.
 * Later code uses the reading and not the body, which a hook of the host can change.
 */
export default fp<SigningSettings>(async function requestReader (app, options) {
  const { reader, merchants, context, acceptBodyToken } = options
  const needsIrregularities = isStrict(options)
  const isReported = reportingGuards(options).has('policy')
  app.decorateRequest('signingReading', null)
  app.decorateRequest('signingContext', null)
  app.decorateRequest('signingIrregularities', null)
  app.decorateRequest('signingHasOwnToken', false)
  app.decorateRequest('signingSucceeded', false)
  app.decorateRequest('signingCaller', 'anonymous')
  app.decorateRequest('signingMerchant', null)
  app.decorateRequest('signingRules', null)

  /** Returns the error of a request without a reading. */
  function read (request: FastifyRequest): Error | undefined {
    const { body } = request
    if (!isRequest(body)) return new RefusedError('body-invalid', messages.bodyNotAnObject)
    request.signingHasOwnToken = Boolean(body.merchantToken)
    try {
      const merchant = merchants?.select(body, isReported ? null : request.signingRules)
      request.signingMerchant = merchant ?? null
      const reading: Partial<Reading> | null | undefined = (merchant?.signer ?? reader).read(body)
      if (!isReading(reading)) {
        if (types.isPromise(reading)) reading.catch(() => {}) // a rejection that nobody handles would end the process
        return new TypeError('the signer\'s method read must return a reading, and no promise')
      }
      if (needsIrregularities) request.signingIrregularities = irregularitiesOf(body, reading)
      request.signingReading = reading
    } catch (thrown) {
      return failureOf(thrown)
    }
    const isAccepted = acceptBodyToken || !request.signingHasOwnToken
    return app.enforce('body-token', request, isAccepted ? undefined : new InvalidRequestError('ERR_BODY_TOKEN'))
  }

  if (context !== undefined) {
    // The function starts before the body is read, so that both take place at the same time.
    app.addHook('onRequest', (request, _reply, done) => {
      const result = new Promise(resolve => resolve(context(request))) // rejects if the function throws
      result.catch(() => {}) // nobody awaits it if the body is refused, or never arrives
      request.signingContext = result
      done()
    })
    const settle = async (request: FastifyRequest) => { request.signingContext = await request.signingContext }
    app.addHook('preValidation', (request, reply, done) => continueAfter(settle(request), reply, done))
  }

  app.addHook('preValidation', (request, _reply, done) => done(read(request)))
}, { name: 'request-reader', dependencies: ['report-only'], fastify: '5.x' })
