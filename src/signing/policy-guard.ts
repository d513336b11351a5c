import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ConfigurationError } from '../settings/environment.js'
import type { SigningSettings } from './options.js'
import { MemoryStore } from './memory-store.js'
import type { Policy } from '../guard/policy.js'
import { clientAddress } from '../http/client-address.js'
import { messages } from '../http/messages.js'
import { policyError, RefusedError, tooManyRequests } from '../http/refused-error.js'
import { watchFile } from '../process/watched-file.js'
import type { CallerLabels } from './decision-metrics.js'
import type { Guard } from './attempt.js'

/** Requests without a known key that an address may make in the window: each costs lines of log and audit. */
const keyFailureMax = 20

/** Window in which requests without a known key are counted, in milliseconds. */
const keyFailureWindow = 60_000

/** Refuses unknown callers, and requests that the caller has no right to. */
export async function policyGuard (
  app: FastifyInstance, options: SigningSettings, labels: CallerLabels
): Promise<Guard | undefined> {
  const { variant, merchants, accountNumberDigits, isProduction = false, rateLimitMax, modes } = options
  const { policy: given, policySetting: setting = 'policy' } = options
  if (given === undefined) return undefined
  // Loaded lazily: the schema checker is slow to load.
  const { accountsApart, callerFinder, keyIn, knownKeys, loadPolicy, policyFaults, policyRefusalOf } = await import('../guard/policy.js')

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
    labels.use(policy.callers)
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
  if (!hasRates && modes.reports.has('rate-limit')) {
    throw new ConfigurationError('REPORT_ONLY has rate-limit, which is not configured: no caller has a rate')
  }

  if (typeof given === 'string') {
    const state = () => policy.callers.length === 1 ? '1 caller' : `${policy.callers.length} callers`
    await watchFile(app, { path: given, setting, name: 'policy', state, read, use },
      ['payment_signature_policy_reloads_total', 'Readings of the policy\'s file.'], options)
  }

  const isReported = modes.reports.has('policy')
  const failures = new MemoryStore()

  /** Counts a request without a known key and returns its refusal. Callers with a known key cannot be locked out. */
  function unknownCallerRefusal (request: FastifyRequest): RefusedError {
    const { current, ttl } = failures.count(clientAddress(request), keyFailureWindow)
    if (current > keyFailureMax) return tooManyRequests('key-failures', messages.tooManyWithoutKey, ttl)
    return keyIn(request.headers.authorization) === undefined
      ? new RefusedError('api-key-required', messages.apiKeyRequired, { 'www-authenticate': 'Bearer' })
      : new RefusedError('api-key-unknown', messages.apiKeyUnknown, { 'www-authenticate': 'Bearer error="invalid_token"' })
  }

  return {
    name: 'policy',

    // Before the body is read, so that unknown callers cost little.
    arrive (attempt) {
      const { authorization } = attempt.request.headers
      const caller = callerOf(authorization)
      if (caller === undefined) {
        if (authorization !== undefined) attempt.caller = 'unknown'
        return unknownCallerRefusal(attempt.request)
      }
      attempt.caller = caller.name
      attempt.rules = caller
      if (!isReported) attempt.enforcedRules = caller
      return undefined
    },

    judge ({ rules, request }, reading) {
      // In report mode, the unknown caller was reported on arrival. Otherwise nobody without rules comes here.
      if (rules === null) return isReported ? undefined : unknownCallerRefusal(request)
      const refusal = policyRefusalOf(rules, reading)
      return refusal === undefined ? undefined : policyError(refusal)
    },

    confirm ({ rules, request }, reading) {
      if (isReported) return undefined
      const caller = callerOf(request.headers.authorization)
      if (caller === undefined || caller.name !== rules?.name) return unknownCallerRefusal(request)
      const refusal = policyRefusalOf(caller, reading)
      return refusal === undefined ? undefined : policyError(refusal)
    }
  }
}
