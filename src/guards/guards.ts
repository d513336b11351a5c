import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RefusedError } from '../http/refusals.js'
import { hasOwnToken } from '../scheme/signer.js'
import type { Attempt, Guard } from './attempt.js'
import type { Authorize } from './authorize/answer.js'
import { authorizeGuard } from './authorize/authorize.js'
import { loadPolicy, policyGuard, unknownCaller } from './policy/policy.js'
import { createRateLimit } from './rate-limit/rate-limit.js'
import { ownTokenFault, strictGuard } from './strict/strict.js'

/** Refuses a request's own token in every mode of STRICT: in a file of merchants, an account has one token. */
const ownToken: Guard = ({ reading }) => {
  if (hasOwnToken(reading)) throw new RefusedError('strict', ownTokenFault, { field: 'merchantToken' })
}

/** Refuses accounts that no merchant has. Nobody learns from the order of the guards which accounts exist. */
const knownAccount: Guard = ({ merchant }) => {
  if (!merchant.isKnown) throw new RefusedError('account-number-unknown')
}

/**
 * Returns the guards that are configured, in their order: on arrival, before the body is read; for the body's text; and
 * between the reading and the signature.
 */
export async function guardsOf (app: FastifyInstance, given?: Authorize) {
  const { AUTHORIZE_URL, MERCHANTS_FILE } = app.config
  const callerOf = await loadPolicy(app, given !== undefined || AUTHORIZE_URL !== '')
  const limit = await createRateLimit(app)
  const strict = strictGuard(app.config)
  const hasSeveral = MERCHANTS_FILE !== ''

  /** Finds the caller, counts the request, and refuses strangers, who are counted too. */
  function arrive (request: FastifyRequest, attempt: Attempt, done: (refusal?: Error) => void): void {
    const { authorization } = request.headers
    attempt.caller = callerOf?.(authorization)
    const stranger = callerOf !== undefined && attempt.caller === undefined ? unknownCaller(authorization) : undefined
    const admit = (limited?: Error): void => done(limited ?? stranger)
    const limited = limit?.(request, attempt.caller)
    if (limited instanceof Promise) limited.then(admit, done) // with Redis
    else admit(limited)
  }

  const guards = [
    strict?.guard,
    hasSeveral ? ownToken : undefined,
    callerOf && policyGuard,
    hasSeveral ? knownAccount : undefined,
    authorizeGuard(app, given)
  ]
  return { arrive, onText: strict?.onText, guards: guards.filter(guard => guard !== undefined) }
}
