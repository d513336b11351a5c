import { operations } from '../../scheme/request.js'
import { hash256 } from '../../scheme/signer.js'
import { firstFaults, nameSchema, schemaFaults, Type, type Static } from '../../text/schema.js'

/** The right to inquire without an id, and to clear the cache: one signature serves for both, and lists any period. */
export const listingRight = 'inquiry-without-id'

/** Values of a caller's `operations`. */
const rights = [...operations, listingRight] as const

const digestSchema = () => Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A caller with its API key and its rights. Each description completes the sentence "… must be". */
const Caller = Type.Object({
  name: nameSchema,
  apiKeySha256: Type.Optional(Type.Union([digestSchema(), Type.Array(digestSchema(), { minItems: 1, maxItems: 4 })], {
    description: 'the digest that new-key prints, not the key: 64 lowercase hexadecimal digits, or a list of 1 to 4'
  })),
  operations: Type.Array(Type.Union(rights.map(right => Type.Literal(right)), {
    description: rights.join(', ').replace(/, (?=[^,]+$)/, ' or ')
  }), { minItems: 1, description: 'a list of at least one operation' }),
  accountNumbers: Type.Array(Type.String({ pattern: '^[0-9]{1,32}$', description: 'digits in quotes, such as "102551"' }), {
    minItems: 1,
    description: 'a list of at least one account number'
  }),
  maximumAmount: Type.Optional(Type.String({ pattern: '^[0-9]{1,12}\\.[0-9]{2}$', description: 'an amount such as "100.00"' })),
  rate: Type.Optional(Type.Integer({ minimum: 1, description: 'a number of requests in a minute, at least 1' }))
}, { additionalProperties: false, description: 'an object' })

export type PolicyCaller = Static<typeof Caller>

const Policy = Type.Object({
  callers: Type.Array(Caller, { minItems: 1, description: 'a list of at least one caller' })
}, { additionalProperties: false, description: 'an object with a list of callers' })

export type Policy = Static<typeof Policy>

/** True for the caller of requests without an API key. */
export const isAnonymous = ({ name }: Pick<PolicyCaller, 'name'>): boolean => name === 'anonymous'

/** Returns the SHA-256 digests of a caller's API keys. */
export const digestsOf = ({ apiKeySha256 = [] }: PolicyCaller): string[] => [apiKeySha256].flat()

/** Yields the faults that the schema cannot express. */
function * inconsistencies ({ callers }: Policy, variant: string, accountNumberDigits: number): Generator<string> {
  const names = new Set<string>()
  const owners = new Map<string, string>() // by digest
  for (const caller of callers) {
    const { name, apiKeySha256, accountNumbers } = caller
    const isRight = (right: string) => right === 'purchase' || variant !== 'B'
    const account = accountNumbers.find(({ length }) => length !== accountNumberDigits)
    const fault = (text: string): string => `caller "${name}": ${text}`
    if (apiKeySha256 === undefined && !isAnonymous(caller)) yield fault('apiKeySha256 is missing; only the caller "anonymous" has no key')
    if (apiKeySha256 !== undefined && isAnonymous(caller)) yield fault('apiKeySha256 must be left out: this is the caller without a key')
    // eslint-disable-next-line local/constant-time -- a digest of the configuration
    if (digestsOf(caller).includes(hash256(''))) yield fault('apiKeySha256 is the digest of an empty key')
    if (!caller.operations.every(isRight)) yield fault(`the only operation of variant ${variant} is "purchase"`)
    if (account !== undefined) yield fault(`account number "${account}" must have ${accountNumberDigits} digits (ACCOUNT_NUMBER_DIGITS)`)
    if (names.has(name)) yield `two callers have the name "${name}"`
    names.add(name)
    for (const digest of digestsOf(caller)) {
      // eslint-disable-next-line local/constant-time -- a digest of the configuration
      const owner = owners.get(digest)
      if (owner !== undefined) yield fault(`apiKeySha256 repeats a digest of caller "${owner}"`)
      owners.set(digest, name)
    }
  }
}

/** Returns a line for each of the first faults of a policy, which may be any value. `variant` may be `A,B`. */
export function policyFaults (policy: unknown, variant: string, accountNumberDigits: number): string[] {
  const faults = schemaFaults(Policy, policy, 'the policy')
  return faults.length > 0 ? faults : firstFaults(inconsistencies(policy as Policy, variant, accountNumberDigits))
}
