import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Attempt } from '../src/guards/attempt.js'
import { createRecorder } from '../src/guards/audit.js'
import { createAuthorizer } from '../src/guards/authorize.js'
import { backendAt } from '../src/guards/backend.js'
import { assertAllowed, loadPolicy, unknownCaller } from '../src/guards/policy.js'
import { createRateLimit } from '../src/guards/rate-limit.js'
import { createStrict, ownTokenFault } from '../src/guards/strict.js'
import { endOfTurn } from '../src/http/end-of-turn.js'
import { applyRefusal, RefusedError, toRefusedError } from '../src/http/refusals.js'
import { acceptJson } from '../src/http/json-body.js'
import { InvalidRequestError } from '../src/scheme/errors.js'
import type { AppOptions } from '../src/options.js'
import { fieldNames, isRequest, type SignatureRequest } from '../src/scheme/request.js'
import { firstDuplicate } from '../src/text/json.js'

type Options = Pick<AppOptions, 'authorize' | 'context' | 'audit' | 'pollInterval' | 'dryRun'>

/** Returns the attempt of a request. A request that is refused before our first hook gets it then. */
const attemptOf = (request: FastifyRequest): Attempt => (request.attempt ??= {})

/** Returns the account number that a request names; empty for a value that is neither text nor a number. */
function accountIn ({ merchantAccountNumber, accountNumber }: SignatureRequest): string {
  const given = merchantAccountNumber || accountNumber
  return typeof given === 'string' || typeof given === 'number' ? String(given) : ''
}

const twiceSerialized = 'Request body must be a JSON object, and is a JSON string: serialize the object only once'

/** The signing endpoint (specification 4.1): the decision about a request, in its order. */
const generateSignature: FastifyPluginAsync<Options> = async function (app, options) {
  const { context, audit, pollInterval, dryRun } = options
  const { STRICT, ACCOUNT_NUMBER_DIGITS, AUTHORIZE_URL } = app.config
  const authorize = options.authorize ?? (AUTHORIZE_URL === '' ? undefined : backendAt(AUTHORIZE_URL))
  const authorizeRequest = authorize && createAuthorizer(app, authorize)
  const callerOf = await loadPolicy(app, authorizeRequest !== undefined, pollInterval)
  if (dryRun) return

  const { limitInMemory, limitInRedis } = await createRateLimit(app)
  const strictFault = createStrict(STRICT, ACCOUNT_NUMBER_DIGITS, callerOf !== undefined)
  const record = createRecorder(app, audit)

  // On arrival: refuses strangers, and clients that ask too often, before the body is read.
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers
    const caller = callerOf?.(authorization)
    attemptOf(request).caller = caller
    limitInMemory?.(request, caller)
    if (callerOf !== undefined && caller === undefined) throw unknownCaller(authorization)
    done()
  })
  acceptJson(app, (request, text) => {
    if (strictFault !== undefined) attemptOf(request).duplicate = firstDuplicate(text, fieldNames)
  })

  /** Returns the signature, or throws the refusal. */
  async function decide (request: FastifyRequest, attempt: Attempt): Promise<string> {
    const { caller } = attempt
    await limitInRedis?.(request, caller)
    attempt.context = await context?.(request)

    const { body } = request
    if (typeof body === 'string') throw new RefusedError('body-invalid', twiceSerialized)
    if (!isRequest(body)) throw new RefusedError('body-invalid')
    const account = accountIn(body)
    const isForbidden = caller?.accountNumbers.includes(account) === false
    const { merchantOf, reader } = app.merchants
    const merchant = merchantOf(isForbidden ? '' : account) // no file has '', and a single merchant has all
    attempt.merchant = merchant
    attempt.hasOwnToken = Boolean(body.merchantToken)
    // Steps 1 to 6 of specification 4.1. All later code uses the reading and not the body.
    const reading = await (merchant ?? reader).read(body, strictFault !== undefined)
    attempt.reading = reading

    const fault = strictFault?.(body, reading, attempt.duplicate)
    if (fault !== undefined && STRICT !== 'report') throw fault
    if (attempt.hasOwnToken && merchant?.allowsOwnToken !== true) {
      throw new InvalidRequestError('ERR_STRICT', ownTokenFault, 'merchantToken')
    }
    attempt.wouldRefuse = fault && toRefusedError(fault).errorCode
    if (attempt.wouldRefuse !== undefined) request.log.warn({ code: attempt.wouldRefuse }, 'request would be refused')
    if (caller !== undefined) assertAllowed(caller, reading)
    if (merchant === undefined) throw new RefusedError('account-number-unknown')
    await authorizeRequest?.(request, attempt, reading)
    return merchant.sign(reading, attempt.context)
  }

  /** Records the signature or refusal of a request once, and responds. Nothing else of this route does either. */
  async function conclude (request: FastifyRequest, reply: FastifyReply, outcome: string | RefusedError) {
    const attempt = attemptOf(request)
    const turn = endOfTurn() // that of the recording: a recorded response waits for no second one
    const refusal = typeof outcome === 'string' ? undefined : outcome
    const recorded = await (attempt.recording ??= record(request, attempt, refusal))
    await turn
    const final = recorded ?? refusal
    return final === undefined ? { signature: outcome } : applyRefusal(final, request, reply)
  }

  // Without a schema, which could convert or drop fields: `decide` judges the bodies.
  app.post('/api/generate-signature', {
    errorHandler: (error, request, reply) => conclude(request, reply, toRefusedError(error, reply.statusCode))
  }, async (request, reply) => {
    const attempt = attemptOf(request)
    if (attempt.recording !== undefined) return reply // a hook of yours has sent its error and gone on
    return conclude(request, reply, await decide(request, attempt))
  })
}

export default generateSignature
