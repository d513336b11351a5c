import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { PolicyCaller } from '../../src/guards/policy/policy-schema.js'
import type { MerchantEntry } from '../../src/merchants/many/merchants-file.js'
import { hash256 } from '../../src/scheme/signer.js'
import { accountNumberDigits, faultsOf, readPolicy, variantOfAll } from './check-policy-command.js'
import { assertGiven, commandOf, fail, marksOf, text, type Io } from './command.js'
import { merchantsFrom, variantOf } from './input.js'

/** Returns a random API key. Secret scanners and people recognise its prefix. */
export const newKey = (): string => `psk_${randomBytes(32).toString('hex')}`

/** Returns indented JSON. A list of numbers and texts is on one line. */
export const pretty = (value: unknown): string => JSON.stringify(value, null, 2)
  .replace(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, items: string) => `[${items.replace(/\n\s+/g, ' ')}]`) + '\n'

/** Returns the items of a comma-separated list. */
export const listIn = (text: string): string[] => text.split(',').map(item => item.trim())

/** Writes keys by name into a new private file. Without a path, writes the only key to standard output. */
async function writeKeys (path: string | undefined, keys: Record<string, string>, { stdout }: Io): Promise<void> {
  if (path === undefined) {
    const shown = `The key, which is shown only now:\n\n${Object.values(keys)[0]}\n\n`
    return new Promise((resolve, reject) => { stdout.write(shown, error => error ? reject(error) : resolve()) })
  }
  await writeFile(path, pretty(keys), { flag: 'wx', mode: 0o600 }).catch(({ code }: NodeJS.ErrnoException) => fail(code === 'EEXIST'
    ? `${path} exists, and may have keys that are in use: pass the path of a new file`
    : `${path} cannot be written (${code})`))
}

/**
 * Replaces a file at once and whole: a new file beside it takes its owner, group, mode and name. A symbolic link is
 * followed. A file that does not exist is made.
 */
async function replaceFile (path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const before = await stat(target).catch(() => undefined)
  const beside = `${target}.${randomBytes(4).toString('hex')}`
  try {
    const file = await open(beside, 'wx', 0o600)
    try {
      await file.writeFile(text)
      if (before !== undefined) await file.chown(before.uid, before.gid)
      await file.chmod(before?.mode ?? 0o644)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, target)
  } catch (error) {
    await rm(beside, { force: true })
    fail(`${path} cannot be replaced (${(error as NodeJS.ErrnoException).code}), and is as it was: run the command as the ` +
      'owner of the file, or with sudo. The new key is in no policy')
  }
}

/** Returns a caller for each merchant, and one for the alert: `probe` may inquire about one account. */
function callersOf (entries: readonly MerchantEntry[], rights: Pick<PolicyCaller, 'operations' | 'maximumAmount'>): PolicyCaller[] {
  const callers = new Map<string, PolicyCaller>()
  for (const { name } of entries) {
    const own = entries.filter(entry => entry.name === name) // one for each variant
    const accountNumbers = own.flatMap(({ accountNumbers }) => accountNumbers)
    callers.set(name, { name, ...rights, accountNumbers })
  }
  const probed = entries.find(({ variant }) => variant === 'A')
  if (probed !== undefined && !callers.has('probe')) {
    callers.set('probe', { name: 'probe', operations: ['inquiry'], accountNumbers: probed.accountNumbers.slice(0, 1) })
  }
  return [...callers.values()]
}

export const command = commandOf({
  usage: 'NAME --account-numbers LIST [options]\n' +
    '       payment-signature new-key NAME --policy-file FILE (--add-digest | --replace)\n' +
    '       payment-signature new-key [NAME] --merchants-file FILE --policy-file FILE --keys-file FILE [options]',
  help: `Makes a random API key, and its entry for "callers" of the policy (POLICY_FILE). The key is shown only once: the entry
has its SHA-256. With --policy-file, the entry is added to that policy, which is first checked as a whole. With
--merchants-file, each merchant without a caller in the policy gets one, and the alert gets the caller "probe".`,
  options: {
    'account-numbers': text('LIST', 'the accounts that the caller may sign for, separated by commas'),
    operations: text('LIST', 'the operations that the caller may have signed; default: purchase'),
    'maximum-amount': text('AMOUNT', 'the highest amount of a purchase or refund, such as 500.00; needed for merchants'),
    'policy-file': text('FILE', 'the policy to change; a file that does not exist is made'),
    'add-digest': { type: 'boolean', help: 'a second key for a caller of the policy, whose first key stays valid' },
    replace: { type: 'boolean', help: 'another key for a caller of the policy, whose keys end' },
    'keys-file': text('FILE', 'write the keys by name into a new file, which only you can read, instead of printing them'),
    'merchants-file': text('FILE', 'a key for each merchant of this file, or for the one of NAME')
  },
  end: `Exit code: 0 done, 2 nothing was changed

Example
  payment-signature new-key reports --account-numbers 102551 --operations inquiry --policy-file policy.json`,
  maxPositionals: 1,

  async run ({ values, positionals: [name] }, io) {
    const {
      'account-numbers': accounts, operations = 'purchase', 'maximum-amount': maximumAmount, 'policy-file': policyFile,
      'add-digest': isSecond, replace, 'keys-file': keysFile, 'merchants-file': merchantsFile
    } = values
    if ([accounts, merchantsFile, isSecond, replace].filter(value => value !== undefined).length !== 1) {
      fail('pass one of --account-numbers LIST, --merchants-file FILE, --add-digest and --replace')
    }
    const isChange = isSecond ?? replace ?? false
    if (isChange && (values.operations ?? maximumAmount) !== undefined) {
      fail('a caller keeps its rights: leave out --operations and --maximum-amount')
    }
    const isLimited = merchantsFile === undefined || !/purchase|refund/.test(operations)
    assertGiven({
      NAME: name ?? merchantsFile,
      '--policy-file': policyFile ?? accounts,
      '--keys-file': keysFile ?? name ?? accounts,
      '--maximum-amount': isLimited || maximumAmount
    })

    const rules = { strict: true, accountNumberDigits: accountNumberDigits(io) }
    const entries = merchantsFile === undefined ? undefined : await merchantsFrom(values, io, rules)
    const variant = entries === undefined ? variantOf({}, io) : variantOfAll(entries)
    const isNew = policyFile === undefined || !existsSync(policyFile)
    const nothing = { policy: { callers: [] }, faults: [] }
    const { policy: { callers }, faults } = isNew ? nothing : await readPolicy(policyFile, variant, io)
    if (faults.length > 0) fail(faults.map(fault => `${policyFile}: ${fault}`).join('\n'))
    const known = callers.find(caller => caller.name === name)
    if (isChange && known === undefined) fail(`${policyFile} has no caller "${name}"`)
    if (!isChange && known !== undefined) {
      fail(`${policyFile} has a caller "${name}": --add-digest makes a second key for it, --replace another one`)
    }
    const rights = { operations: listIn(operations) as PolicyCaller['operations'], ...maximumAmount !== undefined && { maximumAmount } }
    const all = entries ? callersOf(entries, rights) : [known ?? { name: name!, ...rights, accountNumbers: listIn(accounts ?? '') }]
    const isMissing = (own: string) => callers.every(({ name }) => name !== own)
    const wanted = all.filter(caller => name === undefined ? isMissing(caller.name) : name === caller.name)
    if (wanted.length === 0) fail(name === undefined ? `${policyFile} has a caller for each merchant` : `${merchantsFile} has no merchant "${name}"`)

    const keys: Record<string, string> = Object.create(null) // a merchant may have the name __proto__
    const made = wanted.map(({ name, apiKeySha256: before = [], ...rest }) => {
      const digest = hash256(keys[name] = newKey())
      return { name, apiKeySha256: isSecond ? [before, digest].flat() : digest, ...rest }
    })
    const next = known ? callers.map(caller => caller === known ? made[0] : caller) : [...callers, ...made]
    for (const fault of faultsOf({ callers: next }, variant, io)) fail(fault.replace(/^callers\.\d+\./, ''))

    await writeKeys(keysFile, keys, io)
    if (policyFile === undefined) {
      io.stdout.write(`${keysFile === undefined ? 'Its entry in "callers" of the policy:\n\n' : ''}${pretty(made[0])}`)
      return true
    }
    await replaceFile(policyFile, pretty({ callers: next })).catch(async error => {
      if (keysFile !== undefined) await rm(keysFile)
      throw error
    })
    io.stdout.write(`${policyFile} has the digest of ${made.map(({ name }) => name).join(', ')}; the service reads it within 10 seconds\n`)
    if (callers.length > 0 && callers.every(({ apiKeySha256 }) => apiKeySha256 === undefined)) {
      io.stdout.write(`${marksOf(io).warning} the policy had no key: from now on, the header Authorization must have a key, and pages that send a session in it get 401\n`)
    }
    return true
  }
})
