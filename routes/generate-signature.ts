import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { irregularitiesOf } from '../src/guard/irregularities.js'
import { policyRefusalOf } from '../src/guard/policy.js'
import { strictFault } from '../src/guard/strict.js'
import { applyRefusal, refusalOf, RefusedError } from '../src/http/errors.js'
import { acceptJson, bodyErrors, incompleteBody } from '../src/http/json-body.js'
import { InvalidRequestError } from '../src/scheme/errors.js'
import { fields, isRequest, type Reading, type SignatureRequest } from '../src/scheme/request.js'
import { readerOf, type Variant } from '../src/scheme/variants.js'
import { defaults } from '../src/settings/environment.js'
import { attemptOf, closeOnPayload, isOver, isSent, otherAnswer, type Attempt } from '../src/signing/attempt.js'
import { endOfTurn } from '../src/signing/end-of-turn.js'
import { guardsOf } from '../src/signing/guards.js'
import type { GuardOptions } from '../src/signing/options.js'
import { asSigner, sign, type SigningOf } from '../src/signing/signing.js'
import { firstDuplicate } from '../src/text/json-file.js'
import { schema as serviceSchema } from './generate-signature.schema.js'

/** Options of the signing route. */
interface RouteOptions extends GuardOptions {
  /** Returns the signing of an account. */
  signingOf: SigningOf
  /** The variant of requests that were not read; `A,B` if each merchant has one. */
  variant: Variant | 'A,B'
  /** True: the signing depends on the account, and a request's own token is refused. */
  hasMerchants?: boolean
  /** Schema that documents the route and does not validate requests. */
  schema?: object
  /** Fastify's `config` of the route. */
  config?: object
}

/** Returns the account number that a request names; empty for a value that is neither text nor a number. */
function accountIn ({ merchantAccountNumber, accountNumber }: SignatureRequest): string {
  const given = merchantAccountNumber || accountNumber
  return typeof given === 'string' || typeof given === 'number' ? String(given) : ''
}

const twiceSerialized = 'Request body must be a JSON object, and is a JSON string: serialize the object only once'

/** The signing endpoint (specification 4.1): the decision about a request, in its order. */
const generateSignature: FastifyPluginAsync<RouteOptions> = async function (app, options) {
  const { signingOf, hasMerchants = false, strict = false, context, schema = serviceSchema, config = {} } = options
  const { path = '/api/generate-signature', accountNumberDigits = defaults.accountNumberDigits } = options
  const { callerOf, admitCaller, limitInRedis, askMerchant, record } = await guardsOf(app, options)
  const isStrict = strict !== false || callerOf !== undefined // the rules of a policy need unambiguous text
  const faultIn = strictFault(accountNumberDigits, callerOf !== undefined)

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
    if (strict !== 'report') throw fault
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

  /** Returns the signature, and throws every refusal. Returns undefined once the request has another answer. */
  async function decide (request: FastifyRequest, reply: FastifyReply, attempt: Attempt): Promise<string | undefined> {
    if (isOver(attempt, reply)) return undefined
    await limitInRedis?.(request, attempt)
    if (isOver(attempt, reply)) return undefined
    attempt.context = await context?.(request)
    if (isOver(attempt, reply)) return undefined
    const reading = await read(attempt, request.body)
    if (attempt.wouldRefuse !== undefined) request.log.warn({ code: attempt.wouldRefuse }, 'request would be refused')
    judgeRights(request, attempt, reading)
    await askMerchant?.(request, attempt, reading)
    if (isOver(attempt, reply)) return undefined
    const signer = await attempt.signing!.signerFor(reading, attempt.context)
    if (isOver(attempt, reply)) return undefined
    judgeRights(request, attempt, reading)
    const signature = await sign(signer, reading) // step 7
    if (isOver(attempt, reply)) return undefined
    attempt.state = 'signed'
    const turn = endOfTurn()
    await record(request, attempt)
    await turn
    return isOver(attempt, reply) ? undefined : signature
  }

  /**
   * Responds with the signature. Returns the reply, which Fastify then awaits, if the request has another answer, or if
   * the handler has run before: a hook of the host may go on twice.
   */
  async function respond (request: FastifyRequest, reply: FastifyReply): Promise<{ signature: string } | FastifyReply> {
    const attempt = attemptOf(request)
    if (attempt.state !== 'open') return reply
    attempt.state = 'deciding'
    const signature = await decide(request, reply, attempt).catch(refusal => {
      if (!isOver(attempt, reply)) throw refusal
    })
    if (signature !== undefined) {
      attempt.state = 'answered'
      return { signature }
    }
    request.log.info('no signature is released: another answer has begun, or the client has hung up')
    await otherAnswer(attempt, reply)
    return reply
  }

  /** Records a refusal, unless the request is decided, and responds to it. */
  async function errorHandler (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const attempt = attemptOf(request)
    if (isSent(reply)) return reply
    const isUndecided = attempt.state === 'open' || attempt.state === 'deciding'
    attempt.state = 'closed'
    const refusal = bodyErrors.has(Object(error))
      ? incompleteBody()
      : refusalOf(error, reply.statusCode)
    if (isUndecided) await record(request, attempt, refusal)
    return isSent(reply) ? reply : applyRefusal(refusal, request, reply)
  }

  // The host's serializers may expect other responses, and its compilers another kind of schema.
  app.setReplySerializer(payload => JSON.stringify(payload))
  // Serializes only errors of the host's onSend and preSerialization hooks that also fail for the first response.
  app.setSerializerCompiler(() => () => '{"error":"Internal Server Error"}')
  app.decorateRequest('signingAttempt', null)
  acceptJson(app, (request, text) => {
    if (isStrict) attemptOf(request).duplicate = firstDuplicate(text, fields)
  })
  // Refuses strangers, and clients that ask too often, before the body is read.
  app.addHook('onRequest', async request => {
    const attempt = attemptOf(request)
    if (attempt.state === 'open') attempt.caller = admitCaller(request, attempt)
  })
  app.addHook('preSerialization', closeOnPayload)
  app.addHook('onSend', closeOnPayload)
  // Accepts all bodies, which `decide` judges. A host's compiler could convert or drop fields.
  app.post(path, { config, schema, errorHandler, validatorCompiler: () => () => true }, respond)
}

export default generateSignature
