import { types } from 'node:util'
import type { FastifyServerOptions } from 'fastify'
import type { Audit } from './guards/audit/audit.js'
import type { Authorize } from './guards/authorize/answer.js'
import type { TokenOf } from './merchants/token-of.js'
import { ConfigurationError, environmentSchema, type Environment } from './settings/environment.js'

/**
 * Options of `createApp`: the environment variables, and the functions that these cannot give.
 *
 * @typeParam Context - the second argument of the handler
 */
export interface AppOptions<Context = unknown> {
  /** The [variables](configuration.md), under their names. Default: the process' environment and the file `.env`. */
  config?: { [name in keyof Environment]?: Environment[name] | undefined } | undefined
  /** Decides before anything is signed, instead of `AUTHORIZE_URL`. */
  authorize?: Authorize<Context> | undefined
  /** Returns the token of an account, instead of `MERCHANT_TOKEN`. */
  tokenOf?: TokenOf<Context> | undefined
  /** Records each decision, instead of `AUDIT_FILE`. */
  audit?: Audit | undefined
  /** Fastify's option; `false` for no log. `LOG_LEVEL` sets the level. Default: standard output. */
  logger?: NonNullable<FastifyServerOptions['logger']> | undefined
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

/** True for an object that has only members of its own: those of a class, a Map or a prototype would be ignored. */
function isPlain (value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  if (types.isProxy(value) || Reflect.ownKeys(value).length > Object.keys(value).length) return false
  return prototype === null || Object.hasOwn(prototype, 'isPrototypeOf') // an Object.prototype, also of another realm
}

type Check = readonly [isValid: (value: unknown) => boolean, allowed: string]

/** Checks of the options of an app, which callers without types need, and the text that completes "NAME must be …". */
const checks: Readonly<Record<keyof AppOptions, Check>> = {
  config: [isPlain, 'a plain object of variables; leave it out for those of the environment'],
  authorize: [isFunction, 'a function'],
  tokenOf: [isFunction, 'a function'],
  audit: [isFunction, 'a function'],
  logger: [value => typeof value === 'boolean' || (typeof value === 'object' && value !== null), 'Fastify\'s option: true, false or an object']
}

const overriding = 'config replaces the environment: to change one variable, leave config out and set process.env.NAME, ' +
  'or copy the variables of the service from process.env'

/** Yields the faults of variables that would be ignored. */
function * faultsOf (config: object): Generator<string> {
  const unknown = Object.keys(config).filter(name => !Object.hasOwn(environmentSchema.properties, name))
  const others = unknown.length > 5 ? ` and ${unknown.length - 5} others` : ''
  if (unknown.length > 0) yield `config has names that are no variables: ${unknown.slice(0, 5).join(', ')}${others}. ${overriding}`
  const empty = Object.keys(config).filter(name => (config as Record<string, unknown>)[name] === null)
  for (const name of empty) yield `config.${name} is null: leave it out`
}

/** @throws ConfigurationError `ERR_OPTIONS`: unknown or invalid options, or unknown names of variables */
export function assertOptions (options: object): void {
  if (!isPlain(options)) throw new ConfigurationError('the options must be a plain object', 'ERR_OPTIONS')
  const faults = Object.entries(options).filter(([, value]) => value !== undefined).flatMap(([name, value]) => {
    if (!Object.hasOwn(checks, name)) return [`${name} is not an option`]
    const [isValid, allowed] = checks[name as keyof AppOptions]
    return isValid(value) ? [] : [`${name} must be ${allowed}`]
  })
  const { config } = options as AppOptions
  if (typeof config === 'object' && config !== null) faults.push(...faultsOf(config))
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'), 'ERR_OPTIONS')
}
