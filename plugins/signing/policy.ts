import fp from 'fastify-plugin'
import type { Caller, Policy } from '../../src/guard/policy.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { readingOf } from './reading.js'

export interface PolicyOptions {
  /** Who may have what signed, or the path of a file that says so: see `docs/policy.md`. It implies `strict`. */
  policy?: Policy | string
  /** Where that was configured, for the message of what is wrong with it; `policy` if not given. */
  policySetting?: string
  /** Refuse keys that the documentation shows, which otherwise are a warning; by default if NODE_ENV is production. */
  isProduction?: boolean
}

/** Only the policy's callers get signatures, and only those that it lets them have. */
export default fp<PolicyOptions>(async function policy (app, options) {
  const { policySetting = 'policy', isProduction = process.env.NODE_ENV === 'production' } = options
  if (options.policy === undefined) return
  if (!app.hasPlugin('strict')) throw new Error('a policy needs the plugin strict: a rule about ambiguous text means nothing')
  // The schema checker takes time to load.
  const { callerFinder, knownKeys, loadPolicy, refusalOf } = await import('../../src/guard/policy.js')
  const policy = loadPolicy(options.policy, policySetting, isProduction)
  for (const warning of knownKeys(policy)) app.log.warn(`${policySetting}: ${warning}`)
  const callerOf = callerFinder(policy)
  const callers = new Map<string, Caller>(policy.callers.map(caller => [caller.name, caller]))

  // Before the body is read, so that strangers cost little.
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers
    const caller = callerOf(authorization)
    if (caller !== undefined) {
      request.signingCaller = caller.name
      request.signingRate = caller.rate ?? null
      return done()
    }
    if (authorization === undefined) {
      return done(new RefusedError(401, 'An API key is required: send it as Authorization: Bearer',
        { 'www-authenticate': 'Bearer' }))
    }
    request.signingCaller = 'unknown'
    done(new RefusedError(401, 'The API key is not known', { 'www-authenticate': 'Bearer error="invalid_token"' }))
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const refusal = refusalOf(callers.get(request.signingCaller) as Caller, readingOf(request))
    done(refusal === undefined ? undefined : new RefusedError(403, refusal))
  })
}, { name: 'policy', dependencies: ['reading'] })
