import { isIP } from 'node:net'
import { httpUrlIn, isRedisUrl } from './urls.js'
import { secrets, variables, type Environment, type Setting } from './settings.js'

/** Error for a configuration that cannot be used. The message has a line without a secret for each fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly code = 'ERR_CONFIGURATION'
}

const listOf = (text: string): string[] => text === '' ? [] : text.split(',').map(item => item.trim())

/** Returns the origins of CORS_ORIGIN, or `*`. */
export function allowedOrigins (text: string): '*' | string[] {
  return text === '*' ? '*' : listOf(text)
}

/** Returns the addresses and CIDRs of TRUST_PROXY. */
export const trustedProxies = listOf

function isOrigin (text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/.test(text)) return false
  // A browser sends an http(s) origin as URL.origin writes it; apps send others, such as capacitor://localhost.
  return !text.startsWith('http') || (URL.canParse(text) && new URL(text).origin === text)
}

/** Longest prefix of a CIDR, by the version of IP. */
const maxPrefix: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

// Without this check, proxy-addr reads "1" as 0.0.0.1, and accepts names and netmasks.
function isAddressOrCidr (text: string): boolean {
  const [, address = '', prefix = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return Number(prefix) > 0 && Number(prefix) <= (maxPrefix[isIP(address)] ?? 0)
}

/** Returns the log level of routes that are requested every few seconds: `warn`, or LOG_LEVEL if it is higher. */
export const quietLogLevel = ({ LOG_LEVEL }: Environment): 'warn' | 'error' | 'fatal' | 'silent' =>
  LOG_LEVEL === 'error' || LOG_LEVEL === 'fatal' || LOG_LEVEL === 'silent' ? LOG_LEVEL : 'warn'

/** Checks of texts for which a pattern does not suffice. */
export const formats = {
  'cors-origin': (text: string) => {
    const origins = allowedOrigins(text)
    return origins === '*' || (origins.length > 0 && origins.every(isOrigin))
  },
  'trust-proxy': (text: string) => trustedProxies(text).every(isAddressOrCidr),
  'optional-http-url': (text: string) => text === '' || (text.startsWith('http') && httpUrlIn(text) !== undefined),
  'optional-redis-url': (text: string) => text === '' || isRedisUrl(text),
  'optional-port': (text: string) => text === '' || (/^\d{1,5}$/.test(text) && Number(text) <= 65535)
}

/** True for a value that a setting allows. */
export function allows ({ schema }: Setting, value: unknown): boolean {
  const { decimal, pattern = '', format } = schema
  if (decimal !== undefined) return Number.isInteger(value) && Number(value) >= decimal.minimum && Number(value) <= decimal.maximum
  if (typeof schema.default === 'boolean') return typeof value === 'boolean'
  return typeof value === 'string' && new RegExp(pattern).test(value) && (format === undefined || formats[format](value))
}

/** Returns the value of a variable, which is text in an environment. `Number` alone would also accept 0x1F90 and 1e4. */
function valueOf ({ schema }: Setting, given: unknown): unknown {
  if (schema.decimal !== undefined) return typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  if (typeof schema.default === 'boolean') return given === 'true' || (given === 'false' ? false : given)
  return typeof given === 'number' || typeof given === 'boolean' ? String(given) : given
}

/**
 * Returns the values of all variables.
 *
 * @throws ConfigurationError a value is not allowed
 */
export function environmentOf (given: Readonly<Record<string, unknown>>): Environment {
  const faults: string[] = []
  const entries = variables.map(setting => {
    const { name, schema } = setting
    const text = given[name]
    if (text === undefined) return [name, schema.default]
    const value = valueOf(setting, text)
    if (!allows(setting, value)) {
      const isHidden = secrets.has(name) || name === 'MERCHANT_TOKEN_KCV' // its value may be the token, by mistake
      const shown = text === '' ? 'empty' : isHidden ? 'unusable' : JSON.stringify(text)
      faults.push(`${name} is ${shown}; it must be ${schema.description}`)
    }
    return [name, value]
  })
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'))
  return Object.fromEntries(entries)
}
