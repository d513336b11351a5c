import type { ErrorCodeName } from '../http/error-codes.js'

/** Guards that `REPORT_ONLY` can list, each with the codes of its refusals. */
export const guardCodes = {
  'body-token': ['body-token'],
  strict: ['strict'],
  policy: ['policy', 'api-key-required', 'api-key-unknown', 'key-failures'],
  'rate-limit': ['rate-limit', 'rate-limit-unavailable'],
  authorize: ['refused', 'authorization-unavailable']
} as const satisfies Record<string, readonly ErrorCodeName[]>

export type GuardName = keyof typeof guardCodes

const isGuardName = (name: string): name is GuardName => Object.hasOwn(guardCodes, name)

/** Returns the names in REPORT_ONLY, whose pattern allows no other names. */
const namesIn = (reportOnly: string): Set<GuardName> => new Set(reportOnly.split(/[, ]+/).filter(isGuardName))

/** Options that modes derive from. */
interface ModeOptions {
  strict?: boolean | undefined
  policy?: unknown
  reportOnly?: string | undefined
}

/** Modes of the guards. They are derived from the settings here, once at the start, and nowhere else. */
export interface Modes {
  /** True: the strict grammar judges requests. A policy implies it: its rules need unambiguous text. */
  readonly judgesStrictly: boolean
  /** True: requests that do not match the strict grammar are refused. */
  readonly refusesAmbiguity: boolean
  /**
   * True: the policy decides about inquiries with the signature of a void. False in report mode, in which the policy
   * refuses nothing: then the strict grammar refuses all these inquiries, unless it is in report mode itself.
   */
  readonly policyJudgesInquiries: boolean
  /** Guards in report mode. If the policy is one of them, so is the strict grammar that it implies. */
  readonly reports: ReadonlySet<GuardName>
}

export function modesOf ({ strict = false, policy, reportOnly = '' }: ModeOptions): Modes {
  const reports = namesIn(reportOnly)
  if (reports.has('policy') && !strict) reports.add('strict')
  const judgesStrictly = strict || policy !== undefined
  const refusesAmbiguity = judgesStrictly && !reports.has('strict')
  const policyJudgesInquiries = policy !== undefined && !(refusesAmbiguity && reports.has('policy'))
  return { judgesStrictly, refusesAmbiguity, policyJudgesInquiries, reports }
}

/** Options that turn guards on. */
interface GuardSwitches extends ModeOptions {
  acceptBodyToken?: boolean | undefined
  rateLimitMax?: number | undefined
  authorize?: unknown
  authorizeUrl?: string | undefined
  merchants?: unknown
}

/** Returns a predicate for each fault of the list, such as `has strict, which …`. A list of guards turns nothing on. */
export function reportOnlyFaults (options: GuardSwitches): string[] {
  const { reportOnly = '', acceptBodyToken, policy, rateLimitMax = 0, authorize, authorizeUrl = '' } = options
  const guards = namesIn(reportOnly)
  const hasPolicy = policy !== undefined
  const isOn: Readonly<Record<GuardName, boolean>> = {
    'body-token': acceptBodyToken === false,
    strict: modesOf(options).judgesStrictly,
    policy: hasPolicy,
    'rate-limit': rateLimitMax > 0 || hasPolicy, // policy-guard looks for the rates of the callers
    authorize: authorize !== undefined || authorizeUrl !== ''
  }
  const faults = [...guards].filter(guard => !isOn[guard]).map(guard => `has ${guard}, which is not configured`)
  if (options.merchants !== undefined && guards.has('body-token')) return ['has body-token, which merchants always refuse']
  if (!guards.has('strict') || !hasPolicy || guards.has('policy')) return faults
  return [...faults, 'has strict, while the policy refuses: an inquiry that serves as a refund would pass; add policy']
}
