import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { variantNames } from '../scheme/variants.js'
import { parseRedisUrl } from './redis-url.js'

const flag = (value: boolean) => Type.Boolean({ default: value, description: 'true or false' })

/** An integer in decimal digits and no other notation: see {@link isDecimal}. */
const integer = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Unsafe<number>({ default: value, decimal: { minimum, maximum }, description })

const milliseconds = (value: number, minimum: number) =>
  integer(value, minimum, 3_600_000, `a number of milliseconds from ${minimum} to 3600000`)

/** Whether several processes may listen at one port: older versions of Node.js ignore that they are asked to. */
export function reusePort (version: string) {
  const [major, minor] = version.split('.').map(Number) as [number, number]
  if (major > 22 || (major === 22 && minor >= 12)) return flag(false)
  return Type.Boolean({ default: false, const: false, description: `false with Node.js ${version}; it takes 22.12` })
}

/** The environment the service reads. Each description completes "NAME must be …". */
export const Environment = Type.Object({
  NODE_ENV: Type.String({ default: '' }),
  MERCHANT_TOKEN: Type.Optional(Type.String({ minLength: 1, description: 'the merchant\'s secret token' })),
  MERCHANT_TOKEN_FILE: Type.String({ default: '', description: 'the path of a file that holds the token' }),
  VARIANT: Type.String({
    default: 'A', pattern: `^(${variantNames.join('|')}|${variantNames.join('|').toLowerCase()})$`, description: variantNames.join(' or ')
  }),
  HOST: Type.String({ default: 'localhost', minLength: 1, description: 'a host name or an IP address' }),
  PORT: integer(3001, 0, 65535, 'a port number from 1 to 65535, or 0 for any free port'),
  REUSE_PORT: reusePort(process.versions.node),
  CORS_ORIGIN: Type.String({
    default: '*',
    format: 'cors-origin',
    description: '*, or a comma-separated list of exact origins such as https://shop.example (scheme, host, a port ' +
      'that is not the scheme\'s default; no path, no final slash)'
  }),
  LOG_LEVEL: Type.String({
    default: 'info',
    pattern: '^(fatal|error|warn|info|debug|trace|silent)$',
    description: 'fatal, error, warn, info, debug, trace or silent'
  }),
  TRUST_PROXY: Type.String({
    default: '',
    format: 'trust-proxy',
    description: 'a comma-separated list of the reverse proxies\' addresses or CIDRs, such as 10.0.0.5,10.1.0.0/16'
  }),
  BODY_LIMIT: integer(102400, 1, 2 ** 30, `a number of bytes from 1 to ${2 ** 30}`),
  STRICT: flag(false),
  ACCOUNT_NUMBER_DIGITS: integer(6, 1, 32, 'how many digits an account number has under STRICT, from 1 to 32'),
  TIME_STAMP_MAX_AHEAD: integer(86_400_000, 0, 9_999_999_999_999, 'a number of milliseconds from 0 to 9999999999999'),
  ACCEPT_BODY_TOKEN: flag(true),
  POLICY_FILE: Type.String({ default: '', description: 'the path of a policy' }),
  KEY_FAILURE_MAX: integer(20, 0, 1_000_000_000, 'a number of requests, or 0 for no limit'),
  AUTHORIZE_URL: Type.String({ default: '', format: 'optional-http-url', description: 'an http or https URL without a user or a password' }),
  AUTHORIZE_TIMEOUT: milliseconds(2000, 1),
  AUTHORIZE_MAX_IN_FLIGHT: integer(256, 1, 10_000, 'a number of requests from 1 to 10000'),
  AUDIT: Type.String({ default: 'false', pattern: '^(true|false|required)$', description: 'true, false or required' }),
  AUDIT_FILE: Type.String({ default: '', description: 'the path of a file' }),
  ADMIN_PORT: Type.String({
    default: '',
    format: 'optional-port',
    description: 'a port number from 1 to 65535, 0 for any free port, or empty for none'
  }),
  RATE_LIMIT_MAX: integer(0, 0, 1_000_000_000, 'a number of requests, or 0 for no limit'),
  RATE_LIMIT_WINDOW: milliseconds(60_000, 1),
  RATE_LIMIT_FAIL: Type.String({ default: 'open', pattern: '^(open|closed)$', description: 'open or closed' }),
  REDIS_URL: Type.String({
    default: '',
    format: 'optional-redis-url',
    description: 'a redis:// or rediss:// URL, or redis+sentinel://host,host?name=primary or redis+cluster://host,host ' +
      '(rediss+… for TLS), special characters in its password percent-encoded'
  }),
  REDIS_TLS_CERT_FILE: Type.String({ default: '', description: 'the path of a file' }),
  REDIS_TLS_KEY_FILE: Type.String({ default: '', description: 'the path of a file' }),
  ADMIN_HOST: Type.String({ default: 'localhost', minLength: 1, description: 'a host name or an IP address' }),
  MAX_CONNECTIONS: integer(0, 0, 1_000_000, 'a number of connections, or 0 for what memory and open files allow'),
  SHUTDOWN_DELAY: milliseconds(0, 0),
  KEEP_ALIVE_TIMEOUT: milliseconds(72_000, 1000),
  DOCS: Type.String({
    default: '',
    pattern: '^(true|false)?$',
    description: 'true or false, or empty: then true unless NODE_ENV is production'
  })
})

export type Environment = Static<typeof Environment>

/** The configuration cannot be used. `faults` has one line for each, none of which holds a secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly code = 'ERR_CONFIGURATION'
  readonly faults: readonly string[]

  constructor (faults: readonly string[], options?: ErrorOptions) {
    super(faults.join('\n'), options)
    this.faults = faults
  }
}

const listOf = (text: string): string[] => text === '' ? [] : text.split(',').map(item => item.trim())

/** The origins of a CORS_ORIGIN: `*`, or those that may read our responses. */
export function allowedOrigins (text: string): '*' | string[] {
  return text === '*' ? '*' : listOf(text)
}

/** The addresses and CIDRs of a TRUST_PROXY. */
export const trustedProxies = listOf

function isOrigin (text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/.test(text)) return false
  // A browser sends an http(s) origin as URL.origin writes it; apps send others, such as capacitor://localhost.
  return !text.startsWith('http') || (URL.canParse(text) && new URL(text).origin === text)
}

function isAddressOrCidr (text: string): boolean {
  const [address = '', prefix] = text.split('/')
  // Only whole addresses: proxy-addr also reads "1" as 0.0.0.1, and names, and netmasks.
  if (isIP(address) === 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false
  try {
    proxyAddr.compile(text)
    return true
  } catch {
    return false
  }
}

function isHttpUrl (text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text) // fetch refuses a URL that has them
  return username === '' && password === ''
}

/** Whether any caller's requests may be limited: by the general rate, or by one that the policy gives. */
export const limitsRate = ({ RATE_LIMIT_MAX, POLICY_FILE }: Environment): boolean =>
  RATE_LIMIT_MAX > 0 || POLICY_FILE !== ''

/** Whether /openapi.json is served. */
export const servesDocs = ({ DOCS, NODE_ENV }: Environment): boolean =>
  DOCS === '' ? NODE_ENV !== 'production' : DOCS === 'true'

/** For routes that are asked every few seconds: only failures, or less if LOG_LEVEL says so. */
export const quietLogLevel = ({ LOG_LEVEL }: Environment): 'warn' | 'error' | 'fatal' | 'silent' =>
  LOG_LEVEL === 'error' || LOG_LEVEL === 'fatal' || LOG_LEVEL === 'silent' ? LOG_LEVEL : 'warn'

export interface Bounds { minimum: number, maximum: number }

/** Where Ajv found a value. */
export interface Place {
  parentData: Record<string | number, unknown>
  parentDataProperty: string | number
}

/**
 * The keyword `decimal` of {@link Environment}: whether `given` is an integer within the bounds, as a number or in
 * decimal digits. Its `place` then has it as a number. Ajv's own conversion would take 0x1F90 and 1e4 as well.
 */
export function isDecimal ({ minimum, maximum }: Bounds, given: unknown, place: Place): boolean {
  const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  if (!Number.isInteger(number) || (number as number) < minimum || (number as number) > maximum) return false
  place.parentData[place.parentDataProperty] = number
  return true
}

/** The formats named in {@link Environment}. */
export const formats = {
  'cors-origin': (text: string) => {
    const origins = allowedOrigins(text)
    return origins === '*' || (origins.length > 0 && origins.every(isOrigin))
  },
  'trust-proxy': (text: string) => trustedProxies(text).every(isAddressOrCidr),
  'optional-http-url': (text: string) => text === '' || isHttpUrl(text),
  'optional-redis-url': (text: string) => text === '' || parseRedisUrl(text) !== undefined,
  'optional-port': (text: string) => text === '' || (/^\d{1,5}$/.test(text) && Number(text) <= 65535)
}
