import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { createRecorder, type Attempt, type Decision } from '../src/guards/audit/audit.js'
import { contexts } from '../src/guards/authorize/authorize.js'
import { guardsOf, type Asked } from '../src/guards/guards.js'
import type { IdentifiedCaller } from '../src/guards/policy/policy.js'
import { endOfTurn } from '../src/http/end-of-turn.js'
import { applyRefusal, RefusedError, toRefusedError } from '../src/http/refusals.js'
import { acceptJson } from '../src/http/json-body.js'
import type { AppOptions } from '../src/options.js'
import { isRequest, type SignatureRequest } from '../src/scheme/request.js'
import { schema } from './schemas.js'

/** Returns the attempt of a request. A request that is refused before our first hook gets it then. */
const attemptOf = (request: FastifyRequest): Attempt => (request.attempt ??= {})

/** Returns the account number that a request names; empty for a value that is neither text nor a number. */
function accountIn ({ merchantAccountNumber, accountNumber }: SignatureRequest): string {
  const given = merchantAccountNumber || accountNumber
  return typeof given === 'string' || typeof given === 'number' ? String(given) : ''
}

const twiceSerialized = 'Request body must be a JSON object, and is a JSON string: serialize the object only once'

/** The signing endpoint (specification 4.1): the decision about a request, in its order. */
const generateSignature: FastifyPluginAsync<Pick<AppOptions, 'authorize' | 'audit'>> = async function (app, options) {
  const { arrive, onText, guards } = await guardsOf(app, options.authorize)
  const record = createRecorder(app, options.audit)

  app.addHook('onRequest', (request, _reply, done) => arrive(request, attemptOf(request), done)) // before the body is read
  acceptJson(app, (request, text) => onText?.(request, text))

  /** Decisions and records, whose clients may have left. The audit's file is closed after them. */
  const inProgress = new Set<Promise<unknown>>()
  app.addHook('onClose', async () => {
    for (; inProgress.size > 0; await endOfTurn()) await Promise.allSettled(inProgress) // a record follows its decision
  })
  function waitedFor<Result> (work: Promise<Result>): Promise<Result> {
    inProgress.add(work)
    return work.finally(() => inProgress.delete(work))
  }

  /** Decides a request. Each guard sees what those before it have found. */
  async function decide (request: FastifyRequest, caller?: IdentifiedCaller): Promise<Decision> {
    const { body } = request
    let asked: Partial<Asked> = {}
    let outcome: Decision['outcome']
    try {
      if (typeof body === 'string') throw new RefusedError('body-invalid', twiceSerialized)
      if (!isRequest(body)) throw new RefusedError('body-invalid')
      const merchant = app.merchants.merchantOf(accountIn(body), caller?.accountNumbers)
      asked = { request, caller, merchant }
      // Steps 1 to 6 of specification 4.1. All later code uses the reading and not the body.
      const reading = merchant.reader.read(body)
      asked = { ...asked, reading }
      for (const guard of guards) await guard(asked as Asked)
      outcome = await merchant.sign(reading, contexts.getStore()) // step 7
    } catch (error) {
      outcome = toRefusedError(error)
    }
    const { merchant, reading, wouldRefuse, user } = asked
    return { merchant, reading, wouldRefuse, user, outcome }
  }

  /** Records the signature or refusal of a request once, and responds. Nothing else of this route does either. */
  async function conclude (request: FastifyRequest, reply: FastifyReply, outcome: Decision['outcome']) {
    const attempt = attemptOf(request)
    const refusal = typeof outcome === 'string' ? undefined : outcome
    attempt.recording ??= waitedFor(record(request, attempt, refusal))
    const [recorded] = await Promise.all([attempt.recording, endOfTurn()]) // one turn: a record waits for it, too
    const final = recorded ?? refusal
    return final === undefined ? { signature: outcome } : applyRefusal(final, request, reply)
  }

  app.post('/api/generate-signature', {
    schema,
    // A validator of the schema would convert or drop fields, and have messages of its own: `decide` judges the bodies.
    validatorCompiler: () => () => true,
    errorHandler: (error, request, reply) => conclude(request, reply, toRefusedError(error, reply.statusCode))
  }, async (request, reply) => {
    const attempt = request.attempt!
    if (attempt.recording !== undefined) return reply // a hook of yours has sent its error and gone on
    const { outcome } = attempt.decision = await waitedFor(decide(request, attempt.caller))
    if (typeof outcome !== 'string') throw outcome // your onError hooks see it
    return conclude(request, reply, outcome)
  })
}

export default generateSignature
