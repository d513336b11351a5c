import type { FastifyInstance } from 'fastify'
import { callerFinder, type IdentifiedCaller } from '../guard/policy.js'
import type { Policy } from '../guard/policy-schema.js'
import { isProduction } from '../settings/environment.js'
import { readJsonFile } from '../text/json-file.js'
import { watchFile } from './watch-file.js'

/** Error for a policy that cannot be used. The message has a line for each fault. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
  readonly code = 'ERR_POLICY'
}

/** Matches the beginning of the digests in the policies of documents and examples. Nobody has their keys. */
const documentedDigests = /"(?:5e3f8e11cf4fefe4|f397f2d2c8d9a2a8)/

/** Returns the caller of the SHA-256 of a key; undefined for an unknown one. */
type CallerOf = (digest?: string) => IdentifiedCaller | undefined

/**
 * Loads the policy of POLICY_FILE, and again when the file changes.
 *
 * @param hasAuthorize - true if more than the policy decides
 * @param interval - in which the file is read again, in milliseconds
 * @throws PolicyError `ERR_POLICY`: the policy cannot be used
 */
export async function policyInUse (app: FastifyInstance, hasAuthorize: boolean, interval?: number): Promise<CallerOf> {
  const { policyFaults } = await import('../guard/policy-schema.js') // the schema checker is slow to load
  const { POLICY_FILE: path, ACCOUNT_NUMBER_DIGITS: digits } = app.config
  const { variant } = app.identity
  const name = `POLICY_FILE is "${path}"`
  let inUse: string | undefined
  let callerOf: CallerOf

  async function use (): Promise<boolean> {
    const content = await readJsonFile(path, inUse).catch(cause => {
      throw new PolicyError(`${name}, which cannot be used: ${cause.code ?? cause.message}`, { cause })
    })
    if (content === undefined) return false
    const faults = policyFaults(content.value, variant === 'B' ? 'B' : 'A', digits)
    if (faults.length > 0) throw new PolicyError(faults.map(fault => `${name}: ${fault}`).join('\n'))
    callerOf = callerFinder(content.value as Policy)
    inUse = content.text
    return true
  }
  await use()
  if (isProduction(app.config)) {
    const isOpen = callerOf!() !== undefined && !hasAuthorize
    if (isOpen) app.log.warn('open: nothing checks order and price for callers without a key (set AUTHORIZE_URL, or authorize)')
    if (documentedDigests.test(inUse!)) app.log.warn(`${name}: paste a digest of "key new" over that of the documents`)
  }
  watchFile(app, 'POLICY_FILE', use, interval)
  return digest => callerOf(digest)
}
