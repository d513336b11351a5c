import { nearest } from './nearest.js'
import { synonyms, variables } from './settings.js'

/** Names of the variables, the longest first: MERCHANT_TOKEN_FILE_PATH begins with two of them. */
const names = variables.map(({ name }) => name).sort((a, b) => b.length - a.length)

/** Other programs have variables that are as short. */
const misspellable = names.filter(name => name.length > 4)

/** Too short, or too usual in the names of others, to say anything as a part of one: DB_HOST, OTEL_LOG_LEVEL. */
const usual = new Set(['HOST', 'PORT', 'DOCS', 'NODE_ENV', 'LOG_LEVEL', 'REDIS_URL'])

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
  return names.find(other => [other, ...synonyms[other] ?? []].some(word => lettersOf(word) === lettersOf(name))) ??
    nearest(name, misspellable) ??
    names.find(other => isExtended(name, other))
}

/** Production as people write it who mean it, except for how it has to be written. */
function looksLikeProduction (value: string): boolean {
  return value !== 'production' &&
    (/^\W*(?:prod|prd|live)/i.test(value) || nearest(value, ['production']) !== undefined)
}

/**
 * What looks like a variable of ours and is none, and a NODE_ENV that looks like production, a line each. Only names:
 * the values may be secrets.
 *
 * @param given - everything that is set, also what is none of ours
 */
export function variableWarnings (given: Readonly<Record<string, unknown>>): string[] {
  const warnings = Object.keys(given).flatMap(name => {
    const isOther = /^(?:(?:tcp|udp|sctp):\/\/.*)?$/.test(String(given[name])) // not set, or by Kubernetes for a service
    const meant = isOther ? undefined : meantBy(name)
    return meant === undefined ? [] : [`${name} is not a variable of this service, and has no effect; did you mean ${meant}?`]
  })
  if (looksLikeProduction(String(given.NODE_ENV ?? ''))) {
    warnings.push('NODE_ENV looks like production, and is not: only exactly production refuses the development token')
  }
  return warnings
}
