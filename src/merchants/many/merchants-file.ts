import { dirname } from 'node:path'
import { variantNames, type Variant } from '../../scheme/variants.js'
import { ConfigurationError } from '../../settings/environment.js'
import { readJsonFile, reasonOf } from '../../text/read-file.js'
import { firstFaults, nameSchema, schemaFaults, Type, type Static } from '../../text/schema.js'
import { keyCheckValue } from '../key-check-value.js'
import { readTokenFile, shownPath } from '../token-file.js'
import { developmentToken, tokenFaults, type TokenRules } from '../token-rules.js'

/** A merchant of the file: a list of accounts with their token. Each description completes the sentence "… must be". */
const Entry = Type.Object({
  name: nameSchema,
  accountNumbers: Type.Array(Type.String({ pattern: '^[!-~]{1,64}$', description: '1 to 64 visible ASCII characters' }), {
    minItems: 1, description: 'a list of at least one account number'
  }),
  token: Type.Optional(Type.String({ minLength: 1, description: 'a non-empty string' })),
  tokenFile: Type.Optional(Type.String({ minLength: 1, description: 'the path of a file, relative to the folder of this file' })),
  variant: Type.Optional(Type.Union(variantNames.map(name => Type.Literal(name)), { description: variantNames.join(' or ') }))
}, { additionalProperties: false, description: 'an object' })

type Content = Static<typeof Content>

const Content = Type.Object({
  merchants: Type.Array(Entry, { minItems: 1, description: 'a list of at least one merchant' })
}, { additionalProperties: false, description: 'an object with a list of merchants' })

/** An entry with its token, wherever the token came from, and its variant. */
export type MerchantEntry = Static<typeof Entry> & { token: string, variant: Variant }

/** Requirements of the service. `setting` is the name of the file in messages. */
type Requirements = TokenRules & Readonly<{ setting: string, accountNumberDigits: number }>

/** The content of a file of merchants. */
export interface MerchantsFile {
  /** The content of the file. */
  readonly bytes: Buffer
  /** The file, without the tokens of its token files. */
  readonly value: Content
  /** `A`, `B`, or `A,B`. */
  readonly variant: Variant | 'A,B'
  /** Fingerprint of all tokens with their accounts. */
  readonly keyCheckValue: string
  readonly entries: readonly MerchantEntry[]
}

/** Returns a token without the digits and points at its end: digits of the account number follow in the signed text. */
function coreOf (token: string): string {
  let end = token.length
  while (end > 0 && '0123456789.'.includes(token[end - 1]!)) end--
  return token.slice(0, end)
}

const reversed = (text: string): string => [...text].reverse().join('')

/** Returns true if a token begins or ends another: a signature of one could be that of the other. */
export function overlap (tokens: readonly string[]): boolean {
  const cores = tokens.map(coreOf)
  return [cores, cores.map(reversed)].some(texts => {
    const sorted = [...texts].sort()
    return sorted.some((text, index) => sorted[index + 1]?.startsWith(text)) // if a text begins any, then the next one
  })
}

/** Returns an account number for a message. A long text is not shown: it may be a token in the wrong place. */
const shown = (number: string): string => number.length < 16 ? `"${number}"` : 'that is not shown'

/** Yields the faults of the entries that the schema cannot express, without a token. */
function * inconsistencies (
  entries: readonly MerchantEntry[], { accountNumberDigits: digits, ...rules }: Requirements
): Generator<string> {
  const owners = new Map<string, string>() // by token
  const lengths = new Map<string, number>() // of the account numbers, by name
  const accounts = new Set<string>()
  for (const { name, token, accountNumbers } of entries) {
    const faults = token === developmentToken ? ['the token is the development token, which everybody knows'] : tokenFaults(token, rules)
    for (const fault of faults) yield `merchant "${name}": ${fault}`
    const owner = owners.get(token) ?? name // eslint-disable-line local/constant-time -- a token of the file
    if (owner !== name) yield `merchant "${name}" has the token of "${owner}": each merchant needs a token of its own`
    owners.set(token, name)
    for (const number of accountNumbers) {
      if (accounts.has(number)) yield `merchant "${name}": account number ${shown(number)} is given twice`
      accounts.add(number)
      if (number.length !== (lengths.get(name) ?? number.length)) yield `merchant "${name}": the account numbers have different lengths`
      lengths.set(name, number.length)
      if (rules.strict && (number.length !== digits || !/^[0-9]+$/.test(number))) {
        yield `merchant "${name}": account number ${shown(number)} must be ${digits} digits (ACCOUNT_NUMBER_DIGITS)`
      }
    }
  }
  if (rules.strict && overlap([...owners.keys()])) {
    yield 'a token begins or ends with another one, apart from digits and points at its end: a signature of one merchant ' +
      'could be valid for the other; give each merchant a random token'
  }
}

/** Returns the entries of a file with the tokens of their files. */
async function withTokens ({ merchants }: Content, setting: string, folder: string): Promise<MerchantEntry[]> {
  const entries: MerchantEntry[] = []
  const faults: string[] = []
  for (const entry of merchants) {
    const { name, token, tokenFile, variant = 'A' } = entry
    const place = `${setting}: merchant "${name}"`
    try {
      if ((token === undefined) === (tokenFile === undefined)) throw new ConfigurationError(`${place} must have either token or tokenFile`, 'ERR_TOKEN')
      entries.push({ ...entry, variant, token: token ?? await readTokenFile(tokenFile!, `${place}: tokenFile`, folder) })
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  if (faults.length > 0) throw new ConfigurationError(firstFaults(faults).join('\n'), 'ERR_TOKEN')
  return entries
}

/**
 * Reads a file of merchants: a platform's accounts, with their tokens and variants.
 *
 * @param before - the content in use
 * @returns undefined if the content is the one in use
 * @throws ConfigurationError `ERR_TOKEN`: the file cannot be used; a line for each fault, without a token
 */
export async function readMerchants (
  path: string, requirements: Requirements, before?: MerchantsFile, mayBePipe = false
): Promise<MerchantsFile | undefined> {
  const { setting } = requirements
  const content = await readJsonFile(path, before?.bytes, mayBePipe).catch(cause => {
    throw new ConfigurationError(`${setting} is ${shownPath(path)}, which cannot be used: ${reasonOf(cause)}`, 'ERR_TOKEN', { cause })
  })
  const fail = (faults: readonly string[]) => {
    if (faults.length > 0) throw new ConfigurationError(faults.map(fault => `${setting}: ${fault}`).join('\n'), 'ERR_TOKEN')
  }
  if (content !== undefined) fail(schemaFaults(Content, content.value, 'the file'))
  else if (!before!.entries.some(({ tokenFile }) => tokenFile !== undefined)) return undefined
  const { bytes, value } = (content ?? before) as Pick<MerchantsFile, 'bytes' | 'value'>
  const entries = await withTokens(value, setting, dirname(path))
  // eslint-disable-next-line local/constant-time -- no client has sent them
  const isInUse = content === undefined && entries.every(({ token }, index) => token === before!.entries[index]!.token)
  if (isInUse) return undefined
  fail(firstFaults(inconsistencies(entries, requirements)))
  const lines = entries.map(({ accountNumbers, variant, token }) => `${[...accountNumbers].sort().join()} ${variant} ${token}`)
  const variants = new Set(entries.map(({ variant }) => variant))
  return {
    bytes,
    value,
    variant: variants.size > 1 ? 'A,B' : [...variants][0]!,
    keyCheckValue: keyCheckValue(lines.sort().join('\n')),
    entries
  }
}
