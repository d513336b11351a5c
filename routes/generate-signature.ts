import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { attemptOf, type Attempt } from '../src/decision/attempt.js'
import { endOfTurn } from '../src/decision/end-of-turn.js'
import { guardsOf } from '../src/decision/guards.js'
import type { AppOptions } from '../src/decision/options.js'
import { recorderOf } from '../src/decision/record.js'
import { asSigner, sign } from '../src/decision/signing.js'
import { irregularitiesOf } from '../src/guard/irregularities.js'
import { policyRefusalOf } from '../src/guard/policy.js'
import { strictFault } from '../src/guard/strict.js'
import { refusalOf, RefusedError } from '../src/http/errors.js'
import { acceptJson } from '../src/http/json-body.js'
import { InvalidRequestError } from '../src/scheme/errors.js'
import { fields, isRequest, type Reading, type SignatureRequest } from '../src/scheme/request.js'
import { readerOf } from '../src/scheme/variants.js'
import { firstDuplicate } from '../src/text/json-file.js'
import { schema } from './generate-signature.schema.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The attempt to get a signature; null on other routes, and before it began. */
    attempt: Attempt | null
  }
}

type Options = Pick<AppOptions, 'authorize' | 'context' | 'audit' | 'pollInterval' | 'isCheck'>

/** Returns the account number that a request names; empty for a value that is neither text nor a number. */
function accountIn ({ merchantAccountNumber, accountNumber }: SignatureRequest): string {
  const given = merchantAccountNumber || accountNumber
  return typeof given === 'string' || typeof given === 'number' ? String(given) : ''
}

const twiceSerialized = 'Request body must be a JSON object, and is a JSON string: serialize the object only once'

/** The signing endpoint (specification 4.1): the decision about a request, in its order. */
const generateSignature: FastifyPluginAsync<Options> = async function (app, { context, audit, ...options }) {
  const { config: { STRICT, ACCOUNT_NUMBER_DIGITS, MERCHANTS_FILE }, signingOf } = app
  const { callerOf, admitCaller, limitInRedis, askMerchant } = await guardsOf(app, options)
  const record = recorderOf(app, audit)
  const hasMerchants = MERCHANTS_FILE !== '' // the signing depends on the account, and a request's own token is refused
  const isStrict = STRICT !== 'false' || callerOf !== undefined // the rules of a policy need unambiguous text
  const faultIn = strictFault(ACCOUNT_NUMBER_DIGITS, callerOf !== undefined)

  /** Reads a body: steps 1 to 6 of specification 4.1. All later code uses the reading and not the body. */
  async function read (attempt: Attempt, body: unknown): Promise<Reading> {
    if (typeof body === 'string') throw new RefusedError('body-invalid', twiceSerialized)
    if (!isRequest(body)) throw new RefusedError('body-invalid')
    const account = hasMerchants ? accountIn(body) : ''
    const isForbidden = hasMerchants && attempt.caller?.accountNumbers.includes(account) === false
    attempt.signing = isForbidden ? undefined : signingOf(account)
    attempt.hasOwnToken = Boolean(body.merchantToken)
    // One variant for all refused accounts: otherwise messages about sid would show which accounts exist.
    const { reader } = attempt.signing ?? { reader: readerOf('A') }
    const reading = await asSigner(() => reader.read(body, isStrict))
    attempt.reading = reading
    if (isStrict) judgeStrictly(attempt, body, reading)
    if (hasMerchants && attempt.hasOwnToken) {
      throw new InvalidRequestError('ERR_STRICT', 'merchantToken must be left out: only the configured token signs', 'merchantToken')
    }
    return reading
  }

  /** Refuses a request whose signature could serve for another operation, or reports what is wrong with it. */
  function judgeStrictly (attempt: Attempt, body: SignatureRequest, reading: Reading): void {
    const { duplicate } = attempt
    const fault = duplicate === undefined
      ? faultIn(reading, irregularitiesOf(body, reading), Date.now())
      : new InvalidRequestError('ERR_STRICT', `${duplicate} must be given only once`, duplicate)
    if (fault === undefined) return
    if (STRICT !== 'report') throw fault
    attempt.wouldRefuse = String(refusalOf(fault).headers['error-code'])
  }

  /** Refuses what the caller has no right to, and an account that nobody has. Rights may have changed in between. */
  function judgeRights (request: FastifyRequest, attempt: Attempt, reading: Reading): void {
    const caller = callerOf?.(request, attempt)
    if (caller?.name !== attempt.caller?.name) throw new RefusedError('api-key-unknown')
    const refusal = caller && policyRefusalOf(caller, reading)
    if (refusal !== undefined) {
      throw new RefusedError('policy', refusal.message, { headers: { 'error-code': `policy; reason=${refusal.rule}` } })
    }
    if (!hasMerchants) return
    const { signing } = attempt
    const now = signingOf(reading.accountNumber)
    const isSame = signing !== undefined && now?.name === signing.name && now?.reader.variant === signing.reader.variant
    if (!isSame) throw new RefusedError('account-number-unknown')
  }

  /** Returns the signature, and throws every refusal. */
  async function decide (request: FastifyRequest, attempt: Attempt): Promise<string> {
    await limitInRedis?.(request, attempt)
    attempt.context = await context?.(request)
    const reading = await read(attempt, request.body)
    if (attempt.wouldRefuse !== undefined) request.log.warn({ code: attempt.wouldRefuse }, 'request would be refused')
    judgeRights(request, attempt, reading)
    await askMerchant?.(request, attempt, reading)
    const signer = await attempt.signing!.signerFor(reading, attempt.context)
    judgeRights(request, attempt, reading)
    return sign(signer, reading) // step 7
  }

  app.decorateRequest('attempt', null)
  acceptJson(app, (request, text) => {
    if (isStrict) attemptOf(request).duplicate = firstDuplicate(text, fields)
  })
  // Refuses strangers, and clients that ask too often, before the body is read.
  app.addHook('onRequest', (request, _reply, done) => {
    const attempt = attemptOf(request)
    attempt.caller = admitCaller(request, attempt)
    done()
  })
  // A client that has hung up before its body was complete has asked for nothing.
  app.addHook('onError', async (request, reply, error) => {
    if (!request.raw.readableAborted) await record(request, attemptOf(request), refusalOf(error, reply.statusCode))
  })
  // The schema is documentation: `read` judges the bodies. A validator could convert or drop fields.
  const documentation = { schema, validatorCompiler: () => () => true, serializerCompiler: () => JSON.stringify }
  app.post('/api/generate-signature', documentation, async request => {
    const attempt = attemptOf(request)
    const signature = await decide(request, attempt)
    const turn = endOfTurn()
    await record(request, attempt)
    await turn
    return { signature }
  })
}

export default generateSignature
