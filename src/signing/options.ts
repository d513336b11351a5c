import type { FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Policy } from '../guard/policy-schema.js'
import { httpUrlIn, isRedisUrl } from '../settings/environment.js'
import type { Decision } from './audit.js'
import type { Authorize } from './authorize.js'

/** Options of the guards. Without options, all guards are off, as the specification requires. */
export interface GuardOptions<Context = unknown> {
  /** Path of the route, after Fastify's own `prefix`. Default: `/api/generate-signature`. */
  path?: string | undefined
  /** True: refuse a request whose signature could be that of another operation. `report`: only report it. */
  strict?: boolean | 'report' | undefined
  /** Number of digits of an account number under `strict`. Default: 6. */
  accountNumberDigits?: number | undefined
  /** A [policy](authorization.md#name-the-callers-a-policy), or the path of its file. Implies `strict`. */
  policy?: Policy | string | undefined
  /** Requests that one caller or address may make in a window; 0 for no limit. Default: 0. */
  rateLimitMax?: number | undefined
  /** In milliseconds. Default: 60000. */
  rateLimitWindow?: number | undefined
  /** While Redis is down: `open` signs without a limit, `closed` refuses with 503. Default: `open`. */
  rateLimitFail?: 'open' | 'closed' | undefined
  /** URL of the Redis or Valkey that counts for all instances. Default: each instance counts in its memory. */
  redisUrl?: string | undefined
  /**
   * Decides before anything is signed: a function, or the URL of [your
   * backend](authorization.md#let-your-backend-decide).
   */
  authorize?: Authorize<Context> | string | undefined
  /** In milliseconds. Default: 2000. */
  authorizeTimeout?: number | undefined
  /**
   * Returns the app's data about a request, such as its user, for `authorize` and `merchantToken`. A member
   * `auditAs`, a number or 1 to 64 printable characters, is `user` in the audit. An error with a `statusCode` is the
   * response.
   */
  context?: ((request: FastifyRequest) => Context | Promise<Context>) | undefined
  /** Records each decision before its response: `true` in the app's log, or a function. */
  audit?: boolean | ((decision: Decision) => unknown) | undefined
  /** True: 503 instead of a signature if the function `audit` fails. Default: false. */
  auditRequired?: boolean | undefined
  /** Interval in which files are read again, in milliseconds. Default: 10000. */
  pollInterval?: number | undefined
  /** Registry of prom-client for the metrics. Default: no metrics. */
  metrics?: Registry | undefined
}

const isString = (value: unknown): value is string => typeof value === 'string'
const isFunction = (value: unknown): boolean => typeof value === 'function'
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
const isIn = (least: number, most: number) => (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

/** A check, and the text that completes "NAME must be …". */
type Rule = readonly [isValid: (value: unknown) => boolean, allowed: string]

/** Checks of the options, which callers without types need. */
const rules: Readonly<Record<string, Rule>> = {
  path: [value => isString(value) && /^\/[^?#]*$/.test(value), 'a path that begins with /, without ? and #'],
  strict: [value => [true, false, 'report'].includes(value as boolean), 'true, false or report'],
  accountNumberDigits: [isIn(1, 32), 'an integer from 1 to 32'],
  policy: [value => isString(value) || isObject(value), 'the path of a policy, or the policy itself'],
  rateLimitMax: [isIn(0, 1_000_000_000), 'a number of requests, or 0 for no limit'],
  rateLimitWindow: [isIn(1, 3_600_000), 'a number of milliseconds from 1 to 3600000'],
  rateLimitFail: [value => value === 'open' || value === 'closed', 'open or closed'],
  redisUrl: [value => isString(value) && isRedisUrl(value), 'a redis:// or rediss:// URL of one server'],
  authorize: [
    value => isFunction(value) || (isString(value) && httpUrlIn(value) !== undefined),
    'a function, or an http or https URL without a user or a password'
  ],
  authorizeTimeout: [isIn(1, 10_000), 'a number of milliseconds from 1 to 10000'],
  context: [isFunction, 'a function'],
  audit: [value => typeof value === 'boolean' || isFunction(value), 'true, false or a function'],
  auditRequired: [value => typeof value === 'boolean', 'true or false'],
  pollInterval: [isIn(1, 3_600_000), 'a number of milliseconds from 1 to 3600000'],
  metrics: [value => isFunction(Object(value).registerMetric), 'a Registry of prom-client'],
  signer: [
    value => isFunction(Object(value).read) && isFunction(Object(value).signReading),
    'an object with the methods read and signReading, such as a VariantA'
  ],
  merchants: [isString, 'the path of a file of merchants'],
  schema: [isObject, 'an object']
}

/** Options of Fastify, and options that are checked where they are used. */
const others = ['prefix', 'logLevel', 'logSerializers', 'variant', 'merchantToken']

/** Error for unknown or invalid options of the plugin. The message has a line without a secret for each fault. */
export class OptionsError extends TypeError {
  override readonly name = 'OptionsError'
  readonly code = 'ERR_OPTIONS'
}

/** @throws OptionsError `ERR_OPTIONS`: unknown or invalid options */
export function assertOptions (options: object): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const faults = given.filter(([name]) => !others.includes(name)).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) return [`${name} is not an option`]
    return rule[0](value) ? [] : [`${name} must be ${rule[1]}`]
  })
  const { strict, policy, audit, auditRequired } = options as GuardOptions
  const sources = given.map(([name]) => name).filter(name => ['signer', 'merchants', 'merchantToken'].includes(name))
  if (sources.length > 1) faults.push(`${sources.join(' and ')} are both set; set only one of them`)
  const isBeside = sources.length === 1 && sources[0] !== 'merchantToken' && given.some(([name]) => name === 'variant')
  if (isBeside) faults.push(`variant and ${sources[0]} are both set; leave variant out`)
  if (strict === 'report' && policy !== undefined) faults.push('strict is report, but a policy needs strict fields')
  if (auditRequired === true && !isFunction(audit)) faults.push('auditRequired needs a function audit')
  if (faults.length > 0) throw new OptionsError(faults.join('\n'))
}
