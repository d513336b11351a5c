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

/** Returns the settings that are on, for the line that the service logs at its start. */
export function guardsOn (config: Environment, hasAuthorize: boolean): string[] {
  const { STRICT, POLICY_FILE, RATE_LIMIT_MAX, RATE_LIMIT_WINDOW, REDIS_URL, AUTHORIZE_URL, AUDIT, AUDIT_FILE } = config
  const rate = `at most ${RATE_LIMIT_MAX} requests in ${RATE_LIMIT_WINDOW} ms${REDIS_URL === '' ? '' : ', counted in Redis'}`
  return ([
    [STRICT !== 'false' || POLICY_FILE !== '', STRICT === 'report' ? 'STRICT only reports' : 'STRICT'],
    [POLICY_FILE !== '', `policy ${POLICY_FILE}`],
    [RATE_LIMIT_MAX > 0, rate],
    [hasAuthorize || AUTHORIZE_URL !== '', 'authorize'],
    [AUDIT !== 'false', `audit ${AUDIT === 'required' ? 'required, ' : ''}in ${AUDIT_FILE || 'the log'}`]
  ] as const).filter(([isOn]) => isOn).map(([, guard]) => guard)
}
