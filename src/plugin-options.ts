import { formats } from './service/configuration.js'
import { nearest } from './service/nearest.js'
import { pluginOptions, type Setting } from './service/settings.js'

/** Options of the plugin cannot be meant. The message has a line for each, and nothing of a secret. */
export class OptionsError extends TypeError {
  override readonly name = 'OptionsError'
  readonly code = 'ERR_OPTIONS'
}

/** Whether a value can be meant; and what completes "NAME must be …". */
type Rule = readonly [isValid: (value: unknown) => boolean, allowed: string]

const oneOf = (types: readonly string[], allowed: string): Rule => [value => types.includes(typeof value), allowed]

/** Three options of Fastify, and two that are checked where they are used. */
const unchecked = ['prefix', 'logLevel', 'logSerializers', 'variant', 'merchantToken'] as const

/** Returns the rule of the variable of that name, except that text is not converted. */
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
      value => ['read', 'signReading'].every(name => typeof (value as Record<string, unknown> | null)?.[name] === 'function'),
      'an object with the methods read and signReading, such as a VariantA'
    ],
    policy: oneOf(['string', 'object'], 'the path of a policy, or the policy itself'),
    policySetting: oneOf(['string'], 'a name'),
    watchedFiles: oneOf(['object'], 'an object'),
    isProduction: oneOf(['boolean'], 'true or false'),
    authorize: oneOf(['function'], 'a function'),
    context: oneOf(['function'], 'a function'),
    schema: oneOf(['object'], 'an object'),
    audit: oneOf(['boolean', 'function'], 'true, false or a function'),
    metrics: oneOf(['object'], 'a Registry of prom-client'),
    isOverloaded: oneOf(['function'], 'a function')
  } satisfies Record<string, Rule>
}

/** What was given, without what may be a secret. */
function kindOf (value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

function * faultsIn (options: Readonly<Record<string, unknown>>): Generator<string> {
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name]
    if (rule === undefined) {
      const meant = nearest(name, Object.keys(rules))
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
