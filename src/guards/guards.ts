import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toRefusedError } from '../http/refusals.js'
import type { Merchant } from '../merchants/merchant.js'
import type { Reading } from '../scheme/request.js'
import { createAuthorizer, type Authorize } from './authorize/authorize.js'
import { backendAt } from './authorize/backend.js'
import type { Attempt } from './audit/audit.js'
import { assertAllowed, loadPolicy, unknownCaller, type IdentifiedCaller } from './policy/policy.js'
import { createRateLimit } from './rate-limit/rate-limit.js'
import { assertNoOwnToken, createStrict } from './strict/strict.js'

/** A request that was read, and what the guards have found about it. */
export interface Asked {
  readonly request: FastifyRequest
  readonly merchant: Merchant
  readonly reading: Reading
  readonly caller?: IdentifiedCaller | undefined
  wouldRefuse?: string
  user?: string | undefined
}

/** Throws the refusal of a request. */
export type Guard = (asked: Asked) => void | Promise<void>

/**
 * Returns the guards that are configured, in their order: on arrival, before the body is read; for the body's text; and
 * between the reading and the signature.
 */
export async function guardsOf (app: FastifyInstance, given?: Authorize) {
  const { STRICT, ACCOUNT_NUMBER_DIGITS, AUTHORIZE_URL, MERCHANTS_FILE } = app.config
  const authorize = given ?? (AUTHORIZE_URL === '' ? undefined : backendAt(AUTHORIZE_URL))
  const callerOf = await loadPolicy(app, authorize !== undefined)
  const limit = await createRateLimit(app)
  const strict = createStrict(STRICT, ACCOUNT_NUMBER_DIGITS, callerOf !== undefined)
  const ask = authorize && createAuthorizer(app, authorize)

  /** Finds the caller, counts the request, and refuses strangers, who are counted too. */
  function arrive (request: FastifyRequest, attempt: Attempt, done: (refusal?: Error) => void): void {
    const { authorization } = request.headers
    const caller = attempt.caller = callerOf?.(authorization)
    const isStranger = callerOf !== undefined && caller === undefined
    const admit = (): void => done(isStranger ? unknownCaller(authorization) : undefined)
    const counted = limit?.(request, caller) // a promise with Redis
    if (counted === undefined) admit()
    else counted.then(admit, done)
  }

  const guards: Guard[] = []
  if (strict !== undefined) {
    guards.push(asked => {
      const fault = strict.faultOf(asked.request, asked.reading)
      if (fault === undefined) return
      if (STRICT !== 'report') throw fault
      asked.wouldRefuse = toRefusedError(fault).errorCode
      asked.request.log.warn({ code: asked.wouldRefuse }, 'request would be refused')
    })
  }
  if (MERCHANTS_FILE !== '') guards.push(({ merchant, reading }) => { if (!merchant.allowsOwnToken) assertNoOwnToken(reading) })
  if (callerOf !== undefined) guards.push(({ caller, reading }) => assertAllowed(caller!, reading))
  if (ask !== undefined) {
    guards.push(async asked => {
      const { request, reading, caller, merchant } = asked
      if (!merchant.isKnown) return // `sign` refuses it
      const { refusal, user } = await ask(request, reading, caller, merchant.redact)
      asked.user = user
      if (refusal !== undefined) throw refusal
    })
  }
  return { arrive, onText: strict?.lookAt, guards }
}
