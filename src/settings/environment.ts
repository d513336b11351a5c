import { isIP } from 'node:net'
import { httpUrlIn, isRedisUrl } from './urls.js'
import { variables, type Environment, type ValueSchema } from './settings.js'

/** JSON Schema of the environment that the service reads. */
export const environmentSchema = {
  type: 'object',
  properties: Object.fromEntries(variables.map(({ name, schema }) => [name, schema]))
} as const

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

type Bounds = NonNullable<ValueSchema['decimal']>

/** Position of a value, as Ajv reports it. */
type Place = Record<'parentData', Record<string | number, unknown>> & Record<'parentDataProperty', string | number>

/**
 * Checks the keyword `decimal` of {@link environmentSchema}: an integer within the bounds, as a number or in decimal
 * digits. Writes the number to `place`. Ajv's own conversion would also accept 0x1F90 and 1e4.
 */
export function isDecimal ({ minimum, maximum }: Bounds, given: unknown, _schema: unknown, place: Place): boolean {
  const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  if (!Number.isInteger(number) || (number as number) < minimum || (number as number) > maximum) return false
  place.parentData[place.parentDataProperty] = number
  return true
}

/** Formats of {@link environmentSchema}. */
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
