import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import type { TokenOf } from '../merchants/merchant.js'
import type { Redactor } from '../merchants/redactor.js'
import type { Signer } from '../scheme/signer.js'
import { environmentSchema, type Environment } from '../settings/environment.js'
import type { Audit } from './audit.js'
import type { Authorize } from './authorize.js'

/**
 * Options of `createApp`: the environment variables, and the functions that these cannot give.
 *
 * @typeParam Context - result of the option `context`
 */
export interface AppOptions<Context = unknown> {
  /** The [variables](configuration.md), under their names. Default: the process' environment and the file `.env`. */
  config?: { [name in keyof Environment]?: Environment[name] | undefined } | undefined
  /** Decides before anything is signed, instead of `AUTHORIZE_URL`. */
  authorize?: Authorize<Context> | undefined
  /**
   * Returns your data about a request, such as its user, for `authorize` and `tokenOf`. A member `auditAs`, a number or
   * 1 to 64 printable characters, is `user` in the audit. An error with a `statusCode` is the response.
   */
  context?: ((request: FastifyRequest) => Context | Promise<Context>) | undefined
  /** Returns the token of an account, instead of `MERCHANT_TOKEN`. */
  tokenOf?: TokenOf<Context> | undefined
  /** Signs, instead of a variant with a token. */
  signer?: Signer | undefined
  /** Records each decision, instead of `AUDIT_FILE`. With `AUDIT` set to `required`, 503 if it fails. */
  audit?: Audit | undefined
  /** Interval in which files are read again, in milliseconds. Default: 10000. */
  pollInterval?: number | undefined
  /** Fastify's option; `false` for no log. `LOG_LEVEL` sets the level. Default: standard output. */
  logger?: NonNullable<FastifyServerOptions['logger']> | undefined
  /** Hides the token in the log. Pass your own to redact errors of `ready()`, too. */
  redactor?: Redactor | undefined
  /** True: only check the configuration, without creating a file or connecting to Redis. Default: false. */
  dryRun?: boolean | undefined
}

/** Error for unknown or invalid options. The message has a line without a secret for each fault. */
export class OptionsError extends TypeError {
  override readonly name = 'OptionsError'
  readonly code = 'ERR_OPTIONS'
}

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isInterval = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 3_600_000
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
const isSigner = (value: unknown): boolean => isFunction(Object(value).read) && isFunction(Object(value).signReading)

/** Checks of the options of an app, which callers without types need, and the text that completes "NAME must be …". */
const rules: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, allowed: string]>> = {
  config: [isObject, 'an object of variables'],
  authorize: [isFunction, 'a function'],
  context: [isFunction, 'a function'],
  tokenOf: [isFunction, 'a function'],
  audit: [isFunction, 'a function'],
  signer: [isSigner, 'an object with the methods read and signReading, such as a VariantA'],
  pollInterval: [isInterval, 'a number of milliseconds from 1 to 3600000']
}

/** @throws OptionsError `ERR_OPTIONS`: unknown or invalid options, or unknown names of variables */
export function assertOptions (options: { readonly config?: object | undefined }): void {
  const faults = Object.entries(options).filter(([, value]) => value !== undefined).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) return [`${name} is not an option`]
    return rule[0](value) ? [] : [`${name} must be ${rule[1]}`]
  })
  const names = isObject(options.config) ? Object.keys(options.config as object) : []
  const unknown = names.filter(name => !Object.hasOwn(environmentSchema.properties, name))
  faults.push(...unknown.map(name => `config.${name} is not a variable`))
  if (faults.length > 0) throw new OptionsError(faults.join('\n'))
}
