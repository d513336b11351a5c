import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Caller, Policy } from '../../src/guard/policy.js'
import { messages } from '../../src/service/messages.js'
import { reloadCounter } from '../../src/service/prometheus.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { WatchedFile } from '../../src/service/watched-file.js'
import { clientAddress } from '../http/client-address.js'
import { tooManyRequests } from '../http/repeated-refusals.js'
import type { SigningSettings } from './guard-options.js'
import { MemoryStore } from './memory-store.js'
import { readingOf } from './request-reader.js'

/** Window in which requests without a known key are counted, in milliseconds. */
const keyFailureWindow = 60_000

/** Refuses unknown callers, and requests that the caller has no right to. */
export default fp<SigningSettings>(async function policyGuard (app, options) {
  const { variant, accountNumberDigits, isProduction = false, keyFailureMax } = options
  const { policy: given, policySetting: setting = 'policy', policyPollInterval, watchedFiles = [], metrics } = options
  if (given === undefined) return
  if (!app.hasPlugin('strict-guard')) throw new Error('a policy needs the plugin strict-guard: without it, the rules compare ambiguous text')
  // Loaded lazily: the schema checker is slow to load.
  const { callerFinder, knownKeys, loadPolicy, policyRefusalOf } = await import('../../src/guard/policy.js')
  const { normalizeIP } = await import('@fastify/rate-limit')

  let policy: Policy = { callers: [] }
  let callerOf = callerFinder(policy)
  const read = (flag?: number) => loadPolicy(given, setting, { variant, accountNumberDigits, isProduction }, flag)
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
    app.addHook('onClose', () => file.close())
    watchedFiles.push(file)
    await file.watch(policyPollInterval)
  }

  const failures = new MemoryStore()
  const tooMany = tooManyRequests(app, 'key-failures', messages.tooManyWithoutKey)

  /** Counts a request without a known key and returns its refusal. Callers with a known key cannot be locked out. */
  function unknownCallerRefusal (request: FastifyRequest): RefusedError {
    if (keyFailureMax > 0) {
      const client = clientAddress(request, normalizeIP)
      const { current, ttl } = failures.count(client, keyFailureWindow)
      if (current > keyFailureMax) return tooMany(client, ttl)
    }
    return request.headers.authorization === undefined
      ? new RefusedError('api-key-required', messages.apiKeyRequired, { 'www-authenticate': 'Bearer' })
      : new RefusedError('api-key-unknown', messages.apiKeyUnknown, { 'www-authenticate': 'Bearer error="invalid_token"' })
  }

  // Before the body is read, so that unknown callers cost little.
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers
    const caller = callerOf(authorization)
    if (caller === undefined) {
      if (authorization !== undefined) request.signingCaller = 'unknown'
      return done(unknownCallerRefusal(request))
    }
    request.signingCaller = caller.name
    request.signingRules = caller
    done()
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const refusal = policyRefusalOf(request.signingRules as Caller, readingOf(request))
    done(refusal === undefined ? undefined : new RefusedError('policy', refusal))
  })
}, { name: 'policy-guard', dependencies: ['request-reader'] })
