import type { FastifyInstance } from 'fastify'
import { RefusedError } from '../../http/refusals.js'
import type { Reading } from '../../scheme/request.js'
import { hash256 } from '../../scheme/signer.js'
import { ConfigurationError, isProduction } from '../../settings/environment.js'
import { watchFile } from '../../settings/watch-file.js'
import { readJsonFile, reasonOf } from '../../text/read-file.js'
import type { Caller, Guard } from '../attempt.js'
import { digestsOf, isAnonymous, listingRight, policyFaults, type Policy, type PolicyCaller } from './policy-schema.js'
import { alsoSignedLike } from '../../scheme/same-signature.js'

/** Matches JSON with the beginning of a digest in the policies of documents and examples. Nobody has their keys. */
export const documentedDigests = /"(?:5e3f8e11cf4fefe4|f397f2d2c8d9a2a8)/

/** Returns the caller of an Authorization header; undefined for an unknown one. */
type CallerOf = (authorization?: string) => Caller | undefined

/** Returns the API key of an Authorization header; undefined without the scheme Bearer and one key. */
const keyIn = (authorization: string): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization)?.[1]

/**
 * Returns a function that finds the caller of an Authorization header. Its time does not depend on how many characters
 * of a key are right: a Map compares whole digests only if their seeded hashes are equal. Without keys in the policy
 * the header is ignored: it may be for the backend.
 */
export function callerFinder ({ callers }: Policy): CallerOf {
  const anonymous = callers.find(isAnonymous)
  const byDigest = new Map(callers.flatMap(caller => digestsOf(caller)
    .map((digest): [string, Caller] => [digest, { ...caller, keyId: digest.slice(0, 6) }])))
  return authorization => {
    if (authorization === undefined || byDigest.size === 0) return anonymous
    const key = keyIn(authorization)
    // eslint-disable-next-line local/constant-time -- see above
    return key === undefined ? undefined : byDigest.get(hash256(key))
  }
}

/** Returns the refusal of a request without a known API key. */
export function unknownCaller (authorization = ''): RefusedError {
  return keyIn(authorization) === undefined
    ? new RefusedError('api-key-required', undefined, { headers: { 'www-authenticate': 'Bearer' } })
    : new RefusedError('api-key-unknown', undefined, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
}

/** Member of a caller that refuses a request, and the message for the client. */
interface PolicyRefusal {
  readonly rule: 'operations' | 'accountNumbers' | 'maximumAmount'
  readonly message: string
}

/** Returns the refusal of a request that matches the strict grammar; undefined if the caller may have it signed. */
export function policyRefusalOf (caller: PolicyCaller, reading: Reading): PolicyRefusal | undefined {
  const { name, operations, accountNumbers, maximumAmount = Infinity } = caller
  const { operation, accountNumber, referenceNumber, amount } = reading
  const refuse = (rule: PolicyRefusal['rule'], what: string): PolicyRefusal =>
    ({ rule, message: `caller "${name}" may not sign ${what} (${rule})` })
  const other = alsoSignedLike(reading)
  const right = other === 'inquiry' || other === 'clearCache' ? listingRight : operation
  if (!(operations as readonly string[]).includes(right)) {
    if (right === operation) return refuse('operations', 'this operation')
    const what = operation === 'inquiry' ? 'an inquiry without a transactionId' : 'a clear cache'
    return refuse('operations', `${what}: the right "${listingRight}" is missing`)
  }
  if (other === 'void' && !operations.includes('void')) {
    return refuse('operations', `this inquiry: its signature is also that of a void on FCRN ${referenceNumber}`)
  }
  if (!accountNumbers.includes(accountNumber)) return refuse('accountNumbers', 'for this account')
  // At most 14 digits, so different amounts are different numbers.
  return Number(amount) > Number(maximumAmount) ? refuse('maximumAmount', `an amount above ${maximumAmount}`) : undefined
}

/** Refuses a request that its caller may not have signed. */
export const policyGuard: Guard = ({ reading, attempt }) => {
  const refusal = policyRefusalOf(attempt.caller!, reading) // strangers were refused on arrival
  if (refusal !== undefined) throw new RefusedError('policy', refusal.message, { reason: refusal.rule })
}

/**
 * Loads the policy of POLICY_FILE, and again when the file changes. Returns undefined without one.
 *
 * @param hasAuthorize - true if more than the policy decides
 * @throws ConfigurationError `ERR_POLICY`: the policy cannot be used
 */
export async function loadPolicy (app: FastifyInstance, hasAuthorize: boolean): Promise<CallerOf | undefined> {
  const { POLICY_FILE: path, ACCOUNT_NUMBER_DIGITS: digits, REDIS_URL, RATE_LIMIT_MAX } = app.config
  if (path === '') return undefined
  const name = `POLICY_FILE is "${path}"`
  let inUse: Buffer | undefined
  let judgedFor = ''
  let callerOf: CallerOf

  async function use (): Promise<boolean> {
    const { variant } = app.merchants // a reload of their file may change it
    const content = await readJsonFile(path, variant === judgedFor ? inUse : undefined).catch(cause => {
      throw new ConfigurationError(`${name}, which cannot be used: ${reasonOf(cause)}`, 'ERR_POLICY', { cause })
    })
    if (content === undefined) return false
    const faults = policyFaults(content.value, variant, digits)
    if (faults.length > 0) throw new ConfigurationError(faults.map(fault => `${name}: ${fault}`).join('\n'), 'ERR_POLICY')
    const policy = content.value as Policy
    if (REDIS_URL !== '' && RATE_LIMIT_MAX === 0 && policy.callers.every(({ rate }) => rate === undefined)) {
      const fault = `${name}: no caller has a rate, so REDIS_URL limits nothing; set RATE_LIMIT_MAX`
      if (inUse === undefined) throw new ConfigurationError(fault, 'ERR_POLICY')
      app.log.warn(`${fault}, or the next start refuses it`) // the caller that had the rate may be a thief: it ends now
    }
    callerOf = callerFinder(policy)
    inUse = content.bytes
    judgedFor = variant
    if (!isProduction(app.config)) return true
    const isOpen = callerOf() !== undefined && !hasAuthorize
    if (isOpen) app.log.warn('open: nothing checks order and price for callers without a key (set AUTHORIZE_URL, or authorize)')
    if (documentedDigests.test(String(inUse))) app.log.warn(`${name}: paste a digest of new-key over that of the documents`)
    return true
  }
  await use()
  watchFile(app, 'POLICY_FILE', use)
  return authorization => callerOf(authorization)
}
