import type { FastifyInstance } from 'fastify'
import { addressFor, isStrict, type Environment } from './environment.js'

/** Options of the app that stand for a variable, or that a variable needs. */
interface OtherSources {
  readonly authorize?: unknown
  readonly audit?: unknown
  readonly tokenOf?: unknown
  readonly logger?: unknown
}

/** Returns what leaves the service open in production, each with the setting that closes it. */
export function exposures (config: Environment, hasAuthorize: boolean): string[] {
  const { POLICY_FILE, AUTHORIZE_URL, CORS_ORIGIN, RATE_LIMIT_MAX } = config
  const isOpen = POLICY_FILE === '' && AUTHORIZE_URL === '' && !hasAuthorize
  return ([
    [isOpen, 'whoever reaches this service gets signatures, refunds included (set POLICY_FILE or AUTHORIZE_URL)'],
    [!isStrict(config), 'a signature may also be that of another operation (set STRICT)'],
    [CORS_ORIGIN === '*', 'pages of any origin may get signatures (set CORS_ORIGIN)'],
    [RATE_LIMIT_MAX === 0, 'clients may ask as often as they like (set RATE_LIMIT_MAX)']
  ] as const).filter(([isOff]) => isOff).map(([, exposure]) => exposure)
}

/** Returns the guards that are on. Contains no URL or path, which may be secret. */
export function guardsOn ({
  STRICT, POLICY_FILE, RATE_LIMIT_MAX, REDIS_URL, AUTHORIZE_URL, AUDIT, AUDIT_FILE
}: Environment): string {
  const on = [
    STRICT === 'report' ? 'STRICT=report' : isStrict({ STRICT, POLICY_FILE }) ? 'STRICT' : '',
    POLICY_FILE === '' ? '' : 'policy',
    RATE_LIMIT_MAX === 0 ? '' : `rate-limit=${RATE_LIMIT_MAX}`,
    REDIS_URL === '' ? '' : 'redis',
    AUTHORIZE_URL === '' ? '' : 'authorize',
    AUDIT ? 'audit' : '',
    AUDIT_FILE === '' ? '' : 'audit-file'
  ].filter(guard => guard !== '')
  return on.join(', ') || 'none'
}

/** Returns how a service signs, and its guards. */
export function summaryOf ({ merchants, config }: Pick<FastifyInstance, 'merchants' | 'config'>): string {
  const { variant, tokenSource, keyCheckValue } = merchants
  return `variant ${variant}, token from ${tokenSource}, key check value ${keyCheckValue}, guards: ${guardsOn(config)}`
}

const pathOf = (url: string): string => url === '' ? '' : new URL(url).pathname

/** Returns a line if AUTHORIZE_URL has the address of the service itself, which would ask itself without end. */
export function asksItself ({ AUTHORIZE_URL, HOST, PORT }: Environment): string[] {
  if (AUTHORIZE_URL === '') return []
  const { hostname, port, protocol } = new URL(AUTHORIZE_URL)
  const isLocal = /^(?:127\.|::1?$|0\.0\.0\.0$)/.test(addressFor(HOST))
  const own = [HOST, `[${HOST}]`, ...isLocal ? ['localhost', '127.0.0.1', '[::1]'] : []]
  const isOwn = own.includes(hostname) && Number(port || (protocol === 'https:' ? 443 : 80)) === PORT
  return isOwn ? [`AUTHORIZE_URL has the address of this service (HOST ${HOST}, PORT ${PORT}); set it to the route of your backend`] : []
}

/** Returns true and a line if several of the sources of one thing are set. */
function several (sources: Readonly<Record<string, unknown>>): readonly [isFault: boolean, line: string] {
  const set = Object.entries(sources).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return [set.length > 1, `${set.map(([name]) => name).join(' and ')} are ${set.length === 2 ? 'both' : 'all'} set; set one of them`]
}

/** Returns a line for each combination of settings that cannot be used. */
export function contradictions (config: Environment, { authorize, tokenOf, audit, logger }: OtherSources): string[] {
  const { NODE_ENV, PORT, HOST, ADMIN_PORT, ADMIN_HOST, CORS_CREDENTIALS, CORS_ORIGIN } = config
  const { AUTHORIZE_URL, MERCHANT_TOKEN, MERCHANT_TOKEN_FILE, MERCHANTS_FILE, VARIANT } = config
  const { AUDIT, AUDIT_FILE, STRICT, POLICY_FILE, RATE_LIMIT_MAX, REDIS_URL } = config
  const hosts = [HOST, ADMIN_HOST].map(host => addressFor(host).replace(/^::ffff:/i, ''))
  const isSameHost = hosts[0] === hosts[1] || hosts.some(host => /^[0:.]+$/.test(host)) // a wildcard
  const hasNoLimit = RATE_LIMIT_MAX === 0 && POLICY_FILE === '' // a policy may have rates
  return ([
    ...[...new Set([NODE_ENV, process.env.NODE_ENV ?? ''])].map(name => [
      /^["'\s]*prod(?:uction)?["'\s]*$/i.test(name) && name !== 'production',
      `NODE_ENV is ${JSON.stringify(name)}; set it to production`
    ] as const),
    [PORT !== 0 && ADMIN_PORT === PORT && isSameHost, `PORT and ADMIN_PORT are both ${PORT}; set another ADMIN_PORT`],
    [CORS_CREDENTIALS && CORS_ORIGIN === '*', 'CORS_CREDENTIALS is true, so CORS_ORIGIN must list origins instead of *'],
    [hasNoLimit && REDIS_URL !== '', 'REDIS_URL is set, but nothing is limited; set RATE_LIMIT_MAX, or set REDIS_URL empty'],
    [AUDIT && logger === false, 'AUDIT is true, but the option logger is false: there is no log; set AUDIT_FILE, or leave one of them out'],
    [/^\/api\/generate-signature\/?$/.test(pathOf(AUTHORIZE_URL)), 'AUTHORIZE_URL leads to a signing endpoint; set it to the route of your backend'],
    several({ MERCHANT_TOKEN, MERCHANT_TOKEN_FILE, MERCHANTS_FILE, 'the option tokenOf': tokenOf }),
    several({ AUDIT, AUDIT_FILE, 'the option audit': audit }),
    several({ AUTHORIZE_URL, 'the option authorize': authorize }),
    [VARIANT === 'B' && MERCHANTS_FILE !== '', 'VARIANT is B, but each merchant of MERCHANTS_FILE has its own; leave it out'],
    [STRICT === 'report' && POLICY_FILE !== '', 'STRICT is report, but POLICY_FILE needs strict fields; leave one of them out']
  ] as const).filter(([isFault]) => isFault).map(([, line]) => line)
}
