import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { operations, type Reading } from '../scheme/request.js'
import { hash256 } from '../scheme/variant.js'
import { readerOf, type Variant } from '../scheme/variants.js'
import { alsoSignedLike } from './strict.js'

/** Rights of which each includes the other, since one signature serves for both: it lists any period of the account. */
const listing = ['inquiry-without-id', 'clear-cache'] as const

/** Values of a caller's `operations`. */
const rights = [...operations, ...listing] as const

const amount = () => Type.String({ pattern: '^[0-9]{1,12}\\.[0-9]{2}$', description: 'an amount such as "100.00"' })
const digest = () => Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A caller with its API key and its rights. Each description completes the sentence "… must be". */
export const Caller = Type.Object({
  name: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$', description: '1 to 64 ASCII letters, digits, points, - and _' }),
  apiKeySha256: Type.Optional(Type.Union([digest(), Type.Array(digest(), { minItems: 1, maxItems: 4 })], {
    description: 'the SHA-256 of the API key as 64 lowercase hexadecimal digits, or a list of 1 to 4'
  })),
  anonymous: Type.Optional(Type.Literal(true, { description: 'true' })),
  operations: Type.Array(Type.Union(rights.map(right => Type.Literal(right)), {
    description: rights.join(', ').replace(/, (?=[^,]+$)/, ' or ')
  }), { minItems: 1, description: 'a list of at least one operation' }),
  accountNumbers: Type.Array(Type.String({ pattern: '^[0-9]{1,32}$', description: 'digits' }), {
    minItems: 1,
    description: 'a list of at least one account number'
  }),
  minimumAmount: Type.Optional(amount()),
  maximumAmount: Type.Optional(amount()),
  rate: Type.Optional(Type.Object({
    max: Type.Integer({ minimum: 1, description: 'a number of requests, at least 1' }),
    window: Type.Integer({ minimum: 1, maximum: 3_600_000, description: 'a number of milliseconds up to 3600000' })
  }, { additionalProperties: false, description: 'an object with max and window' }))
}, { additionalProperties: false, description: 'an object' })

export type Caller = Static<typeof Caller>

/** A caller as a request's API key identifies it: `apiKey` has the first 6 digits of the key's SHA-256. */
export type IdentifiedCaller = Caller & { readonly apiKey?: string }

export const Policy = Type.Object({
  callers: Type.Array(Caller, { minItems: 1, description: 'a list of at least one caller' })
}, { additionalProperties: false, description: 'an object with a list of callers' })

export type Policy = Static<typeof Policy>

/**
 * Returns a line for each place of a value that does not match a schema, whose descriptions complete "PLACE must be …".
 * The lines contain keys of the value, and no other text of it.
 *
 * @param name - name of the whole value
 */
export function schemaFaults (schema: TSchema, value: unknown, name: string): string[] {
  return [...new Set([...Value.Errors(schema, value)].map(({ path, message, schema }) => {
    const place = path === '' ? name : path.slice(1).replaceAll('/', '.')
    return message === 'Unexpected property' ? `${place} is not known` : `${place} must be ${schema.description}`
  }))]
}

const digestsOf = ({ apiKeySha256 = [] }: Caller): string[] => [apiKeySha256].flat()

/** Digest of the API key in the documents, which everybody knows. */
const documentedDigest = 'c018c41c1afaf2c0b66c64f97d0ee135657b699ad260f299234cd40a5d625e0e'

const hasDuplicate = (values: readonly string[]): boolean => new Set(values).size < values.length

/** Yields the faults that the schema cannot express. */
function * inconsistencies ({ callers }: Policy, variant: Variant, accountNumberDigits: number): Generator<string> {
  for (const caller of callers) {
    const { name, apiKeySha256, anonymous, operations, accountNumbers, minimumAmount, maximumAmount } = caller
    const isRight = (right: string) => right === 'purchase' || 'refund' in readerOf(variant).operations
    const account = accountNumbers.find(({ length }) => length !== accountNumberDigits)
    const fault = (text: string): string => `caller "${name}": ${text}`
    if ((apiKeySha256 === undefined) !== (anonymous === true)) yield `caller "${name}" must have either apiKeySha256 or anonymous`
    if ((name === 'anonymous') !== (anonymous === true)) yield fault('only the anonymous caller has the name "anonymous"')
    // eslint-disable-next-line local/constant-time -- a digest of the configuration
    if (digestsOf(caller).includes(hash256(''))) yield fault('apiKeySha256 is the digest of an empty key')
    // eslint-disable-next-line local/constant-time -- both are public
    if (digestsOf(caller).some(digest => digest === documentedDigest)) {
      yield fault('apiKeySha256 is that of the documents, whose key everybody knows: `payment-signature key new` makes one')
    }
    if (Number(minimumAmount ?? 0) > Number(maximumAmount ?? Infinity)) yield fault('minimumAmount must not be above maximumAmount')
    if (!operations.every(isRight)) yield fault(`the only operation of variant ${variant} is "purchase"`)
    if (account !== undefined) yield fault(`account number "${account}" must have ${accountNumberDigits} digits (ACCOUNT_NUMBER_DIGITS)`)
  }
  if (hasDuplicate(callers.map(({ name }) => name))) yield 'two callers have the same name'
  if (hasDuplicate(callers.flatMap(digestsOf))) yield 'one API key is given twice'
}

/** Returns a line for each fault of a policy, which may be any value. */
export function policyFaults (policy: unknown, variant: Variant, accountNumberDigits: number): string[] {
  const faults = schemaFaults(Policy, policy, 'the policy')
  return faults.length > 0 ? faults : [...inconsistencies(policy as Policy, variant, accountNumberDigits)]
}

/** Returns the API key of an Authorization header; undefined without the scheme Bearer and one key. */
export const keyIn = (authorization: string): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization)?.[1]

/**
 * Returns a function that finds the caller of an Authorization header; undefined for an unknown one. It looks up the
 * SHA-256 of the key, so its time does not depend on how many characters of a key are right: a Map compares whole texts
 * only if their seeded hashes are equal. Without keys in the policy the header is ignored: it may be for the backend.
 */
export function callerFinder ({ callers }: Policy): (authorization?: string) => IdentifiedCaller | undefined {
  const anonymous = callers.find(({ anonymous }) => anonymous)
  const byDigest = new Map(callers.flatMap(caller => digestsOf(caller)
    .map((digest): [string, IdentifiedCaller] => [digest, { ...caller, apiKey: digest.slice(0, 6) }])))
  return authorization => authorization === undefined || byDigest.size === 0
    ? anonymous
    // eslint-disable-next-line local/constant-time -- see above
    : byDigest.get(hash256(keyIn(authorization) ?? ''))
}

/** Member of a caller that refuses a request, and the message for the client. */
export interface PolicyRefusal {
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
  // Of 14 digits at most, so different amounts are different numbers.
  if (Number(amount) < Number(minimumAmount ?? 0)) return refuse('minimumAmount', `an amount below ${minimumAmount}`)
  if (Number(amount) > Number(maximumAmount ?? Infinity)) return refuse('maximumAmount', `an amount above ${maximumAmount}`)
  return undefined
}
