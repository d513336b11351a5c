import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Type, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { firstDuplicateInSlices } from '../guard/duplicate-keys.js'
import { Caller } from '../guard/policy.js'
import { schemaFaults } from '../guard/schema-faults.js'
import { strictTokenFault } from '../guard/strict.js'
import { hash256, type VariantSigner } from '../scheme/variant.js'
import { signerOf, variantNames, type Variant } from '../scheme/variants.js'
import { slices, type Pause } from '../text/slices.js'
import { parseJson } from '../text/parse-json.js'
import { developmentToken } from '../token/development-token.js'
import { keyCheckValue } from '../token/key-check-value.js'
import { isReadableByAll, readTokenFile, shownPath, TokenError } from '../token/token-file.js'
import { tokenWarnings } from '../token/token-warnings.js'

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

/** Limit of the faults in a message. */
const maxFaults = 20

/** A merchant. The signer has the token, and does not show it. */
export interface Merchant {
  readonly name: string
  readonly variant: Variant
  readonly signer: VariantSigner
}

/** Requirements of the service, which determine the faults of a file. `setting` is the name in messages. */
type Requirements = Readonly<{ path: string, setting: string, isStrict: boolean, accountNumberDigits: number }>

/** Returns the words for an entry in messages. A name that is not valid is not shown: it may be a token. */
function titleOf (entry: unknown, index: number | string): string {
  const name = (entry as { name?: unknown } | null)?.name
  return Value.Check(Caller.properties.name, name) ? `merchant "${name}"` : `merchants.${index}`
}

/** Returns an account number for a message. A long text is not shown: it may be a token in the wrong place. */
const shown = (number: string): string => number.length < 16 ? `"${number}"` : 'a text that is not shown, since it may be a token'

/** Returns the faults of a value, without long keys: they may be tokens in the wrong place. */
const faultsOf = (schema: TSchema, value: unknown, name: string): string[] => schemaFaults(schema, value, name)
  .map(fault => fault.replace(/^.{16,}(?= is not known$)/s, 'a key that is not shown, since it may be a token,'))

/** Text before the token in a request without an order id (specification 4.2). */
const beforeToken = 'null'

/**
 * Calls a function with each pair of tokens of which one is inside the other, or inside it and the text before it, or
 * of which the end of one, half of the shorter token or more, is the beginning of the other. The scheme joins its terms
 * without separators.
 */
export async function compareTokens (
  tokens: readonly string[], pause: Pause, report: (token: string, other: string, isInside: boolean) => void
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
      const shared = end - beforeToken.length
      for (const other of byEnd.get(text.slice(end - length, end)) ?? []) {
        if (other === token) continue
        if (text.endsWith(other, end)) report(other, token, true)
        else if (shared * 2 < Math.min(token.length, other.length)) continue
        else if (other.endsWith(token.slice(0, shared))) report(other, token, false)
      }
    }
  }
}

/** Returns a line for each warning, with the first merchant and the number of the others. */
const counted = (warnings: ReadonlyMap<string, string[]>) => [...warnings].map(([warning, [first, ...rest]]) =>
  `${first}${rest.length === 0 ? '' : ` and ${rest.length} more`}: ${warning}`)

/** The checked content of a file of merchants. */
export type MerchantsContent = NonNullable<Awaited<ReturnType<typeof readMerchants>>>

/**
 * Reads and checks a file of merchants and their token files, one after the other. Long computations run in slices.
 *
 * @param known - fingerprint of the content in use
 * @param flag - flag with which the files are opened
 * @returns the merchants, also by account number, their variants (`A`, `B` or `A,B`), and the key check value of the
 * different tokens, in the order of the file, joined by line feeds; undefined if the content is the one in use
 * @throws TokenError `ERR_TOKEN`: the files cannot be used. The message has a line for each fault, without a token.
 */
export async function readMerchants (
  { path, setting, isStrict, accountNumberDigits }: Requirements, known?: string, flag?: number
) {
  const pause = slices()
  let text = ''
  let value: unknown
  try {
    text = (await readFile(path, { encoding: 'utf8', flag })).replace(/^\ufeff/, '')
    value = parseJson(text, 'the file')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException // a message with a code repeats the path
    throw new TokenError(`${setting} is ${shownPath(path)}, which cannot be used: ${code ?? message}`, { cause })
  }
  const entries = Value.Check(File, value) ? value.merchants as Array<{ tokenFile?: unknown } | null> : []
  const fileTokens = new Map<unknown, string>()
  for (const [index, entry] of entries.entries()) {
    if (typeof entry?.tokenFile !== 'string') continue
    if (fileTokens.size === maxTokenFiles) throw new TokenError(`${setting}: only ${maxTokenFiles} merchants may have a tokenFile`)
    fileTokens.set(entry, await readTokenFile(entry.tokenFile, `${setting}: ${titleOf(entry, index)}: tokenFile`, flag, dirname(path)))
  }
  await pause()
  const fingerprint = hash256([text, ...fileTokens.values()].join('\0'))
  if (fingerprint === known) return undefined
  await pause()
  const faults = entries.length > 0 ? [] : faultsOf(File, value, 'the file')
  const duplicate = (await firstDuplicateInSlices(text, pause))
    // The place, and the key. A long key is not shown, also if it contains points.
    ?.replace(/^(merchants\.\d+\.)?(.*)$/s, (_all, place = '', key) => place + (key.length < 16 ? key : 'a key that is not shown'))
    .replace(/^merchants\.(\d+)/, (_all, index) => titleOf(entries[Number(index)], index))
  if (duplicate !== undefined) faults.push(`${duplicate} is given twice`)

  const warnings = new Map<string, string[]>()
  const warn = (title: string, warning: string) => warnings.get(warning)?.push(title) ?? warnings.set(warning, [title])
  if (await isReadableByAll(path)) warn(`the file ${path}`, 'every user of this machine can read it: chmod o-r')
  const names = new Set<string>()
  const merchants: Array<Omit<Merchant, 'signer'> & { token: string, accountNumbers: string[] }> = []
  const byAccount = new Map<string, Merchant>()
  const owners = new Map<string, { title: string, length: number }>()
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
    if (names.has(name)) fail('another merchant has this name')
    names.add(name)
    const merchant = { name, variant, signer: signerOf(variant, token) }
    const owner = owners.get(token) ?? { title, length: accountNumbers[0]!.length }
    for (const number of accountNumbers) {
      const other = byAccount.get(number)
      if (other !== undefined) fail(`merchant "${other.name}" has the account number ${shown(number)}, too`)
      if (isStrict && (number.length !== accountNumberDigits || !/^[0-9]+$/.test(number))) {
        fail(`accountNumbers has ${shown(number)}; an account number must be ${accountNumberDigits} digits (ACCOUNT_NUMBER_DIGITS)`)
      }
      if (number.length !== owner.length && owner.title !== title) {
        fail(`has the token of ${owner.title} and another length of account numbers: signatures of one would be valid for the other`)
      }
      byAccount.set(number, merchant)
    }
    const strictFault = isStrict ? strictTokenFault(token) : undefined
    if (strictFault !== undefined) fail(`STRICT ${strictFault}`)
    owners.set(token, owner)
    merchants.push({ name, variant, token, accountNumbers })
    for (const warning of tokenWarnings(token)) warn(title, `the token ${warning}`)
  }
  const tokens = [...owners.keys()]
  if (new Set(tokens.map(({ length }) => length)).size > 1) warn('the merchants', 'the tokens have different lengths')
  await compareTokens(tokens, pause, (token, other, isInside) => {
    const { title } = owners.get(token)!
    if (isInside && isStrict) faults.push(`${title}: the token is inside ${owners.get(other)!.title}'s, or inside null and that token`)
    else warn(title, `${isInside ? 'the token' : 'half of the token or more'} is also in the token of another merchant`)
  })
  if (faults.length > 0) throw new TokenError(faults.slice(0, maxFaults).map(fault => `${setting}: ${fault}`).join('\n'))
  const lines = counted(warnings).map(line => `${setting}: ${line}`)
  const variant = [...new Set(merchants.map(({ variant }) => variant))].sort().join()
  return { merchants, byAccount, variant, fingerprint, keyCheckValue: keyCheckValue(tokens.join('\n')), warnings: lines }
}
