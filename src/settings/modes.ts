import { isStrict } from '../guard/strict.js'
import type { ErrorCodeName } from '../http/error-codes.js'

/** Guards that `REPORT_ONLY` can list, each with the codes of its refusals. */
export const guardCodes = {
  'body-token': ['body-token'],
  strict: ['strict'],
  policy: ['policy', 'api-key-required', 'api-key-unknown', 'key-failures'],
  'rate-limit': ['rate-limit', 'rate-limit-unavailable'],
  authorize: ['refused', 'authorization-unavailable']
} as const satisfies Record<string, readonly ErrorCodeName[]>

export type Guard = keyof typeof guardCodes

/** Options that modes derive from. */
interface ModeOptions {
  strict?: boolean | undefined
  policy?: unknown
  reportOnly?: string | undefined
  acceptBodyToken?: boolean | undefined
  rateLimitMax?: number | undefined
  authorize?: unknown
  authorizeUrl?: string | undefined
  merchants?: unknown
}

/** Returns the guards that only report. The strict grammar that a reporting policy implies is one of them. */
export function reportingGuards ({ reportOnly = '', strict }: ModeOptions): ReadonlySet<Guard> {
  const guards = new Set(reportOnly.match(/[^, ]+/g) as Guard[] | null)
  if (guards.has('policy') && strict !== true) guards.add('strict')
  return guards
}

/** True if the service refuses requests that do not match the strict grammar. */
export const refusesAmbiguity = (options: ModeOptions): boolean =>
  isStrict(options) && !reportingGuards(options).has('strict')

/** Returns a predicate for each fault of the list, such as `has strict, which …`. A list of guards turns nothing on. */
export function reportOnlyFaults (options: ModeOptions): string[] {
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
