import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { operations, type Reading } from '../scheme/request.js'
import { hash256 } from '../scheme/variant.js'
import { readerOf, type Variant } from '../scheme/variants.js'
import { andMore } from '../text/characters.js'
import { readJsonFile } from '../text/json-file.js'
import { firstDuplicate } from '../text/json-text.js'
import { alsoSignedLike } from './strict.js'
import { programName } from '../text/program.js'

const amount = () => Type.String({ pattern: '^[0-9]{1,12}\\.[0-9]{2}$', description: 'an amount such as "100.00"' })

/**
 * Rights of which each includes the other, since one signature serves for both. It lists any period of the account, so
 * it needs a right of its own.
 */
const listing = ['inquiry-without-id', 'clear-cache'] as const

/** Values of a caller's `operations`. */
const rights = [...operations, ...listing] as const

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

/** A caller as a request's API key identifies it. */
export interface IdentifiedCaller extends Caller {
  /** First 6 digits of the key's SHA-256; undefined without a key. */
  readonly apiKey?: string
}

const digestsOf = ({ apiKeySha256 = [] }: Caller): string[] => [apiKeySha256].flat()

export const Policy = Type.Object({
  callers: Type.Array(Caller, { minItems: 1, description: 'a list of at least one caller' })
}, { additionalProperties: false, description: 'an object with a list of callers' })

export type Policy = Static<typeof Policy>

/**
 * Returns a line for each place of a value that does not match a schema. The descriptions of the schema complete the
 * sentence "PLACE must be …". The lines contain keys of the value, and no other text of the value.
 *
 * @param name - name of the whole value
 */
export function schemaFaults (schema: TSchema, value: unknown, name: string): string[] {
  const faults = [...Value.Errors(schema, value)].map(({ path, message, schema }) => {
    // Additional and missing properties are reported with their own path.
    const place = path === '' ? name : path.slice(1).replaceAll('/', '.')
    const isUnknown = message === 'Unexpected property'
    return isUnknown ? `${place} is not known` : `${place} must be ${schema.description}`
  })
  return [...new Set(faults)]
}

/** The accounts of merchants. */
type Accounts = ReadonlyMap<string, { readonly variant: Variant }>

/** The service that a policy is for. A right that the service cannot grant is a fault of the policy. */
interface Deployment {
  /** The variant of all accounts; with merchants, each account has one. */
  readonly variant: Variant | 'A,B'
  readonly accounts?: Accounts | undefined
  /** Number of digits of an account number. */
  readonly accountNumberDigits: number
  /** True: refuse keys that the documentation shows. */
  readonly isProduction: boolean
}

/** SHA-256 of the empty string. A caller configured with it has no real key. */
const digestOfNothing = hash256('')

/** Digests of keys that the documentation shows, and that everybody knows. */
const documentedDigests: ReadonlySet<string> = new Set([hash256('example-key')])

const makeAKey = () => `make a key with ${programName()} key new`

function duplicates (values: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(values.filter(value => seen.size === seen.add(value).size))]
}

/** Yields the faults that the schema cannot express. */
function * inconsistencies (callers: readonly Caller[], deployment: Deployment): Generator<string> {
  const { variant, accounts, accountNumberDigits } = deployment
  const variantOf = (account: string) => accounts === undefined ? variant as Variant : accounts.get(account)?.variant
  for (const caller of callers) {
    const { name, apiKeySha256, anonymous, operations, accountNumbers, minimumAmount, maximumAmount } = caller
    if ((apiKeySha256 === undefined) === (anonymous === undefined)) {
      yield `caller "${name}" must have either apiKeySha256 or anonymous`
    } else if ((name === 'anonymous') !== (anonymous === true)) {
      yield `caller "${name}": the anonymous caller must have the name "anonymous", and no other caller may have it`
    }
    if (name === 'unknown' || name === 'other') yield `caller "${name}": audit and metrics give the names "unknown" and "other" to further callers`
    if (digestsOf(caller).includes(digestOfNothing)) yield `caller "${name}": apiKeySha256 is the digest of an empty key; ${makeAKey()}`
    if (minimumAmount !== undefined && maximumAmount !== undefined &&
      Number(minimumAmount) > Number(maximumAmount)) {
      yield `caller "${name}": minimumAmount must not be above maximumAmount`
    }
    const variants = [...new Set(accountNumbers.map(variantOf))]
    for (const operation of operations) {
      if (operation === 'purchase' || variants.some(variant => variant === undefined || 'refund' in readerOf(variant).operations)) continue
      yield `caller "${name}": operations has "${operation}"; the only operation of variant ${variants.join()} is "purchase"`
    }
    for (const number of accountNumbers) {
      if (number.length === accountNumberDigits) continue
      yield `caller "${name}": accountNumbers has "${number}"; an account number must be ${accountNumberDigits} digits ` +
        '(ACCOUNT_NUMBER_DIGITS)'
    }
  }
  for (const name of duplicates(callers.map(({ name }) => name))) yield `two callers have the name "${name}"`
  if (duplicates(callers.flatMap(digestsOf)).length > 0) yield 'one API key is given twice'
}

/** Returns a line for each caller whose key the documentation shows. */
export const knownKeys = ({ callers }: Policy): string[] => callers
  .filter(caller => digestsOf(caller).some(digest => documentedDigests.has(digest)))
  .map(({ name }) => `caller "${name}": the documentation shows its key, so everybody knows it; ${makeAKey()}`)

/**
 * Returns a line for each fault of a policy. Never throws.
 *
 * @param policy - any value
 * @param text - the JSON text of the policy. Default: the policy does not come from a text.
 */
export function policyFaults (policy: unknown, deployment: Deployment, text = ''): string[] {
  const duplicate = firstDuplicate(text)
  const twice = duplicate === undefined ? [] : [`${duplicate} is given twice`]
  const faults = [...twice, ...schemaFaults(Policy, policy, 'the policy')]
  if (faults.length > 0) return faults
  const { callers } = policy as Policy
  return [...inconsistencies(callers, deployment), ...deployment.isProduction ? knownKeys({ callers }) : []]
}

/** Error for a policy that cannot be used. The message has a line for each fault. */
class PolicyError extends Error {
  override readonly name = 'PolicyError'
  readonly code = 'ERR_POLICY'
}

/** Texts of policies that were read from files. */
const textOf = new WeakMap<Policy, string>()

/**
 * Checks a policy, or reads it from a JSON file in UTF-8.
 *
 * @param given - a policy, or the path of its file
 * @param setting - name of the setting, for the message
 * @param deployment - called after the reading: the merchants may change meanwhile
 * @param flag - flag with which the file is opened
 * @param inUse - the policy in use, which is returned without new checks if the file is unchanged
 * @throws PolicyError `ERR_POLICY`: the file cannot be read, or the policy cannot be used
 */
export async function loadPolicy (
  given: Policy | string, setting: string, deployment: () => Deployment, flag?: number, inUse?: Policy
): Promise<Policy> {
  const name = typeof given === 'string' ? `${setting} is "${given}"` : setting
  const read = typeof given === 'string' ? readJsonFile(given, flag) : { text: undefined, value: given }
  const { text, value } = await Promise.resolve(read).catch(cause => {
    throw new PolicyError(`${name}, which cannot be ${'code' in cause ? `read (${cause.code})` : `used: ${cause.message}`}`, { cause })
  })
  if (inUse !== undefined && text !== undefined && textOf.get(inUse) === text) return inUse
  const faults = policyFaults(value, deployment(), text)
  if (faults.length > 0) throw new PolicyError(faults.map(fault => `${name}: ${fault}`).join('\n'))
  if (text !== undefined) textOf.set(value as Policy, text)
  return value as Policy
}

/** Returns the API key of an Authorization header; undefined without the scheme Bearer and one key. */
export const keyIn = (authorization = ''): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization)?.[1]

/**
 * Returns a function that finds the caller of an Authorization header, or undefined for an unknown caller. The function
 * looks up the SHA-256 of the key, so its time depends neither on the number of callers nor on how many characters of a
 * key are right: a Map compares whole texts only if their seeded hashes are equal.
 *
 * Without API keys in the policy, the header is ignored: it may be for the merchant's own backend.
 */
export function callerFinder (
  { callers }: Policy
): (authorization: string | undefined) => IdentifiedCaller | undefined {
  const anonymous = callers.find(({ anonymous }) => anonymous)
  const byDigest = new Map(callers.flatMap(caller => digestsOf(caller)
    .map((digest): [string, IdentifiedCaller] => [digest, { ...caller, apiKey: digest.slice(0, 6) }])))
  if (byDigest.size === 0) return () => anonymous

  return function callerOf (authorization) {
    if (authorization === undefined) return anonymous
    const key = keyIn(authorization)
    if (key === undefined) return undefined
    // eslint-disable-next-line local/constant-time -- see above; comparing all keys took milliseconds for thousands
    return byDigest.get(hash256(key))
  }
}

/** Returns a line for the accounts that no merchant has, and one for those of merchants that no caller may sign for. */
export function accountsApart ({ callers }: Policy, accounts?: Accounts): string[] {
  if (accounts === undefined) return []
  const allowed = new Set(callers.flatMap(({ accountNumbers }) => accountNumbers))
  return ([
    [[...allowed].filter(account => !accounts.has(account)), 'no merchant has it'],
    [[...accounts.keys()].filter(account => !allowed.has(account)), 'no caller may sign for it']
  ] as const).filter(([apart]) => apart.length > 0)
    .map(([apart, text]) => `account number ${andMore(apart)}: ${text}`)
}

/** Rule of a caller that refuses a request. */
export interface PolicyRefusal {
  /** Name of the rule's member in the policy. */
  readonly rule: 'operations' | 'accountNumbers' | 'minimumAmount' | 'maximumAmount'
  /** Message for the client, which ends with the rule. */
  readonly message: string
}

const refusalBy = (rule: PolicyRefusal['rule'], { name }: Caller, what: string): PolicyRefusal =>
  ({ rule, message: `caller "${name}" may not sign ${what} (${rule})` })

/** Returns the refusal if the caller may not sign for an account; otherwise undefined. */
export const accountRefusalOf = (caller: Caller, accountNumber: string): PolicyRefusal | undefined =>
  caller.accountNumbers.includes(accountNumber) ? undefined : refusalBy('accountNumbers', caller, 'for this account')

/**
 * Returns the refusal if the policy does not allow the request; otherwise undefined. The request must match the strict
 * grammar.
 */
export function policyRefusalOf (caller: Caller, reading: Reading): PolicyRefusal | undefined {
  const { operations, minimumAmount, maximumAmount } = caller
  const { operation = 'purchase' } = reading
  const other = alsoSignedLike(reading)
  if (other === 'inquiry' || other === 'clear-cache') {
    if (!listing.some(right => operations.includes(right))) {
      return refusalBy('operations', caller, operation === 'inquiry'
        ? 'an inquiry without a transactionId: the right "inquiry-without-id" is missing'
        : 'a clear cache: the right "clear-cache" is missing')
    }
  } else if (!operations.includes(operation)) return refusalBy('operations', caller, 'this operation')
  if (other === 'void' && !operations.includes(other)) {
    return refusalBy('operations', caller,
      `this inquiry: its signature is also that of a void on FCRN ${reading.referenceNumber}`)
  }
  const refusal = accountRefusalOf(caller, reading.accountNumber)
  if (refusal !== undefined) return refusal
  if (reading.amount === '') return undefined
  const amount = Number(reading.amount) // of 14 digits at most, so different amounts are different numbers
  if (minimumAmount !== undefined && amount < Number(minimumAmount)) {
    return refusalBy('minimumAmount', caller, `an amount below ${minimumAmount}`)
  }
  if (maximumAmount !== undefined && amount > Number(maximumAmount)) {
    return refusalBy('maximumAmount', caller, `an amount above ${maximumAmount}`)
  }
  return undefined
}
