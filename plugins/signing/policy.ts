import createError from '@fastify/error'
import fp from 'fastify-plugin'
import type { Caller } from '../../src/guard/policy.js'
import type { SignatureRequest } from '../../src/scheme/signature-request.js'

const UnknownCallerError = createError('ERR_UNKNOWN_CALLER', '%s', 401)
const ForbiddenError = createError('ERR_FORBIDDEN', '%s', 403)

/** Only callers of POLICY_FILE get signatures, and only those that it lets them have. */
export default fp(async function policy (app) {
  if (app.config.POLICY_FILE === '') return
  const { callerFinder, loadPolicy, refusalOf } = await import('../../src/guard/policy.js') // the schema checker takes time to load
  const policy = loadPolicy(app.config.POLICY_FILE)
  const callerOf = callerFinder(policy)
  const callers = new Map<string, Caller>(policy.callers.map(caller => [caller.name, caller]))

  // Before the body is read, so that strangers cost little.
  app.addHook('onRequest', (request, reply, done) => {
    const { authorization } = request.headers
    const caller = callerOf(authorization)
    if (caller === undefined) {
      const isUnknown = authorization !== undefined
      if (isUnknown) request.caller = 'unknown'
      reply.header('www-authenticate', isUnknown ? 'Bearer error="invalid_token"' : 'Bearer')
      return done(new UnknownCallerError(isUnknown
        ? 'The API key is not known'
        : 'An API key is required: send it as Authorization: Bearer'))
    }
    request.caller = caller.name
    request.callerRate = caller.rate ?? null
    done()
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const refusal = refusalOf(callers.get(request.caller) as Caller, request.body as SignatureRequest)
    if (refusal === undefined) done()
    else done(new ForbiddenError(refusal))
  })
}, { name: 'policy', dependencies: ['env', 'request-caller', 'strict'] })
