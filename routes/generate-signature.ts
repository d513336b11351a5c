import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { bodyOf, isOver, refuse } from '../src/http/error-response.js'
import { messages } from '../src/http/messages.js'
import { RefusedError } from '../src/http/refused-error.js'
import type { Reading } from '../src/scheme/request.js'
import { attemptOf, type Attempt, type Guard, type Verdict } from '../src/signing/attempt.js'
import { authorize } from '../src/signing/authorize.js'
import { CallerLabels } from '../src/signing/decision-metrics.js'
import { endOfTurn } from '../src/signing/end-of-turn.js'
import type { Signing, SigningSettings } from '../src/signing/options.js'
import { bodyToken, contextOf, loadShedding, strictGuard } from '../src/signing/guards.js'
import { acceptJson } from '../src/signing/json-body.js'
import { policyGuard } from '../src/signing/policy-guard.js'
import { rateLimit } from '../src/signing/rate-limit.js'
import { requestReader } from '../src/signing/read.js'
import { recorder } from '../src/signing/record.js'
import { reporter } from '../src/signing/report.js'
import { signWith } from '../src/signing/sign.js'
import { repeatedRefusals } from '../src/telemetry/log-limits.js'
import { schema as serviceSchema } from './generate-signature.schema.js'

/** Options of the signing route. */
type GenerateSignatureOptions = SigningSettings & Signing & {
  /** Schema that documents the route and does not validate requests. Default: the schema of the service. */
  schema?: object
  /** Fastify's `config` of the route. */
  config?: object
  /** True: the log has a line for each refusal, as in the service. */
  logRefusals: boolean
}

/** Registers the signing endpoint (specification 4.1). The decision about a request is here, in its order. */
const generateSignature: FastifyPluginAsync<GenerateSignatureOptions> = async function (app, options) {
  const { schema = serviceSchema, config = {}, path, logRefusals, signerFor } = options
  const labels = new CallerLabels()
  const guards = [ // in the order in which they judge; each line can be deleted
    await loadShedding(options),
    bodyToken(options),
    strictGuard(options),
    await policyGuard(app, options, labels),
    await rateLimit(app, options),
    contextOf(options),
    await authorize(app, options)
  ].filter(guard => guard !== undefined)
  const read = requestReader(options)
  const record = await recorder(app, options, labels)
  const report = await reporter(app, options, labels)
  const isRepeated = logRefusals ? app.isRepeated : repeatedRefusals(app)

  /** Returns the refusal of a guard, unless the guard is in report mode. */
  function enforce ({ name }: Guard, attempt: Attempt, verdict: Verdict): Verdict {
    if (verdict === undefined || !report.guards.has(name)) return verdict
    report.add(name, attempt, verdict)
    return undefined
  }

  /** Judges a request before its body is read. An answer that has to come, such as that of Redis, is awaited later. */
  function arrive (request: FastifyRequest): Verdict {
    const attempt = attemptOf(request)
    for (const guard of guards) {
      const verdict = guard.arrive?.(attempt)
      if (verdict instanceof Promise) {
        verdict.catch(() => {}) // nobody awaits it if the body is refused, or never arrives
        attempt.pending.push([guard, verdict])
      } else {
        const refusal = enforce(guard, attempt, verdict)
        if (refusal !== undefined) return refusal
      }
    }
    return undefined
  }

  /**
   * True if a refusal or another answer has begun. Fastify continues a request that a hook of the host has answered, or
   * whose time-out the host has answered.
   */
  function isAnswered (attempt: Attempt, reply: FastifyReply): boolean {
    if (!attempt.isClosed && reply.statusCode !== 200) { // an answer that waits for an onSend of the host
      attempt.isClosed = true
      reply.log.info({ statusCode: reply.statusCode }, 'request dropped, another answer has begun')
    }
    return attempt.isClosed
  }

  /** True if the request has another answer, or if its client has hung up. */
  const isLost = (attempt: Attempt, reply: FastifyReply): boolean => isAnswered(attempt, reply) || isOver(reply)

  /** Returns the signature, and throws every refusal. Returns undefined once the request is lost. */
  async function signatureFor (attempt: Attempt, reply: FastifyReply): Promise<string | undefined> {
    if (isLost(attempt, reply)) return undefined
    for (const [guard, answer] of attempt.pending) {
      const refusal = enforce(guard, attempt, await answer)
      if (refusal !== undefined) throw refusal
      if (isLost(attempt, reply)) return undefined
    }
    const reading: Reading = read(attempt) // specification 4.1, steps 1 to 6
    for (const guard of guards) {
      const refusal = enforce(guard, attempt, await guard.judge?.(attempt, reading))
      if (refusal !== undefined) throw refusal
      if (isLost(attempt, reply)) return undefined
    }
    const found = signerFor(attempt, reading)
    const signer = found instanceof Promise ? await found : found // without a wait, the account is that of now
    if (isLost(attempt, reply)) return undefined
    for (const guard of guards) {
      const refusal = enforce(guard, attempt, guard.confirm?.(attempt, reading))
      if (refusal !== undefined) throw refusal
    }
    const signature = await signWith(signer, reading) // step 7
    if (isAnswered(attempt, reply)) return undefined // a signature is recorded even if the client has hung up
    const isReleased = await record(attempt)
    if (!isReleased) throw new RefusedError('audit-unavailable', messages.auditUnavailable)
    await endOfTurn()
    return isAnswered(attempt, reply) ? undefined : signature
  }

  /** Returns the response to a request whose body was parsed, unless the request has another answer. */
  async function decide (request: FastifyRequest, reply: FastifyReply): Promise<object | undefined> {
    const attempt = attemptOf(request)
    const signature = await signatureFor(attempt, reply).catch(refusal => {
      if (!isAnswered(attempt, reply)) throw refusal
    })
    if (attempt.isClosed) return reply // ends with the other answer; undefined would be a second, empty answer
    if (signature === undefined) return undefined
    attempt.isReleased = true
    return { signature }
  }

  /** Records a refusal and responds to it. An aborted body of the fetch handler gets no response in a later turn. */
  function errorHandler (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (isOver(reply)) return undefined
    const attempt = attemptOf(request)
    attempt.isClosed = true
    const refusal = refuse(error, request, reply, isRepeated, logRefusals)
    const recorded = record(attempt, refusal)
    if (recorded instanceof Promise) return recorded.then(() => isOver(reply) ? undefined : bodyOf(refusal, reply))
    reply.send(bodyOf(refusal, reply))
    return undefined
  }

  /** Closes the attempt if a hook of the host has sent this payload before we have released a signature. */
  function noteAnswer<Payload> (request: FastifyRequest, payload: Payload): Payload {
    const attempt = attemptOf(request)
    if (!attempt.isReleased) attempt.isClosed = true
    return payload
  }

  app.decorateRequest('signingAttempt', null)
  acceptJson(app, options)
  app.addHook('onRequest', (request, _reply, done) => done(arrive(request)))
  app.addHook('preSerialization', (request, _reply, payload, done) => done(null, noteAnswer(request, payload)))
  app.addHook('onSend', (request, _reply, payload, done) => done(null, noteAnswer(request, payload)))
  // Accepts all bodies, which the handler judges. A host's compiler could convert or drop fields.
  app.post(path, { config, schema, errorHandler, validatorCompiler: () => () => true }, decide)
}

export default generateSignature
