import type { Environment } from './environment.js'

/** Returns what leaves the service open in production, each with the setting that closes it. */
export function exposures (config: Environment, hasAuthorize: boolean): string[] {
  const { POLICY_FILE, AUTHORIZE_URL, CORS_ORIGIN, STRICT, RATE_LIMIT_MAX } = config
  const isOpen = POLICY_FILE === '' && AUTHORIZE_URL === '' && !hasAuthorize
  return ([
    [isOpen, 'whoever reaches this service gets signatures, refunds included (set POLICY_FILE or AUTHORIZE_URL)'],
    [STRICT !== 'true' && POLICY_FILE === '', 'a signature may also be that of another operation (set STRICT)'],
    [CORS_ORIGIN === '*', 'pages of any origin may get signatures (set CORS_ORIGIN)'],
    [RATE_LIMIT_MAX === 0, 'clients may ask as often as they like (set RATE_LIMIT_MAX)']
  ] as const).filter(([isOff]) => isOff).map(([, exposure]) => exposure)
}

/** Variables and options of each guard. A policy implies strict fields. */
const guards: Readonly<Record<string, readonly string[]>> = {
  STRICT: ['STRICT', 'strict', 'POLICY_FILE', 'policy'],
  policy: ['POLICY_FILE', 'policy'],
  'rate-limit': ['RATE_LIMIT_MAX', 'rateLimitMax'],
  redis: ['REDIS_URL', 'redisUrl'],
  authorize: ['AUTHORIZE_URL', 'authorize'],
  audit: ['AUDIT', 'audit']
}

/** Returns the guards that are on, from variables or options. Contains no URL or path, which may be secret. */
export function guardsOn (settings: object): string {
  const on = Object.entries(guards).flatMap(([guard, names]) => {
    const values = names.map(name => (settings as Record<string, unknown>)[name])
    const value = values.find(value => ![undefined, false, 'false', '', 0].includes(value as string))
    if (value === undefined) return []
    return typeof value === 'number' || value === 'report' || value === 'required' ? `${guard}=${value}` : guard
  })
  return on.join(', ') || 'none'
}
