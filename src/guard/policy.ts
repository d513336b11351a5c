import type { Reading } from '../scheme/request.js'
import { hash256 } from '../scheme/signer.js'
import type { Caller, Policy } from './policy-schema.js'
import { alsoSignedLike, listing } from './strict.js'

/** A caller as a request's API key identifies it: `apiKey` has the first 6 digits of the key's SHA-256. */
export type IdentifiedCaller = Caller & { readonly apiKey?: string }

/** Returns the API key of an Authorization header; undefined without the scheme Bearer and one key. */
export const keyIn = (authorization: string): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization)?.[1]

/** Returns the SHA-256 of the API key of an Authorization header: of an empty key, if the header has none. */
export const digestIn = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : hash256(keyIn(authorization) ?? '')

/**
 * Returns a function that finds the caller of the SHA-256 of a key; undefined for an unknown one. Its time does not
 * depend on how many characters of a key are right: a Map compares whole texts only if their seeded hashes are equal.
 * Without keys in the policy the digest is ignored: the header may be for the backend.
 */
export function callerFinder ({ callers }: Policy): (digest?: string) => IdentifiedCaller | undefined {
  const anonymous = callers.find(({ anonymous }) => anonymous)
  const byDigest = new Map(callers.flatMap(caller => [caller.apiKeySha256 ?? []].flat()
    .map((digest): [string, IdentifiedCaller] => [digest, { ...caller, apiKey: digest.slice(0, 6) }])))
  // eslint-disable-next-line local/constant-time -- see above
  return digest => digest === undefined || byDigest.size === 0 ? anonymous : byDigest.get(digest)
}

/** Member of a caller that refuses a request, and the message for the client. */
interface PolicyRefusal {
  readonly rule: 'operations' | 'accountNumbers' | 'minimumAmount' | 'maximumAmount'
  readonly message: string
}

/** Returns the refusal of a request that matches the strict grammar; undefined if the caller may have it signed. */
export function policyRefusalOf (caller: Caller, reading: Reading): PolicyRefusal | undefined {
  const { name, operations, accountNumbers, minimumAmount, maximumAmount } = caller
  const { operation = 'purchase', accountNumber, referenceNumber, amount } = reading
  const refuse = (rule: PolicyRefusal['rule'], what: string): PolicyRefusal =>
    ({ rule, message: `caller "${name}" may not sign ${what} (${rule})` })
  const other = alsoSignedLike(reading)
  if (other === 'inquiry' || other === 'clear-cache') {
    if (!listing.some(right => operations.includes(right))) {
      return refuse('operations', operation === 'inquiry'
        ? 'an inquiry without a transactionId: the right "inquiry-without-id" is missing'
        : 'a clear cache: the right "clear-cache" is missing')
    }
  } else if (!operations.includes(operation)) return refuse('operations', 'this operation')
  if (other === 'void' && !operations.includes('void')) {
    return refuse('operations', `this inquiry: its signature is also that of a void on FCRN ${referenceNumber}`)
  }
  if (!accountNumbers.includes(accountNumber)) return refuse('accountNumbers', 'for this account')
  if (amount === '') return undefined
  // At most 14 digits, so different amounts are different numbers.
  if (Number(amount) < Number(minimumAmount ?? 0)) return refuse('minimumAmount', `an amount below ${minimumAmount}`)
  if (Number(amount) > Number(maximumAmount ?? Infinity)) return refuse('maximumAmount', `an amount above ${maximumAmount}`)
  return undefined
}
