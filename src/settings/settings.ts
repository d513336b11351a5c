import { signDefaults } from '../guard/guarded.js'
import { variantNames } from '../scheme/variants.js'
import { guardCodes } from './modes.js'

/** A JSON Schema of a value. */
export interface ValueSchema<T = unknown> {
  readonly type?: 'boolean' | 'string'
  readonly default: T
  /** Bounds of an integer. An environment variable has the integer in decimal digits and no other notation. */
  readonly decimal?: { readonly minimum: number, readonly maximum: number }
  readonly minLength?: number
  readonly pattern?: string
  readonly format?: 'cors-origin' | 'trust-proxy' | 'optional-http-url' | 'optional-redis-url' | 'optional-port'
  /** Completes the sentence "NAME must be …". */
  readonly description: string
}

export interface Setting<T = unknown> {
  /** Name of the environment variable; undefined for an option of the plugin only. */
  readonly name?: string
  readonly schema: ValueSchema<T>
  /** Environment variable of the service, option of the plugin, or both. */
  readonly source: 'environment' | 'option' | 'both'
  /** Name of the plugin's option that gets the value of the variable, if the value is not empty. */
  readonly option?: string
  /** The value is never shown. */
  readonly isSecret?: boolean
}

const text = (description: string, rest: Partial<ValueSchema<string>> = {}): ValueSchema<string> =>
  ({ type: 'string', default: '', description, ...rest })

const oneOf = <const T extends string>(value: NoInfer<T>, ...values: T[]): ValueSchema<T> =>
  ({ type: 'string', default: value, pattern: `^(${values.join('|')})$`, description: values.join(', ').replace(/, (\w+)$/, ' or $1') })

const flag = (value: boolean): ValueSchema<boolean> => ({ type: 'boolean', default: value, description: 'true or false' })

const integer = (value: number, minimum: number, maximum: number, description: string): ValueSchema<number> =>
  ({ default: value, decimal: { minimum, maximum }, description })

const milliseconds = (value: number, minimum: number, maximum = 3_600_000) =>
  integer(value, minimum, maximum, `a number of milliseconds from ${minimum} to ${maximum}`)

const variants = variantNames.join('|')
const guards = Object.keys(guardCodes)
const host = text('a host name or an IP address', { default: 'localhost', minLength: 1 })

const variable = <T>(schema: ValueSchema<T>) => ({ schema, source: 'environment' } as const)
const option = <T>(schema: ValueSchema<T>) => ({ schema, source: 'option' } as const)
const both = <T>(schema: ValueSchema<T>) => ({ schema, source: 'both' } as const)

/**
 * Settings of the service and of the plugin. The environment's schema, the plugin's options, their types and defaults,
 * `.env.example` and the tables of `docs/` are derived from this table; `npm run documents` writes the documents. The
 * comment of a setting is one sentence or more in Markdown, with links that are relative to `docs/`.
 */
export const settings = {
  /** `production` refuses the development token and warns about open settings. `test` accepts that token silently. */
  nodeEnv: { name: 'NODE_ENV', ...variable(text('')) },
  /** The merchant's secret token. Quote it [in `.env`](configuration.md#the-token-in-env). */
  merchantToken: {
    name: 'MERCHANT_TOKEN',
    ...variable<string | undefined>({ ...text('the merchant\'s secret token', { minLength: 1 }), default: undefined }),
    isSecret: true
  },
  /** Path of a file that contains the token. `MERCHANT_TOKEN` must be unset. */
  merchantTokenFile: { name: 'MERCHANT_TOKEN_FILE', ...variable(text('the path of a file that holds the token')) },
  /**
   * Expected [key check value](deploy.md#key-check-value), or two with a comma [during a
   * rotation](operations.md#replace-the-token). A token with another value is refused. Default: any.
   */
  merchantTokenKcv: {
    name: 'MERCHANT_TOKEN_KCV',
    ...variable(text('a key check value of 6 lowercase hexadecimal digits, or two with a comma',
      { pattern: '^(?:[0-9a-f]{6}(?:, *[0-9a-f]{6})?)?$' }))
  },
  /**
   * Path of a file of [many merchants](merchants.md). Replaces `MERCHANT_TOKEN`, `MERCHANT_TOKEN_FILE` and `VARIANT`. A
   * changed file is read again.
   */
  merchantsFile: { name: 'MERCHANTS_FILE', ...variable(text('the path of a file of merchants')) },
  /** Signature scheme: `A` or `B`. */
  variant: { name: 'VARIANT', ...variable(text(variantNames.join(' or '), { default: 'A', pattern: `^(${variants}|${variants.toLowerCase()})$` })) },
  /** Name or address to listen on; `0.0.0.0` in a container. */
  host: { name: 'HOST', ...variable(host) },
  /** Port to listen on; 0 for any free port. */
  port: { name: 'PORT', ...variable(integer(3001, 0, 65535, 'a port number from 1 to 65535, or 0 for any free port')) },
  /** Origins whose pages may call the service: `*`, or `https://shop.example,https://pay.example:8443`. */
  corsOrigin: {
    name: 'CORS_ORIGIN',
    ...variable(text('*, or a comma-separated list of exact origins such as https://shop.example (scheme, host, a port ' +
    'that is not the scheme\'s default; no path, no final slash)', { default: '*', format: 'cors-origin' }))
  },
  /** `true`: pages of these origins may [send cookies](authorization.md#sessions-of-pages). Not with `*`. */
  corsCredentials: { name: 'CORS_CREDENTIALS', ...variable(flag(false)) },
  /** `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. */
  logLevel: { name: 'LOG_LEVEL', ...variable(oneOf('info', 'fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')) },
  /** Addresses or CIDRs of your [reverse proxies](deploy.md#behind-a-reverse-proxy), such as `10.0.0.5,10.1.0.0/16`. */
  trustProxy: {
    name: 'TRUST_PROXY',
    ...variable(text('a comma-separated list of the reverse proxies\' addresses or CIDRs, such as 10.0.0.5,10.1.0.0/16',
      { format: 'trust-proxy' }))
  },
  /** Path of the route, after Fastify's own `prefix`. */
  path: option(text('a path that begins with /, without ? and #', {
    default: '/api/generate-signature', pattern: '^/[^?#]*$'
  })),
  /**
   * `true`: [strict fields](authorization.md#refuse-ambiguous-requests-strict). The token must then have more than
   * digits and points.
   */
  strict: { name: 'STRICT', ...both(flag(signDefaults.strict)) },
  /** Number of digits of an account number under `STRICT`. */
  accountNumberDigits: { name: 'ACCOUNT_NUMBER_DIGITS', ...both(integer(signDefaults.accountNumberDigits, 1, 32, 'how many digits an account number has under STRICT, from 1 to 32')) },
  /** `false`: refuse requests with a `merchantToken`. */
  acceptBodyToken: { name: 'ACCEPT_BODY_TOKEN', ...both(flag(signDefaults.acceptBodyToken)) },
  /**
   * Path of a [policy](authorization.md#name-the-callers-a-policy), which implies `STRICT`. A changed file is read
   * again.
   */
  policyFile: { name: 'POLICY_FILE', ...variable(text('the path of a policy')), option: 'policy' },
  /** Interval in which the file of a policy is read again, in milliseconds. */
  policyPollInterval: option(milliseconds(10_000, 1)),
  /** URL of [your backend](authorization.md#let-your-backend-decide), which decides on each request. */
  authorizeUrl: { name: 'AUTHORIZE_URL', ...both(text('an http or https URL without a user or a password', { format: 'optional-http-url' })), isSecret: true },
  /** Time-out of this decision, in milliseconds. */
  authorizeTimeout: { name: 'AUTHORIZE_TIMEOUT', ...both(milliseconds(2000, 1, 10_000)) },
  /**
   * Guards that judge each request and [refuse none](authorization.md#report-mode), such as
   * `strict,policy`: `body-token`, `strict`, `policy`, `rate-limit`, `authorize`.
   */
  reportOnly: {
    name: 'REPORT_ONLY',
    ...both(text(`a comma-separated list of ${guards.join(', ')}`, {
      pattern: `^(?:(?:${guards.join('|')})(?: *, *(?=[a-z])|$))*$`
    }))
  },
  /** `true`: an [audit](operations.md#audit) line for each decision; `required`: no signature without its line. */
  audit: { name: 'AUDIT', ...variable(oneOf('false', 'true', 'false', 'required')) },
  /** File of the audit, one for each instance. Default: standard output. */
  auditFile: { name: 'AUDIT_FILE', ...variable(text('the path of a file')) },
  /**
   * `true`: 503 instead of a signature if the function `audit` fails. Failures are logged at most every 10 seconds, and
   * counted by `payment_signature_audit_lines_lost_total`.
   */
  auditRequired: option(flag(false)),
  /** [Port](operations.md#admin-port) of metrics and probes. Default: none. */
  adminPort: { name: 'ADMIN_PORT', ...variable(text('a port number from 1 to 65535, 0 for any free port, or empty for none', { format: 'optional-port' })) },
  /** Requests that one caller or address may make in a window; 0 for no [limit](authorization.md#limit-rates). */
  rateLimitMax: { name: 'RATE_LIMIT_MAX', ...both(integer(0, 0, 1_000_000_000, 'a number of requests, or 0 for no limit')) },
  /** The window of the rate limit, in milliseconds. */
  rateLimitWindow: { name: 'RATE_LIMIT_WINDOW', ...both(milliseconds(60_000, 1)) },
  /** While Redis is down: `open` signs without a limit, `closed` refuses with 503. */
  rateLimitFail: { name: 'RATE_LIMIT_FAIL', ...both(oneOf('open', 'open', 'closed')) },
  /**
   * [Redis or Valkey](authorization.md#limit-rates) that counts for all instances, such as
   * `redis://:password@redis.internal:6379/0`. Default: each instance counts in its memory.
   */
  redisUrl: {
    name: 'REDIS_URL',
    ...both(text('a redis:// or rediss:// URL of one server, special characters in its password percent-encoded',
      { format: 'optional-redis-url' })),
    isSecret: true
  },
  /** Name or address of `ADMIN_PORT`; `0.0.0.0` in a container. */
  adminHost: { name: 'ADMIN_HOST', ...variable(host) },
  /** Time between SIGTERM and the [end of service](operations.md#stopping-an-instance), in milliseconds. */
  shutdownDelay: { name: 'SHUTDOWN_DELAY', ...variable(milliseconds(0, 0)) },
  /** Time-out of an idle connection, in milliseconds; above that of [your proxy](deploy.md#behind-a-reverse-proxy). */
  keepAliveTimeout: { name: 'KEEP_ALIVE_TIMEOUT', ...variable(milliseconds(72_000, 1000)) },
} as const satisfies Record<string, Setting>

type Settings = typeof settings
type SettingName = keyof Settings
type Value<Name extends SettingName> = Settings[Name]['schema']['default']

/** Values of the environment variables, under their names. */
export type Environment = {
  -readonly [Key in SettingName as Settings[Key] extends { name: infer Name extends string } ? Name : never]: Value<Key>
}

/** Values of those options of the plugin that are in the table. */
export type OptionValues = {
  [Name in keyof Settings as Settings[Name]['source'] extends 'environment' ? never : Name]: Value<Name>
}

const entries = Object.entries(settings) as Array<[SettingName, Setting]>

/** Settings that the environment has, with the names of their variables. */
export const variables = entries.flatMap(([key, setting]) =>
  setting.name === undefined ? [] : [{ ...setting, key, name: setting.name as keyof Environment }])

/** Settings that the plugin has, under the names of their options. */
export const pluginOptions = entries.filter(([, { source }]) => source !== 'environment')

/** Names of the environment variables whose values are never shown, not even if they are invalid. */
export const secrets = new Set<string>(variables.filter(({ isSecret }) => isSecret).map(({ name }) => name))

/** Defaults of the plugin's options. */
export const defaults =
  Object.fromEntries(pluginOptions.map(([name, { schema }]) => [name, schema.default])) as unknown as OptionValues

/** Returns the plugin's options that the environment sets. */
export const optionsOf = (config: Environment): Partial<OptionValues> & { policy?: string } => Object.fromEntries(
  variables.map(({ key, name, source, option = source === 'both' && key }) => [option, config[name]])
    .filter(([option, value]) => option !== false && value !== ''))
