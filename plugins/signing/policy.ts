import { isDeepStrictEqual } from 'node:util'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import type { Caller, Policy } from '../../src/guard/policy.js'
import type { Variant } from '../../src/scheme/request.js'
import { reloadCounter } from '../../src/service/metrics.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { WatchedFile } from '../../src/service/watched-file.js'
import { readingOf } from './reading.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its caller may have signed, by the policy that was in force when the request came. */
    signingRules: Caller | null
  }
}

export interface PolicyOptions {
  /**
   * Who may have what signed, or the path of a file that says so, which is read again when it changes: see
   * `docs/policy.md`. It implies `strict`.
   */
  policy?: Policy | string
  /** Where that was configured, for the message of what is wrong with it; `policy` if not given. */
  policySetting?: string
  /** How often the file is read again, in milliseconds; 10000 if not given. */
  policyPollInterval?: number | undefined
  /** Gets the file, for whoever wants to have it read at once. */
  watchedFiles?: Array<Pick<WatchedFile<unknown>, 'reload'>>
  /** Refuse keys that the documentation shows, which otherwise are a warning; by default if NODE_ENV is production. */
  isProduction?: boolean
}

type Setting = PolicyOptions & { variant: Variant, accountNumberDigits?: number, metrics?: Registry | undefined }

/** Only the policy's callers get signatures, and only those that it lets them have. */
export default fp<Setting>(async function policy (app, options) {
  const { variant, accountNumberDigits = 6, isProduction = process.env.NODE_ENV === 'production' } = options
  const { policy: given, policySetting: setting = 'policy', policyPollInterval, watchedFiles = [], metrics } = options
  if (given === undefined) return
  if (!app.hasPlugin('strict')) throw new Error('a policy needs the plugin strict: a rule about ambiguous text means nothing')
  // The schema checker takes time to load.
  const { callerFinder, knownKeys, loadPolicy, refusalOf } = await import('../../src/guard/policy.js')

  let policy: Policy = { callers: [] }
  let callerOf = callerFinder(policy)
  const read = () => loadPolicy(given, setting, { variant, accountNumberDigits, isProduction })
  function use (content: Policy): boolean {
    if (isDeepStrictEqual(content, policy)) return false
    policy = content
    callerOf = callerFinder(policy)
    for (const warning of knownKeys(policy)) app.log.warn(`${setting}: ${warning}`)
    return true
  }
  use(await read())

  if (typeof given === 'string') {
    const state = () => policy.callers.length === 1 ? '1 caller' : `${policy.callers.length} callers`
    const count = await reloadCounter(metrics, 'payment_signature_policy_reloads_total', 'Readings of the policy\'s file.')
    const file = new WatchedFile({ path: given, setting, name: 'policy', state, read, use, count }, app.log)
    app.addHook('onClose', async () => file.close())
    watchedFiles.push(file)
    await file.watch(policyPollInterval)
  }

  app.decorateRequest('signingRules', null)

  // Before the body is read, so that strangers cost little.
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers
    const caller = callerOf(authorization)
    if (caller !== undefined) {
      request.signingCaller = caller.name
      request.signingRate = caller.rate ?? null
      request.signingRules = caller
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
    const refusal = refusalOf(request.signingRules as Caller, readingOf(request))
    done(refusal === undefined ? undefined : new RefusedError(403, refusal))
  })
}, { name: 'policy', dependencies: ['reading'] })
