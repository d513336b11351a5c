import { timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { operations, type Reading } from '../scheme/request.js'
import { hash256 } from '../scheme/variant.js'
import { readerOf, type Variant } from '../scheme/variants.js'
import { firstDuplicate } from './duplicate-keys.js'
import { alsoSignedLike } from './strict.js'

const amount = () => Type.String({ pattern: '^[0-9]{1,12}\\.[0-9]{2}$', description: 'an amount such as "100.00"' })

/**
 * Values of a caller's `operations`. The signature of an inquiry without an id lists any period of the account, so it
 * needs a right of its own.
 */
const rights = [...operations, 'inquiry-without-id'] as const

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

/** The service that a policy is for. A right that the service cannot grant is a fault of the policy. */
interface Deployment {
  readonly variant: Variant
  /** Number of digits of an account number. */
  readonly accountNumberDigits: number
  /** True: refuse keys that the documentation shows. */
  readonly isProduction: boolean
}

/** SHA-256 of the empty string. A caller configured with it has no real key. */
const digestOfNothing = hash256('')

/** Digests of keys that the documentation shows, and that everybody knows. */
const documentedDigests: ReadonlySet<string> = new Set([hash256('example-key')])

const makeAKey = 'make a key with openssl rand -hex 32, and its digest with printf \'%s\' "$KEY" | sha256sum'

const duplicates = (values: readonly string[]): string[] =>
  [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]

/** Yields the faults that the schema cannot express. */
function * inconsistencies (callers: readonly Caller[], deployment: Deployment): Generator<string> {
  const { variant, accountNumberDigits } = deployment
  const [only, ...others] = Object.keys(readerOf(variant).operations)
  for (const caller of callers) {
    const { name, apiKeySha256, anonymous, operations, accountNumbers, minimumAmount, maximumAmount } = caller
    if ((apiKeySha256 === undefined) === (anonymous === undefined)) {
      yield `caller "${name}" must have either apiKeySha256 or anonymous`
    } else if ((name === 'anonymous') !== (anonymous === true)) {
      yield `caller "${name}": the anonymous caller must have the name "anonymous", and no other caller may have it`
    }
    if (digestsOf(caller).includes(digestOfNothing)) yield `caller "${name}": apiKeySha256 is the digest of an empty key; ${makeAKey}`
    if (minimumAmount !== undefined && maximumAmount !== undefined &&
      Number(minimumAmount) > Number(maximumAmount)) {
      yield `caller "${name}": minimumAmount must not be above maximumAmount`
    }
    for (const operation of operations) {
      if (others.length > 0 || operation === only) continue
      yield `caller "${name}": operations has "${operation}"; the only operation of variant ${variant} is "${only}"`
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
  .map(({ name }) => `caller "${name}": the documentation shows its key, so everybody knows it; ${makeAKey}`)

/** Returns a line for each consequence of a policy that its author may not expect. */
export function policyNotes ({ callers }: Policy): string[] {
  const isAnyone = ({ anonymous, operations }: Caller): boolean =>
    anonymous === true && operations.some(operation => operation === 'refund' || operation === 'void')
  const isLister = ({ operations }: Caller): boolean => operations.includes('inquiry-without-id')
  const isHalf = ({ operations }: Caller): boolean => operations.includes('inquiry') && !operations.includes('void')
  return [
    ...callers.filter(isAnyone).map(({ name }) => `caller "${name}" may have refunds or voids signed: so may everybody ` +
      'who reaches the service, unless AUTHORIZE_URL refuses'),
    ...callers.filter(isLister).map(({ name, anonymous }) => `caller "${name}" may inquire without a transactionId: the dates ` +
      'are not signed, so one such signature lists any period of the account' +
      (anonymous ? '; so may everybody who reaches the service, unless AUTHORIZE_URL refuses' : '')),
    ...callers.filter(isHalf).map(({ name }) => `caller "${name}" may inquire but not void: its inquiries by a transactionId ` +
      'of digits only, by FCRN or ORDER_ID, get 403, since their signatures are also those of voids; those by CORRUID, or ' +
      'by an order id with a letter, - or _, are signed')
  ]
}

/**
 * Returns a line for each fault of a policy. Never throws.
 *
 * @param policy - any value
 * @param text - the JSON text of the policy. Default: the policy does not come from a text.
 */
export function policyFaults (policy: unknown, deployment: Deployment, text = ''): string[] {
  const duplicate = firstDuplicate(text)
  const twice = duplicate === undefined ? [] : [`${duplicate} is given twice`]
  const wrong = [...Value.Errors(Policy, policy)].map(({ path, message, schema }) => {
    // Additional and missing properties are reported with their own path.
    const place = path === '' ? 'the policy' : path.slice(1).replaceAll('/', '.')
    const isUnknown = message === 'Unexpected property'
    return isUnknown ? `${place} is not known` : `${place} must be ${schema.description}`
  })
  const faults = [...new Set([...twice, ...wrong])]
  if (faults.length > 0) return faults
  const { callers } = policy as Policy
  return [...inconsistencies(callers, deployment), ...deployment.isProduction ? knownKeys({ callers }) : []]
}

/** Error for a policy that cannot be used. The message has a line for each fault. */
class PolicyError extends Error {
  override readonly name = 'PolicyError'
  readonly code = 'ERR_POLICY'
}

/**
 * Checks a policy, or reads it from a JSON file in UTF-8.
 *
 * @param given - a policy, or the path of its file
 * @param setting - name of the setting, for the message
 * @param flag - flag with which the file is opened
 * @throws PolicyError `ERR_POLICY`: the file cannot be read, or the policy cannot be used
 */
export async function loadPolicy (
  given: Policy | string, setting: string, deployment: Deployment, flag?: number
): Promise<Policy> {
  const name = typeof given === 'string' ? `${setting} is "${given}"` : setting
  let policy = given
  let text
  try {
    if (typeof given === 'string') {
      text = (await readFile(given, { encoding: 'utf8', flag })).replace(/^\ufeff/, '') // some editors write a byte order mark
      policy = JSON.parse(text)
    }
  } catch (cause) {
    throw new PolicyError(`${name}, which cannot be used: ${(cause as Error).message}`, { cause })
  }
  const faults = policyFaults(policy, deployment, text)
  if (faults.length > 0) throw new PolicyError(faults.map(fault => `${name}: ${fault}`).join('\n'))
  return policy as Policy
}

/**
 * Returns a function that finds the caller of an Authorization header, or undefined for an unknown caller. The function
 * compares all keys, each in constant time, so that the time reveals nothing about them.
 *
 * Without API keys in the policy, the header is ignored: it may be for the merchant's own backend.
 */
export function callerFinder (
  { callers }: Policy
): (authorization: string | undefined) => IdentifiedCaller | undefined {
  const anonymous = callers.find(({ anonymous }) => anonymous)
  const known = callers.flatMap(caller => digestsOf(caller)
    .map(digest => ({ caller: { ...caller, apiKey: digest.slice(0, 6) }, digest: Buffer.from(digest) })))
  if (known.length === 0) return () => anonymous

  return function callerOf (authorization) {
    if (authorization === undefined) return anonymous
    const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
    if (key === undefined) return undefined
    const given = Buffer.from(hash256(key))
    let found: IdentifiedCaller | undefined
    for (const { caller, digest } of known) {
      if (timingSafeEqual(given, digest)) found = caller
    }
    return found
  }
}

/**
 * Returns an error message with the name of the rule if the policy does not allow the request; otherwise undefined. The
 * request must match the strict grammar.
 */
export function policyRefusalOf (caller: Caller, reading: Reading): string | undefined {
  const { operations, accountNumbers, minimumAmount, maximumAmount } = caller
  const { operation = 'purchase', accountNumber } = reading
  const right = operation === 'inquiry' && reading.referenceNumber === '' ? 'inquiry-without-id' : operation
  if (!operations.includes(right)) {
    return right === operation
      ? `caller "${caller.name}" may not sign this operation (operations)`
      : `caller "${caller.name}" may not sign an inquiry without a transactionId: the right "${right}" is missing (operations)`
  }
  const other = alsoSignedLike(reading)
  if (other !== undefined && !operations.includes(other)) {
    return `caller "${caller.name}" may not sign this inquiry: its signature is also that of a void on FCRN ` +
      `${reading.referenceNumber} (operations)`
  }
  if (!accountNumbers.includes(accountNumber)) {
    return `caller "${caller.name}" may not sign for this account (accountNumbers)`
  }
  if (reading.amount === '') return undefined
  const amount = Number(reading.amount) // of 14 digits at most, so different amounts are different numbers
  if (minimumAmount !== undefined && amount < Number(minimumAmount)) {
    return `caller "${caller.name}" may not sign an amount below ${minimumAmount} (minimumAmount)`
  }
  if (maximumAmount !== undefined && amount > Number(maximumAmount)) {
    return `caller "${caller.name}" may not sign an amount above ${maximumAmount} (maximumAmount)`
  }
  return undefined
}
