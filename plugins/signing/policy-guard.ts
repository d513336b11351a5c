import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ConfigurationError } from '../../src/configuration/configuration.js'
import type { SigningSettings } from '../../src/configuration/guard-options.js'
import { reportingGuards } from '../../src/configuration/report-only.js'
import { MemoryStore } from '../../src/guard/memory-store.js'
import type { Policy } from '../../src/guard/policy.js'
import { clientAddress } from '../../src/http/client-address.js'
import { messages } from '../../src/http/messages.js'
import { RefusedError, tooManyRequests } from '../../src/http/refused-error.js'
import { watchFile } from '../../src/process/watched-file.js'
import { readingOf } from './request-reader.js'

/** Window in which requests without a known key are counted, in milliseconds. */
const keyFailureWindow = 60_000

/** Refuses unknown callers, and requests that the caller has no right to. */
export default fp<SigningSettings>(async function policyGuard (app, options) {
  const { variant, merchants, accountNumberDigits, isProduction = false, keyFailureMax, rateLimitMax } = options
  const { policy: given, policySetting: setting = 'policy' } = options
  if (given === undefined) return
  if (!app.hasPlugin('strict-guard')) throw new Error('a policy needs the plugin strict-guard: without it, the rules compare ambiguous text')
  // Loaded lazily: the schema checker is slow to load.
  const { accountsApart, callerFinder, keyIn, knownKeys, loadPolicy, policyFaults, policyRefusalOf } = await import('../../src/guard/policy.js')

  let policy: Policy = { callers: [] }
  let callerOf = callerFinder(policy)
  const deploymentOf = (accounts = merchants?.content.accounts) =>
    ({ variant, accounts, accountNumberDigits, isProduction })
  const read = (flag?: number) => loadPolicy(given, setting, deploymentOf, flag, policy)
  const warn = (warnings: string[]) => warnings.forEach(warning => app.log.warn(`${setting}: ${warning}`))
  function use (content: Policy): boolean {
    if (isDeepStrictEqual(content, policy)) return false
    policy = content
    callerOf = callerFinder(policy)
    app.callerLabels.use(policy.callers)
    warn([...knownKeys(policy), ...accountsApart(policy, merchants?.content.accounts)])
    return true
  }
  use(await read())
  if (merchants !== undefined) {
    merchants.policyFaults = ({ accounts }) => {
      const faults = policyFaults(policy, deploymentOf(accounts))
      if (faults.length === 0) warn(accountsApart(policy, accounts))
      return faults.map(fault => `${setting} does not fit: ${fault}`)
    }
  }
  const hasRates = rateLimitMax > 0 || policy.callers.some(({ rate }) => rate !== undefined)
  if (!hasRates && reportingGuards(options).has('rate-limit')) {
    throw new ConfigurationError('REPORT_ONLY has rate-limit, which is not configured: no caller has a rate')
  }

  if (typeof given === 'string') {
    const state = () => policy.callers.length === 1 ? '1 caller' : `${policy.callers.length} callers`
    await watchFile(app, { path: given, setting, name: 'policy', state, read, use },
      ['payment_signature_policy_reloads_total', 'Readings of the policy\'s file.'], options)
  }

  const failures = new MemoryStore()

  /** Counts a request without a known key and returns its refusal. Callers with a known key cannot be locked out. */
  function unknownCallerRefusal (request: FastifyRequest): RefusedError {
    if (keyFailureMax > 0) {
      const { current, ttl } = failures.count(clientAddress(request), keyFailureWindow)
      if (current > keyFailureMax) return tooManyRequests('key-failures', messages.tooManyWithoutKey, ttl)
    }
    return keyIn(request.headers.authorization) === undefined
      ? new RefusedError('api-key-required', messages.apiKeyRequired, { 'www-authenticate': 'Bearer' })
      : new RefusedError('api-key-unknown', messages.apiKeyUnknown, { 'www-authenticate': 'Bearer error="invalid_token"' })
  }

  // Before the body is read, so that unknown callers cost little.
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers
    const caller = callerOf(authorization)
    if (caller === undefined) {
      if (authorization !== undefined) request.signingCaller = 'unknown'
      return done(app.enforce('policy', request, unknownCallerRefusal(request)))
    }
    request.signingCaller = caller.name
    request.signingRules = caller
    done()
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const { signingRules } = request
    if (signingRules === null) return done() // the missing key was reported
    const refusal = policyRefusalOf(signingRules, readingOf(request))
    done(app.enforce('policy', request, refusal === undefined ? undefined : new RefusedError('policy', refusal)))
  })
}, { name: 'policy-guard', dependencies: ['report-only'], fastify: '5.x' })
