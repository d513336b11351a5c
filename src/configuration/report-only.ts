import { isStrict } from '../guard/strict.js'
import type { Guard } from './guard-codes.js'
import type { GuardOptions } from './guard-options.js'

/** Returns the guards that only report. The strict grammar that a reporting policy implies is one of them. */
export function reportingGuards ({ reportOnly = '', strict }: GuardOptions): ReadonlySet<Guard> {
  const guards = new Set(reportOnly.match(/[^, ]+/g) as Guard[] | null)
  if (guards.has('policy') && strict !== true) guards.add('strict')
  return guards
}

/** True if the service refuses requests that do not match the strict grammar. */
export const refusesAmbiguity = (options: GuardOptions): boolean =>
  isStrict(options) && !reportingGuards(options).has('strict')

/** Returns a predicate for each fault of the list, such as `has strict, which …`. A list of guards turns nothing on. */
export function reportOnlyFaults (options: GuardOptions & { merchants?: unknown }): string[] {
  const { reportOnly, acceptBodyToken, policy, rateLimitMax = 0, authorize, authorizeUrl = '' } = options
  const guards = reportingGuards({ reportOnly, strict: true }) // without the implied guard
  const hasPolicy = policy !== undefined
  const isOn: Readonly<Record<Guard, boolean>> = {
    'body-token': acceptBodyToken === false,
    strict: isStrict(options),
    policy: hasPolicy,
    'rate-limit': rateLimitMax > 0 || hasPolicy, // policy-guard looks for the rates of the callers
    authorize: authorize !== undefined || authorizeUrl !== ''
  }
  const faults = [...guards].filter(guard => !isOn[guard]).map(guard => `has ${guard}, which is not configured`)
  if (options.merchants !== undefined && guards.has('body-token')) return ['has body-token, which merchants always refuse']
  if (!guards.has('strict') || !hasPolicy || guards.has('policy')) return faults
  return [...faults, 'has strict, while the policy refuses: an inquiry that serves as a refund would pass; add policy']
}
