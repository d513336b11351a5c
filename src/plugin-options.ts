import leven from 'leven'
import type { PaymentSignatureOptions } from './fastify.js'
import { Environment, formats } from './service/configuration.js'

/** Options of the plugin cannot be meant. The message has a line for each, and nothing of a secret. */
export class OptionsError extends TypeError {
  override readonly name = 'OptionsError'
  readonly code = 'ERR_OPTIONS'
}

/** Whether a value can be meant; and what completes "NAME must be …". */
type Rule = readonly [isValid: (value: unknown) => boolean, allowed: string]

const oneOf = (types: readonly string[], allowed: string): Rule => [value => types.includes(typeof value), allowed]

const flag = oneOf(['boolean'], 'true or false')
const object = oneOf(['object'], 'an object')
const anything: Rule = [() => true, ''] // which is checked where it is used

interface Schema {
  readonly decimal?: { readonly minimum: number, readonly maximum: number }
  readonly pattern?: string
  readonly format?: string
  readonly description: string
}

/** What a variable of the environment may be, so may the option of its name; but a number is one, and no text. */
function as (name: keyof typeof Environment.properties): Rule {
  const { decimal, pattern = '', format, description } = Environment.properties[name] as unknown as Schema
  if (decimal !== undefined) {
    const { minimum, maximum } = decimal
    return [value => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum, description]
  }
  const isOfFormat = formats[format as keyof typeof formats] ?? (() => true)
  return [value => typeof value === 'string' && new RegExp(pattern).test(value) && isOfFormat(value), description]
}

type Name = keyof PaymentSignatureOptions | 'prefix' | 'logLevel' | 'logSerializers'

const rules: Readonly<Record<Name, Rule>> = {
  prefix: anything, // these three are Fastify's
  logLevel: anything,
  logSerializers: anything,
  variant: anything,
  merchantToken: anything,
  signer: [
    value => ['read', 'signReading'].every(name => typeof (value as Record<string, unknown> | null)?.[name] === 'function'),
    'an object with the methods read and signReading, such as a VariantA'
  ],
  path: [value => typeof value === 'string' && value.startsWith('/'), 'a path that begins with /'],
  bodyLimit: as('BODY_LIMIT'),
  acceptBodyToken: flag,
  strict: flag,
  accountNumberDigits: as('ACCOUNT_NUMBER_DIGITS'),
  timeStampMaxAhead: as('TIME_STAMP_MAX_AHEAD'),
  policy: oneOf(['string', 'object'], 'the path of a policy, or the policy itself'),
  policySetting: oneOf(['string'], 'a name'),
  policyPollInterval: [value => Number.isInteger(value) && Number(value) > 0, 'a number of milliseconds above 0'],
  watchedFiles: object,
  isProduction: flag,
  keyFailureMax: as('KEY_FAILURE_MAX'),
  authorize: oneOf(['function'], 'a function'),
  authorizeUrl: as('AUTHORIZE_URL'),
  authorizeTimeout: as('AUTHORIZE_TIMEOUT'),
  authorizeMaxInFlight: as('AUTHORIZE_MAX_IN_FLIGHT'),
  rateLimitMax: as('RATE_LIMIT_MAX'),
  rateLimitWindow: as('RATE_LIMIT_WINDOW'),
  rateLimitFail: as('RATE_LIMIT_FAIL'),
  redisUrl: as('REDIS_URL'),
  redisTlsCertFile: as('REDIS_TLS_CERT_FILE'),
  redisTlsKeyFile: as('REDIS_TLS_KEY_FILE'),
  audit: oneOf(['boolean', 'function'], 'true, false or a function'),
  auditRequired: flag,
  metrics: oneOf(['object'], 'a Registry of prom-client'),
  isOverloaded: oneOf(['function'], 'a function')
}

const names = Object.keys(rules)

/** What was given, without what may be a secret. */
function kindOf (value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

function * faultsIn (options: Readonly<Record<string, unknown>>): Generator<string> {
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name as Name]
    if (rule === undefined) {
      const [meant] = names.filter(known => leven(known.toLowerCase(), name.toLowerCase(), { maxDistance: 3 }) < 3)
      yield `${name} is not an option${meant === undefined ? '' : `; did you mean ${meant}?`}`
    } else if (value !== undefined && !rule[0](value)) {
      yield `${name} must be ${rule[1]}; it is ${kindOf(value)}`
    }
  }
  if (options.signer !== undefined && options.merchantToken !== undefined) yield 'give a signer or a merchantToken, not both'
  if (options.authorize !== undefined && options.authorizeUrl) yield 'give authorize or authorizeUrl, not both'
  if (options.auditRequired === true && !options.audit) yield 'auditRequired needs audit: true, or a function'
}

/** @throws OptionsError options that the plugin does not know, or that cannot be meant */
export function assertOptions (options: object): void {
  const faults = [...faultsIn(options as Record<string, unknown>)]
  if (faults.length > 0) throw new OptionsError(faults.join('\n'))
}
