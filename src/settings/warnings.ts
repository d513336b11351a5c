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

/** Settings and options of guards, for the line that the service and the plugin log at their start. */
const guards = ['STRICT', 'POLICY_FILE', 'RATE_LIMIT_MAX', 'REDIS_URL', 'AUTHORIZE_URL', 'AUDIT',
  'strict', 'policy', 'rateLimitMax', 'redisUrl', 'authorize', 'audit']

/** Returns the guards of some settings that are on, with a value that is a word or a number: a URL may be secret. */
export const guardsOn = (settings: object): string => guards
  .map((name): [name: string, value: unknown] => [name, (settings as Record<string, unknown>)[name]])
  .filter(([, value]) => ![undefined, false, 'false', '', 0].includes(value as string))
  .map(([name, value]) => /^\w+$/.test(String(value)) ? `${name}=${value}` : name).join(', ') || 'none'
