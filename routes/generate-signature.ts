import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Asked, Attempt } from '../src/guards/attempt.js'
import { guardsOf } from '../src/guards/guards.js'
import { createRecorder } from '../src/guards/recorder.js'
import { endOfTurn } from '../src/http/end-of-turn.js'
import { acceptJson } from '../src/http/json-body.js'
import { applyRefusal, RefusedError, toRefusedError } from '../src/http/refusals.js'
import type { AppOptions } from '../src/options.js'
import { accountFieldOf, isRequest, type SignatureRequest } from '../src/scheme/request.js'
import { schema } from './schemas.js'

/** Returns the attempt of a request. It begins on arrival, or with a refusal by a user's hook before that. */
const attemptOf = (request: FastifyRequest): Attempt => (request.attempt ??= {})

/** Returns the body of a request. The specification defines the meaning of every object. */
function requestIn (body: unknown): SignatureRequest {
  if (isRequest(body)) return body
  throw new RefusedError('body-invalid', typeof body === 'string'
    ? 'Request body must be a JSON object, and is a JSON string: serialize the object only once'
    : undefined)
}

/** Returns the account number that a request names; empty for a value that is neither text nor a number. */
function accountIn (body: SignatureRequest): string {
  const given = body[accountFieldOf(body)]
  return typeof given === 'string' || typeof given === 'number' ? String(given) : ''
}

/** The signing endpoint (specification 4.1): the decision about a request, in its order. */
export default fp<Pick<AppOptions, 'authorize' | 'audit'>>(async function generateSignature (app, options) {
  app.decorateRequest('attempt', null)
  const record = createRecorder(app, options.audit)
  const { arrive, onText, guards } = await guardsOf(app, options.authorize)

  app.addHook('onRequest', (request, _reply, done) => arrive(request, attemptOf(request), done)) // before the body is read
  acceptJson(app, onText)

  /** Returns the signature of a request. Throws the refusal. */
  async function decide (request: FastifyRequest, attempt: Attempt): Promise<string> {
    try {
      const body = requestIn(request.body)
      const merchant = app.merchants.merchantOf(accountIn(body), attempt.caller?.accountNumbers)
      attempt.merchant = merchant
      const reading = merchant.reader.read(body) // steps 1 to 6: what is signed from now on
      attempt.reading = reading
      const asked: Asked = { request, body, merchant, reading, attempt }
      for (const guard of guards) {
        const pending = guard(asked) // throws to refuse
        if (pending !== undefined) await pending // awaiting each guard would take a tenth of the request's time
      }
      return await merchant.sign(reading) // step 7
    } catch (error) {
      throw toRefusedError(error)
    }
  }

  /** Records the signature or refusal of a request once, and responds. Nothing else of this route does either. */
  async function conclude (request: FastifyRequest, reply: FastifyReply, result: string | RefusedError) {
    const attempt = attemptOf(request)
    const refusal = typeof result === 'string' ? undefined : result
    attempt.recording ??= inProgress(record(request, attempt, refusal))
    // The responses of a turn are written together. AUDIT_FILE waits for the end of the same turn: this is one wait.
    const [recorded] = await Promise.all([attempt.recording, endOfTurn()])
    const final = recorded ?? refusal
    return final === undefined ? { signature: result } : applyRefusal(final, request, reply)
  }

  /** Decisions and records, whose clients may have left. */
  const works = new Set<Promise<unknown>>()
  function inProgress<Result> (work: Promise<Result>): Promise<Result> {
    works.add(work)
    return work.finally(() => works.delete(work))
  }
  // Runs before the hooks that close the file of the audit and Redis: the last one that was added runs first.
  app.addHook('onClose', async () => {
    while (works.size > 0) {
      await Promise.allSettled(works)
      await endOfTurn() // a record follows its decision
    }
  })

  app.post('/api/generate-signature', {
    schema,
    // A validator of the schema would convert or drop fields, and have messages of its own: `decide` judges the bodies.
    validatorCompiler: () => () => true,
    errorHandler: (error, request, reply) => conclude(request, reply, toRefusedError(error, reply.statusCode))
  }, async (request, reply) => {
    if (request.hasReply) return reply // a user's hook has replied, and has not stopped
    // A refusal is thrown to the errorHandler above, so that users' onError hooks see it.
    const signature = await inProgress(decide(request, attemptOf(request)))
    return conclude(request, reply, signature)
  })
}, {
  name: 'generate-signature',
  dependencies: ['http', 'lifecycle', 'merchants'],
  encapsulate: true, // its parser of bodies is for this route only
  fastify: '5.x'
})
