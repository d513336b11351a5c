import { nearest } from './nearest.js'
import { variables, type Environment } from './settings.js'

/** Names of the variables, the longest first: MERCHANT_TOKEN_FILE_PATH begins with two of them. */
const names = variables.map(({ name }) => name).sort((a, b) => b.length - a.length)

/** Names that are compared with misspelt names. Shorter names resemble variables of other programs. */
const misspellable = names.filter(name => name.length > 4)

/** Names that other programs use as a part of their names, such as DB_HOST and OTEL_LOG_LEVEL. */
const usual = new Set(['HOST', 'PORT', 'NODE_ENV', 'LOG_LEVEL', 'REDIS_URL'])

/** Matches variables that Kubernetes sets for each service, such as AUDIT_SERVICE_HOST and AUDIT_PORT_80_TCP. */
const serviceLink = /_(?:SERVICE|PORT)(?:_|$)/

const lettersOf = (name: string): string => name.replace(/[^A-Z0-9]/g, '')

/** True if a name is a variable of this service with more text before or after it. */
function isExtended (name: string, other: string): boolean {
  if (name.replace(/^(?:ENABLE|USE|PAYMENT_SIGNATURE(?:_BACKEND)?)_/, '') === other) return other.length > 4
  return !usual.has(other) && name.startsWith(`${other}_`) && !serviceLink.test(name)
}

/** Returns the variable of this service that a name probably means; undefined for names of other programs. */
function meantBy (given: string): string | undefined {
  if (names.some(name => name === given)) return undefined
  const name = given.toUpperCase()
  return names.find(other => lettersOf(other) === lettersOf(name)) ??
    nearest(name, misspellable) ??
    names.find(other => isExtended(name, other))
}

/** True for a value that probably means `production` but is spelt differently. */
function looksLikeProduction (value: string): boolean {
  return value !== 'production' &&
    (/^\W*(?:prod|prd|live)/i.test(value) || nearest(value, ['production']) !== undefined)
}

/**
 * Returns a line for each variable whose name resembles a variable of the service, and for a NODE_ENV that resembles
 * `production`, and for NODE_TLS_REJECT_UNAUTHORIZED=0. The lines contain no values, which may be secrets.
 *
 * @param given - all variables of the environment
 */
export function variableWarnings (given: Readonly<Record<string, unknown>>): string[] {
  const warnings = Object.keys(given).flatMap(name => {
    const isOther = /^(?:(?:tcp|udp|sctp):\/\/.*)?$/.test(String(given[name])) // empty, or set by Kubernetes for a service
    const meant = isOther ? undefined : meantBy(name)
    return meant === undefined ? [] : [`${name} is not a variable of this service, and has no effect; did you mean ${meant}?`]
  })
  if (looksLikeProduction(String(given.NODE_ENV ?? ''))) {
    warnings.push('NODE_ENV looks like production, and is not: only exactly production refuses the development token')
  }
  if (given.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    warnings.push('NODE_TLS_REJECT_UNAUTHORIZED is 0: anybody on the way can imitate your backend and Redis; set NODE_EXTRA_CA_CERTS instead')
  }
  return warnings
}

/** Words, host names (RFC 2606) and addresses (RFC 5737) that stand for a user's own value. */
const placeholder = new RegExp([
  String.raw`\b(?:PASTE|FILL.?IN|CHANGE.?ME)\b`,
  String.raw`(?:[.@]|//)example(?:\.(?:com|net|org))?(?![\w.-])`,
  String.raw`\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d`
].join('|'), 'i')

/** Returns a line for each variable that still has a placeholder. */
export const placeholderFaults = (config: Environment): string[] => variables.flatMap(({ name }) => {
  const found = placeholder.exec(String(config[name]))?.[0]
  return found === undefined ? [] : [`${name} still has the placeholder "${found}": put your own value in its place`]
})

/** Variables of earlier commits and what replaces each. A service that ignored one would run with other limits. */
const dropped: Readonly<Record<string, string>> = {
  AUTHORIZE_MAX_IN_FLIGHT: '256 requests may wait for your backend',
  BODY_LIMIT: 'a body has at most 100 KiB',
  DOCS: '/openapi.json is always served',
  KEY_FAILURE_MAX: 'an address has 20 requests without a known key in a minute',
  MAX_CONNECTIONS: 'memory and the limit of open files (ulimit -n) determine the number',
  RATE_LIMIT_NAME: 'limits with the same Redis database and window count together',
  REDIS_TLS_CERT_FILE: 'REDIS_URL has no client certificate',
  REDIS_TLS_KEY_FILE: 'REDIS_URL has no client certificate',
  REUSE_PORT: 'give each process a PORT of its own, behind a proxy',
  TIME_STAMP_MAX_AHEAD: 'under STRICT a time stamp may be a day ahead'
}

/** Returns a line for each variable that is gone. */
export const droppedFaults = (given: Readonly<Record<string, unknown>>): string[] => Object.entries(dropped)
  .filter(([name]) => (given[name] ?? '') !== '')
  .map(([name, instead]) => `${name} is gone; ${instead}: leave it out`)
