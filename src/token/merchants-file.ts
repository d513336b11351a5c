import { dirname } from 'node:path'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { duplicatesIn } from '../text/json-text.js'
import { Caller, schemaFaults } from '../guard/policy.js'
import { strictTokenFault } from '../guard/strict.js'
import { hash256, type VariantSigner } from '../scheme/variant.js'
import { signerOf, variantNames, type Variant } from '../scheme/variants.js'
import { andMore } from '../text/characters.js'
import { readJsonFile } from '../text/json-file.js'
import { pause } from '../text/slices.js'
import { developmentToken, keyCheckValue } from './key-check-value.js'
import { Redaction } from './redaction.js'
import { isReadableByAll, readTokenFile, shownPath, TokenError } from './token-file.js'
import { tokenWarnings } from './token-warnings.js'

const AccountNumber =
  Type.String({ pattern: '^[!-~]{1,64}$', description: '1 to 64 visible ASCII characters' })

const AccountNumbers =
  Type.Array(AccountNumber, { minItems: 1, description: 'a list of at least one account number' })

/** An entry of the file. Each description completes the sentence "… must be". */
const Entry = Type.Object({
  name: Caller.properties.name,
  accountNumbers: AccountNumbers,
  token: Type.Optional(Type.String({ minLength: 1, description: 'a non-empty string' })),
  tokenFile: Type.Optional(Type.String({ minLength: 1, description: 'the path of a file' })),
  keyCheckValue: Type.Optional(Type.String({ pattern: '^[0-9a-f]{6}$', description: '6 lowercase hexadecimal digits' })),
  variant: Type.Optional(Type.Union(variantNames.map(name => Type.Literal(name)), { description: variantNames.join(' or ') }))
}, { additionalProperties: false, description: 'an object' })

/** An entry with accounts of both variants, each list under its variant. */
const EntryOfBoth = Type.Object({
  ...Type.Omit(Entry, ['variant']).properties,
  accountNumbers: Type.Object({ A: AccountNumbers, B: AccountNumbers }, {
    additionalProperties: false, description: 'an object with a list for A and a list for B'
  })
}, { additionalProperties: false, description: 'an object' })

const File = Type.Object({
  merchants: Type.Array(Type.Unknown(), { minItems: 1, description: 'a list of at least one merchant' })
}, { additionalProperties: false, description: 'an object with a list of merchants' })

/** Largest number of merchants with a `tokenFile`: each file is read every ten seconds. */
const maxTokenFiles = 500

/** Length of text that is searched for duplicate keys without a pause. It takes a millisecond. */
const sliceLength = 65_536

/** Limit of the faults in a message. */
const maxFaults = 20

/** A merchant. Signer and function have the token: it is not shown if the object is printed. */
export interface Merchant {
  readonly name: string
  readonly accountNumbers: readonly string[]
  readonly variant: Variant
  readonly signer: VariantSigner
  readonly token: () => string
}

/** The merchants by their account numbers. */
export type Accounts = ReadonlyMap<string, Merchant>

/** Requirements of the service, which determine the faults of a file. `setting` is the name in messages. */
export type Requirements = Readonly<{ path: string, setting: string, isStrict: boolean, accountNumberDigits: number }>

type GivenEntry = { name?: unknown, token?: unknown, tokenFile?: unknown, accountNumbers?: unknown } | null

/** True for a name that may be a token in the wrong place. Names are in the log, the audit and the metrics. */
const looksLikeToken = (name: unknown, tokens: ReadonlySet<unknown>): boolean =>
  tokens.has(name) || /^[0-9a-f]{64}$/i.test(String(name))

/** Returns the words for an entry in messages. A name that may be a token is not shown. */
function titleOf (
  entry: GivenEntry | undefined, index: number | string, tokens: ReadonlySet<unknown> = new Set()
): string {
  const name = entry?.name
  const isShown = Value.Check(Caller.properties.name, name) && !looksLikeToken(name, tokens)
  return isShown ? `merchant "${name}"` : `merchants.${index}`
}

const hidden = 'that is not shown, since it may be a token'

/** Returns a key or an account number for a message. A long text is not shown: it may be a token in the wrong place. */
const shown = (text: string): string => text.length < 16 ? `"${text}"` : `a text ${hidden}`

/** Returns the faults of a value, without long keys: they may be tokens in the wrong place. */
const faultsOf = (schema: TSchema, value: unknown, name: string): string[] => schemaFaults(schema, value, name)
  .map(fault => fault.replace(/^.{16,}(?= is not known$)/s, `a key ${hidden},`))

/** Returns a token without its trailing digits and points; a token of digits and points as it is. */
function coreOf (token: string): string {
  let end = token.length
  while (end > 0 && '0123456789.'.includes(token[end - 1]!)) end--
  return token.slice(0, end) || token
}

/**
 * Yields pairs of tokens of which one begins or ends with the other, apart from trailing digits and points: the scheme
 * joins its terms without separators, and the digits of the account follow the token. A signature of one merchant could
 * be valid for the other.
 */
export function * overlapping (tokens: readonly string[]): Generator<[token: string, longer: string]> {
  for (const view of [(text: string) => text, (text: string) => [...text].reverse().join('')]) {
    const sorted = tokens.map(token => [view(coreOf(token)), token] as const)
      .sort(([one], [other]) => one < other ? -1 : Number(one > other))
    for (const [index, [text, token]] of sorted.entries()) {
      const next = sorted[index + 1] // if a text is the beginning of any, then of the next one
      if (next?.[0].startsWith(text)) yield [token, next[1]]
    }
  }
}

/** The text of a file of merchants and of its token files, not checked yet. */
export type MerchantFiles = Awaited<ReturnType<typeof readMerchantFiles>>

/**
 * Reads a file of merchants and its token files, one after the other.
 *
 * @param flag - flag with which the files are opened
 * @returns also the tokens of token files by their entries, and a fingerprint of all texts
 * @throws TokenError `ERR_TOKEN`: a file cannot be read, or is no JSON
 */
export async function readMerchantFiles ({ path, setting }: Pick<Requirements, 'path' | 'setting'>, flag?: number) {
  const { text, value } = await readJsonFile(path, flag).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code ?? cause.message // a message with a code repeats the path
    throw new TokenError(`${setting} is ${shownPath(path)}, which cannot be used: ${reason}`, { cause })
  })
  await pause()
  const entries = Value.Check(File, value) ? value.merchants as GivenEntry[] : []
  const fileTokens = new Map<unknown, string>()
  for (const [index, entry] of entries.entries()) {
    if (typeof entry?.tokenFile !== 'string') continue
    if (fileTokens.size === maxTokenFiles) throw new TokenError(`${setting}: only ${maxTokenFiles} merchants may have a tokenFile`)
    const place = `${setting}: ${titleOf(entry, index)}: tokenFile`
    fileTokens.set(entry, await readTokenFile(entry.tokenFile, place, flag, dirname(path)))
  }
  await pause()
  const fingerprint = hash256([text, ...fileTokens.values()].join('\0'))
  return { text, value, entries, fileTokens, fingerprint, isReadable: await isReadableByAll(path) }
}

/** The checked content of a file of merchants. */
export type MerchantsContent = Awaited<ReturnType<typeof checkMerchants>>

/**
 * Checks the content of a file of merchants. Long computations run in slices.
 *
 * @returns the merchants, also by account number, their different tokens, their variants (`A`, `B` or `A,B`), and a key
 * check value of all, which differs if an account has another token or variant
 * @throws TokenError `ERR_TOKEN`: the content cannot be used. The message has a line for each fault, without a token.
 */
export async function checkMerchants (
  { text, value, entries, fileTokens, fingerprint, isReadable }: MerchantFiles,
  { path, setting, isStrict, accountNumberDigits }: Requirements
) {
  await pause()
  const faults = entries.length > 0 ? [] : faultsOf(File, value, 'the file')
  const given = new Set([...fileTokens.values(), ...entries.map(entry => entry?.token)])
  let duplicate: string | undefined
  for (duplicate of duplicatesIn(text, sliceLength)) await pause()
  if (duplicate !== undefined) {
    const [, index, key = ''] = /^(?:merchants\.(\d+)\.)?(.*)$/s.exec(duplicate) as RegExpExecArray
    const place = index === undefined ? 'the file' : titleOf(entries[Number(index)], index, given)
    faults.push(`${place}: ${shown(key)} is given twice`)
  }

  const warnings = new Map<string, string[]>()
  const warn = (title: string, warning: string) => warnings.get(warning)?.push(title) ?? warnings.set(warning, [title])
  if (isReadable) warn(`the file ${path}`, 'every user of this machine can read it: chmod o-r')
  const merchants: Merchant[] = []
  const names = new Set<string>()
  const accounts = new Map<string, Merchant>()
  const owners = new Map<string, string>()
  const lines: string[] = []
  for (const [index, entry] of entries.entries()) {
    await pause()
    const title = titleOf(entry, index, given)
    const fail = (fault: string) => faults.push(`${title}: ${fault}`)
    const hasBoth = Value.Check(Type.Object({}), entry?.accountNumbers) && !Array.isArray(entry?.accountNumbers)
    const schema = hasBoth ? EntryOfBoth : Entry
    if (!Value.Check(schema, entry)) {
      faultsOf(schema, entry, 'the entry').forEach(fail)
      continue
    }
    const { name, accountNumbers, tokenFile, token = fileTokens.get(entry) } = entry
    if (looksLikeToken(name, given)) fail('name looks like a token; log, audit and metrics show names')
    if (name === 'other') fail('metrics give the name "other" to further merchants')
    if (token === undefined || (entry.token !== undefined && tokenFile !== undefined)) {
      fail('must have either token or tokenFile')
      continue
    }
    if (token === developmentToken) fail('the token is the development token, which everybody knows')
    const actual = keyCheckValue(token)
    if ((entry.keyCheckValue ?? actual) !== actual) fail(`the token has the key check value ${actual}, not ${entry.keyCheckValue}`)
    const strictFault = isStrict ? strictTokenFault(token) : undefined
    if (strictFault !== undefined) fail(`STRICT ${strictFault}`)
    if (names.has(name)) fail('another merchant has this name')
    const owner = owners.get(token)
    if (owner !== undefined) fail(`has the token of ${owner}: each merchant needs a token of its own`)
    owners.set(token, title)
    const lists: Readonly<Record<string, readonly string[]>> = Array.isArray(accountNumbers)
      ? { [(entry as Static<typeof Entry>).variant ?? 'A']: accountNumbers }
      : accountNumbers
    const lengths = new Set(Object.values(lists).flat().map(({ length }) => length))
    if (lengths.size > 1) {
      fail('the account numbers have different lengths: a signature could be valid for two accounts')
    }
    for (const variant of variantNames) {
      const numbers = lists[variant] ?? []
      if (numbers.length === 0) continue
      const merchant = { name, accountNumbers: numbers, variant, signer: signerOf(variant, token), token: () => token }
      for (const number of numbers) {
        const other = accounts.get(number)
        if (other !== undefined) fail(`merchant "${other.name}" has the account number ${shown(number)}, too`)
        if (isStrict && (number.length !== accountNumberDigits || !/^[0-9]+$/.test(number))) {
          fail(`accountNumbers has ${shown(number)}; an account number must be ${accountNumberDigits} digits (ACCOUNT_NUMBER_DIGITS)`)
        }
        accounts.set(number, merchant)
      }
      merchants.push(merchant)
      lines.push(`${[...numbers].sort().join()} ${variant} ${token}`)
    }
    names.add(name)
    for (const warning of tokenWarnings(token)) warn(title, `the token ${warning}`)
  }
  const tokens = [...owners.keys()]
  await pause()
  for (const [token, longer] of overlapping(tokens)) {
    const fault = `without its trailing digits and points, the token begins or ends that of ${owners.get(longer)}: ` +
      'a signature of one could be valid for the other'
    if (isStrict) faults.push(`${owners.get(token)}: ${fault}`)
    else warn(String(owners.get(token)), fault)
    if (warnings.size + faults.length > maxFaults) break
  }
  if (faults.length > 0) {
    const redaction = new Redaction() // a fault quotes names and account numbers: they may be misplaced tokens
    await redaction.hideAll([...given].filter(token => typeof token === 'string'))
    throw new TokenError(redaction.redact(faults.slice(0, maxFaults).map(fault => `${setting}: ${fault}`).join('\n')))
  }
  await pause()
  lines.sort()
  await pause()
  const ofAll = keyCheckValue(lines.join('\n'))
  const variant = [...new Set(merchants.map(({ variant }) => variant))].sort().join()
  const counted = owners.size === 1 ? '1 merchant' : `${owners.size} merchants`
  const warningLines = [...warnings].map(([warning, titles]) => `${setting}: ${andMore(titles)}: ${warning}`)
  return { merchants, accounts, tokens, variant, fingerprint, counted, keyCheckValue: ofAll, warnings: warningLines }
}
