import { dirname } from 'node:path'
import { Type, type TSchema } from '@sinclair/typebox'
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
import { isReadableByAll, readTokenFile, shownPath, TokenError } from './token-file.js'
import { tokenWarnings } from './token-warnings.js'

/** An entry of the file. Each description completes the sentence "… must be". */
const Entry = Type.Object({
  name: Caller.properties.name,
  accountNumbers: Type.Array(Type.String({ pattern: '^[!-~]{1,64}$', description: '1 to 64 visible ASCII characters' }), {
    minItems: 1, description: 'a list of at least one account number'
  }),
  token: Type.Optional(Type.String({ minLength: 1, description: 'a non-empty string' })),
  tokenFile: Type.Optional(Type.String({ minLength: 1, description: 'the path of a file' })),
  keyCheckValue: Type.Optional(Type.String({ pattern: '^[0-9a-f]{6}$', description: '6 lowercase hexadecimal digits' })),
  variant: Type.Optional(Type.Union(variantNames.map(name => Type.Literal(name)), { description: variantNames.join(' or ') }))
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

/** Returns the words for an entry in messages. A name that is not valid is not shown: it may be a token. */
function titleOf (entry: unknown, index: number | string): string {
  const name = (entry as { name?: unknown } | null)?.name
  return Value.Check(Caller.properties.name, name) ? `merchant "${name}"` : `merchants.${index}`
}

const hidden = 'that is not shown, since it may be a token'

/** Returns a key or an account number for a message. A long text is not shown: it may be a token in the wrong place. */
const shown = (text: string): string => text.length < 16 ? `"${text}"` : `a text ${hidden}`

/** Returns the faults of a value, without long keys: they may be tokens in the wrong place. */
const faultsOf = (schema: TSchema, value: unknown, name: string): string[] => schemaFaults(schema, value, name)
  .map(fault => fault.replace(/^.{16,}(?= is not known$)/s, `a key ${hidden},`))

/** Text before the token in a request without an order id (specification 4.2). */
const beforeToken = 'null'

/**
 * Calls a function with each pair of tokens of which one is inside the other, or inside it and the text before it, or
 * of which the end of one, half of the shorter token or more, is the beginning of the other. The scheme joins its terms
 * without separators.
 */
export async function compareTokens (
  tokens: readonly string[], report: (token: string, other: string, isInside: boolean) => void
): Promise<void> {
  const length = Math.ceil(Math.min(...tokens.map(({ length }) => length)) / 2)
  const byEnd = new Map<string, string[]>()
  for (const token of tokens) {
    await pause()
    const end = token.slice(-length)
    byEnd.get(end)?.push(token) ?? byEnd.set(end, [token])
  }
  for (const token of tokens) {
    await pause()
    const text = beforeToken + token
    for (let end = length; end <= text.length; end++) {
      const shared = text.slice(beforeToken.length, end)
      for (const other of byEnd.get(text.slice(end - length, end)) ?? []) {
        if (other === token) continue
        const isHalf = shared.length * 2 >= Math.min(token.length, other.length)
        if (text.endsWith(other, end)) report(other, token, true)
        else if (isHalf && other.endsWith(shared)) report(other, token, false)
      }
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
  const entries = Value.Check(File, value) ? value.merchants as Array<{ tokenFile?: unknown } | null> : []
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
  let duplicate: string | undefined
  for (duplicate of duplicatesIn(text, sliceLength)) await pause()
  if (duplicate !== undefined) {
    const [, index, key = ''] = /^(?:merchants\.(\d+)\.)?(.*)$/s.exec(duplicate) as RegExpExecArray
    const place = index === undefined ? 'the file' : titleOf(entries[Number(index)], index)
    faults.push(`${place}: ${shown(key)} is given twice`)
  }

  const warnings = new Map<string, string[]>()
  const warn = (title: string, warning: string) => warnings.get(warning)?.push(title) ?? warnings.set(warning, [title])
  if (isReadable) warn(`the file ${path}`, 'every user of this machine can read it: chmod o-r')
  const merchants: Merchant[] = []
  const names = new Set<string>()
  const accounts = new Map<string, Merchant>()
  const owners = new Map<string, Merchant>()
  const lines: string[] = []
  for (const [index, entry] of entries.entries()) {
    await pause()
    const title = titleOf(entry, index)
    const fail = (fault: string) => faults.push(`${title}: ${fault}`)
    if (!Value.Check(Entry, entry)) {
      faultsOf(Entry, entry, 'the entry').forEach(fail)
      continue
    }
    const { name, accountNumbers, variant = 'A', tokenFile, token = fileTokens.get(entry) } = entry
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
    const merchant = { name, accountNumbers, variant, signer: signerOf(variant, token), token: () => token }
    const owner = owners.get(token) ?? merchant
    for (const number of accountNumbers) {
      const other = accounts.get(number)
      if (other !== undefined) fail(`merchant "${other.name}" has the account number ${shown(number)}, too`)
      if (isStrict && (number.length !== accountNumberDigits || !/^[0-9]+$/.test(number))) {
        fail(`accountNumbers has ${shown(number)}; an account number must be ${accountNumberDigits} digits (ACCOUNT_NUMBER_DIGITS)`)
      }
      if (owner !== merchant && number.length !== owner.accountNumbers[0]!.length) {
        fail(`has the token of merchant "${owner.name}" and another length of account numbers: signatures of one would be valid for the other`)
      }
      accounts.set(number, merchant)
    }
    owners.set(token, owner)
    merchants.push(merchant)
    names.add(name)
    lines.push(`${[...accountNumbers].sort().join()} ${variant} ${token}`)
    for (const warning of tokenWarnings(token)) warn(title, `the token ${warning}`)
  }
  const tokens = [...owners.keys()]
  if (new Set(tokens.map(({ length }) => length)).size > 1) warn('the merchants', 'the tokens have different lengths')
  await compareTokens(tokens, (token, other, isInside) => {
    const [title, longer] = [token, other].map(one => `merchant "${owners.get(one)!.name}"`) as [string, string]
    if (isInside && isStrict) faults.push(`${title}: the token is inside ${longer}'s, or inside null and that token`)
    else warn(title, `${isInside ? 'the token' : 'half of the token or more'} is also in the token of another merchant`)
  })
  if (faults.length > 0) throw new TokenError(faults.slice(0, maxFaults).map(fault => `${setting}: ${fault}`).join('\n'))
  await pause()
  lines.sort()
  await pause()
  const ofAll = keyCheckValue(lines.join('\n'))
  const variant = [...new Set(merchants.map(({ variant }) => variant))].sort().join()
  const counted = merchants.length === 1 ? '1 merchant' : `${merchants.length} merchants`
  const warningLines = [...warnings].map(([warning, titles]) => `${setting}: ${andMore(titles)}: ${warning}`)
  return { merchants, accounts, tokens, variant, fingerprint, counted, keyCheckValue: ofAll, warnings: warningLines }
}
