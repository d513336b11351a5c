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

/** Returns the guards that are on. Contains no URL or path, which may be secret. */
export function guardsOn ({
  STRICT, POLICY_FILE, RATE_LIMIT_MAX, REDIS_URL, AUTHORIZE_URL, AUDIT
}: Environment): string {
  const on = [
    STRICT === 'report' ? 'STRICT=report' : STRICT === 'true' || POLICY_FILE !== '' ? 'STRICT' : '',
    POLICY_FILE === '' ? '' : 'policy',
    RATE_LIMIT_MAX === 0 ? '' : `rate-limit=${RATE_LIMIT_MAX}`,
    REDIS_URL === '' ? '' : 'redis',
    AUTHORIZE_URL === '' ? '' : 'authorize',
    AUDIT === 'required' ? 'audit=required' : AUDIT === 'true' ? 'audit' : ''
  ].filter(guard => guard !== '')
  return on.join(', ') || 'none'
}
