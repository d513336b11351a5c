import { isIP } from 'node:net'
import { Type, type Static } from '../text/schema.js'

/** Codes of {@link ConfigurationError}: variables, options of the app, the token or a file of tokens, the policy. */
export type ConfigurationErrorCode = 'ERR_CONFIGURATION' | 'ERR_OPTIONS' | 'ERR_TOKEN' | 'ERR_POLICY'

/** Error for a configuration that cannot be used. The message has a line without a secret for each fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'

  constructor (message: string, readonly code: ConfigurationErrorCode = 'ERR_CONFIGURATION', options?: ErrorOptions) {
    super(message, options)
  }
}

const string = (description: string, rest: object = {}) => Type.String({ default: '', description, ...rest })
const flag = () => Type.Boolean({ default: false, description: 'true or false' })
const oneOf = <const T extends string>(first: T, ...others: T[]) => Type.Unsafe<T>({
  type: 'string',
  enum: [first, ...others],
  default: first,
  description: [first, ...others].join(', ').replace(/, (\w+)$/, ' or $1')
})
const integer = (value: number, minimum: number, maximum: number, what = 'a number of milliseconds') =>
  Type.Integer({ default: value, minimum, maximum, description: `${what} from ${minimum} to ${maximum}, as plain digits` })
const hostName = () => string('a host name or an IP address', { default: 'localhost', pattern: '^(?:[\\w.-]+|[\\dA-Fa-f:.]+(?:%[\\w.-]+)?)$' })

const origins = '*, or a comma-separated list of exact origins such as https://shop.example (no path, no final slash)'

/** Default of ACCOUNT_NUMBER_DIGITS. */
export const defaultDigits = 6

/**
 * The environment variables of the service. `.env.example` and the table in `docs/configuration.md` are made of this
 * schema and its comments, which are Markdown. Each description completes the sentence "NAME must be …".
 */
export const environmentSchema = Type.Object({
  /** `production` refuses the development token and warns about open settings. */
  NODE_ENV: string('a name without spaces, such as production', { pattern: '^\\S*$' }),
  /** The merchant's secret token. Quote it [in `.env`](configuration.md#the-token-in-env). */
  MERCHANT_TOKEN: Type.Optional(Type.String({ minLength: 1, description: 'the merchant\'s secret token' })),
  /** Path of a file that contains the token, instead of `MERCHANT_TOKEN`. */
  MERCHANT_TOKEN_FILE: string('the path of a file that holds the token'),
  /** Path of a file of [many merchants](merchants.md), instead of token and `VARIANT`. */
  MERCHANTS_FILE: string('the path of a file of merchants'),
  /** Signature scheme: `A` or `B`. */
  VARIANT: oneOf('A', 'B'),
  /** Name or address to listen on; in a container `0.0.0.0`, or `::` for IPv6, too. */
  HOST: hostName(),
  /** Port to listen on; 0 for any free port. */
  PORT: integer(3001, 0, 65535, 'a port number'),
  /** Origins whose pages may call the service: `*`, or `https://shop.example,https://pay.example:8443`. */
  CORS_ORIGIN: string(origins, { default: '*', format: 'cors-origin' }),
  /** `true`: pages of these origins may [send cookies](authorize.md#sessions-of-pages). Not with `*`. */
  CORS_CREDENTIALS: flag(),
  /** `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. */
  LOG_LEVEL: oneOf('info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent'),
  /** Addresses or CIDRs of your [reverse proxies](deploy.md#behind-a-reverse-proxy), such as `10.0.0.5,10.1.0.0/16`. */
  TRUST_PROXY: string(
    'a comma-separated list of the reverse proxies\' addresses or CIDRs, such as 10.0.0.5,10.1.0.0/16, and not all addresses (/0)',
    { format: 'trust-proxy' }
  ),
  /** `true`: only [strict fields](strict.md); `report`: log others. */
  STRICT: oneOf('false', 'true', 'report'),
  /** Number of digits of an account number under `STRICT`. */
  ACCOUNT_NUMBER_DIGITS: integer(defaultDigits, 1, 32, 'how many digits an account number has under STRICT,'),
  /** Path of a [policy](policy.md), which implies `STRICT`. */
  POLICY_FILE: string('the path of a policy'),
  /** URL of [your backend](authorize.md), which decides on each request. */
  AUTHORIZE_URL: string('an http or https URL without white space, #, a user or a password', { format: 'optional-http-url' }),
  /** Time-out of this decision, in milliseconds. */
  AUTHORIZE_TIMEOUT: integer(2000, 1, 10_000),
  /** Requests of one caller or address in a minute; 0 for no [limit](rate-limit.md). */
  RATE_LIMIT_MAX: integer(0, 0, 1_000_000_000, 'a number of requests'),
  /** [Redis or Valkey](rate-limit.md) that counts for all instances. Default: each one counts alone. */
  REDIS_URL: string(
    'a redis:// or rediss:// URL of one server, special characters in its password percent-encoded',
    { format: 'optional-redis-url' }
  ),
  /** `true`: an [audit](audit.md) line in the log for each decision. */
  AUDIT: Type.Boolean({ default: false, description: 'true or false; for decisions in a file, set AUDIT_FILE alone' }),
  /** File of the [audit](audit.md), one for each instance. */
  AUDIT_FILE: string('the path of a file'),
  /** [Port](operations.md#admin-port) of metrics and probes; 0 for none. */
  ADMIN_PORT: integer(0, 0, 65535, 'a port number'),
  /** Name or address of `ADMIN_PORT`; see `HOST`. */
  ADMIN_HOST: hostName(),
  /** Time between SIGTERM and the [end of service](operations.md#stopping-an-instance), in milliseconds. */
  SHUTDOWN_DELAY: integer(0, 0, 3_600_000),
  /** Time-out of idle connections, in milliseconds; above that of [your proxy](deploy.md#behind-a-reverse-proxy). */
  KEEP_ALIVE_TIMEOUT: integer(72_000, 1000, 3_600_000)
})

/** True in production, by the configuration or by the process: what is refused there is refused in both. */
export const isProduction = ({ NODE_ENV }: Pick<Environment, 'NODE_ENV'>): boolean =>
  [NODE_ENV, process.env.NODE_ENV].includes('production')

/** True if the strict grammar judges requests. A policy implies it. */
export const isStrict = ({ STRICT, POLICY_FILE }: Pick<Environment, 'STRICT' | 'POLICY_FILE'>): boolean =>
  STRICT === 'true' || POLICY_FILE !== ''

/** Values of the environment variables, under their names. */
export type Environment = Static<typeof environmentSchema>

/** Variables whose values are never shown. */
export const secrets: ReadonlySet<string> = new Set(['MERCHANT_TOKEN', 'AUTHORIZE_URL', 'REDIS_URL'])

/**
 * Returns the address to listen on. For `localhost`, Fastify would start a second server on `::1` without our errors
 * and limits, and `close` would not wait for its requests.
 */
export const addressFor = (host: string): string => host.toLowerCase() === 'localhost' ? '127.0.0.1' : host

/** Returns the items of a comma-separated list. */
export const listOf = (text: string): string[] => text === '' ? [] : text.split(',').map(item => item.trim())

/** Returns the origins of CORS_ORIGIN, or `*`. */
export const allowedOrigins = (text: string): '*' | string[] => text === '*' ? '*' : listOf(text)

function isOrigin (text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*;]+$/.test(text)) return false
  // A browser sends an http(s) origin as URL.origin writes it; apps send others, such as capacitor://localhost.
  return !text.startsWith('http') || (URL.canParse(text) && new URL(text).origin === text)
}

/** Returns the text that completes "CORS_ORIGIN must be …", with the form in which a browser sends an origin. */
export function expectedOrigins (given: string): string {
  const urls = listOf(given).filter(item => !isOrigin(item) && /^https?:/i.test(item) && URL.canParse(item))
  const sent = urls.map(item => new URL(item).origin).filter(isOrigin)
  return sent.length === 0 ? origins : `${origins}; browsers send ${sent.join(', ')}`
}

// Without this check, proxy-addr reads "1" as 0.0.0.1, and accepts names and netmasks.
function isAddressOrCidr (text: string): boolean {
  const [, address = '', prefix = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return Number(prefix) > 0 && Number(prefix) <= ({ 4: 32, 6: 128 }[isIP(address)] ?? 0)
}

/** True for an http or https URL without white space, `#`, a user or a password. */
function isHttpUrl (text: string): boolean {
  if (!/^https?:\/\/[^\s#]+$/i.test(text) || !URL.canParse(text)) return false // systemd keeps a comment behind a value
  const { username, password } = new URL(text)
  return username + password === ''
}

/** True for `redis://user:password@host:port/database`, with `rediss` for TLS. */
function isRedisUrl (text: string): boolean {
  try {
    decodeURIComponent(text) // ioredis decodes its parts
    return /^rediss?:\/\/[^,]+$/.test(text) && /^\/?\d*$/.test(new URL(text).pathname)
  } catch {
    return false
  }
}

/** Formats of {@link environmentSchema}. */
export const formats = {
  'cors-origin': (text: string) => {
    const allowed = allowedOrigins(text)
    return allowed === '*' || (allowed.length > 0 && allowed.every(isOrigin))
  },
  'trust-proxy': (text: string) => listOf(text).every(isAddressOrCidr),
  'optional-http-url': (text: string) => text === '' || isHttpUrl(text),
  'optional-redis-url': (text: string) => text === '' || isRedisUrl(text)
}
