import { formats } from './environment.js'
import { nearest } from './nearest.js'
import { reportOnlyFaults } from './modes.js'
import { pluginOptions, type Setting } from './settings.js'

/** Error for unknown or invalid options of the plugin. The message has a line without a secret for each fault. */
export class OptionsError extends TypeError {
  override readonly name = 'OptionsError'
  readonly code = 'ERR_OPTIONS'
}

/** Check of an option's value, and the text that completes "NAME must be …". */
type Rule = readonly [isValid: (value: unknown) => boolean, allowed: string]

const oneOf = (types: readonly string[], allowed: string): Rule => [value => types.includes(typeof value), allowed]

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

const hasMethods = (value: unknown, names: readonly string[]): boolean =>
  names.every(name => typeof (value as Record<string, unknown> | null)?.[name] === 'function')

/** Options of Fastify, and options that are checked where they are used. */
const unchecked = ['prefix', 'logLevel', 'logSerializers', 'variant', 'merchantToken'] as const

/** Returns the rule of a setting, without the conversion of text that environment variables need. */
function ruleOf ({ schema: { type, decimal, pattern = '', format, description } }: Setting): Rule {
  if (type === 'boolean') return oneOf(['boolean'], description)
  if (decimal !== undefined) {
    const { minimum, maximum } = decimal
    return [value => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum, description]
  }
  const isOfFormat = format === undefined ? () => true : formats[format]
  return [value => typeof value === 'string' && new RegExp(pattern).test(value) && isOfFormat(value), description]
}

const rules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(pluginOptions.map(([name, setting]) => [name, ruleOf(setting)])),
  ...Object.fromEntries(unchecked.map(name => [name, [() => true, '']])),
  ...{
    signer: [
      value => hasMethods(value, ['read', 'signReading']),
      'an object with the methods read and signReading, such as a VariantA'
    ],
    merchants: oneOf(['string'], 'the path of a file of merchants'),
    policy: [value => typeof value === 'string' || isObject(value), 'the path of a policy, or the policy itself'],
    watchedFiles: [Array.isArray, 'an array'],
    isProduction: oneOf(['boolean'], 'true or false'),
    authorize: oneOf(['function'], 'a function'),
    context: oneOf(['function'], 'a function'),
    schema: [isObject, 'an object'],
    audit: oneOf(['boolean', 'function'], 'true, false or a function'),
    metrics: [value => hasMethods(value, ['registerMetric', 'getSingleMetric']), 'a Registry of prom-client'],
    isOverloaded: oneOf(['function'], 'a function')
  } satisfies Record<string, Rule>
}

/** Describes a value without its text, which may be a secret. */
function kindOf (value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

function * faultsIn (options: Readonly<Record<string, unknown>>): Generator<string> {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) {
      const meant = nearest(name, Object.keys(rules))
      yield `${name} is not an option${meant === undefined ? '' : `; did you mean ${meant}?`}`
    } else if (value !== undefined && !rule[0](value)) {
      yield `${name} must be ${rule[1]}; it is ${kindOf(value)}`
    }
  }
  if (options.signer !== undefined && options.merchantToken !== undefined) yield 'signer and merchantToken are both set; set only one of them'
  const replaced = ['signer', 'variant', 'merchantToken', 'acceptBodyToken'].filter(name => Boolean(options[name]))
  if (options.merchants !== undefined) for (const name of replaced) yield `merchants and ${name} are both set; leave ${name} out`
  if (options.authorize !== undefined && options.authorizeUrl) yield 'authorize and authorizeUrl are both set; set only one of them'
  if (typeof options.reportOnly === 'string') yield * reportOnlyFaults(options).map(fault => `reportOnly ${fault}`)
  if (options.auditRequired === true && !options.audit) yield 'auditRequired needs audit: true, or a function'
}

/** @throws OptionsError `ERR_OPTIONS`: unknown or invalid options */
export function assertOptions (options: object): void {
  const faults = [...faultsIn(options as Record<string, unknown>)]
  if (faults.length > 0) throw new OptionsError(faults.join('\n'))
}
