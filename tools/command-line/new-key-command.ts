import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { PolicyCaller } from '../../src/guards/policy/policy-schema.js'
import { hash256 } from '../../src/scheme/signer.js'
import { CommandError, commandOf, text } from './command.js'
import { accountNumberDigits, faultsOf } from './check-policy-command.js'
import { merchantsFrom, merchantsOption, variantOf, variantOption } from './token-input.js'

/** Returns a random API key. Secret scanners and people recognise its prefix. */
export const newKey = (): string => `psk_${randomBytes(32).toString('hex')}`

export const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * Writes keys by name into a new file that only its owner can read.
 *
 * @throws CommandError the file exists, or cannot be written
 */
export async function writeKeys (path: string, keys: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(path, pretty(keys), { flag: 'wx', mode: 0o600 }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(code === 'EEXIST'
      ? `${path} exists, and may have keys that are in use: pass the path of a new file`
      : `${path} cannot be written (${code})`)
  })
}

/** Returns the items of a comma-separated list. */
export const listIn = (text: string): string[] => text.split(',').map(item => item.trim())

export const command = commandOf({
  usage: 'NAME --account-numbers LIST [options]\n' +
    '       payment-signature new-key [NAME] --merchants-file FILE --keys-file FILE [options]',
  help: `Makes a random API key, and its entry for "callers" of the policy (POLICY_FILE). The key is shown only once: the entry
has its SHA-256. With --merchants-file and without NAME, makes a key and an entry for each merchant: a whole policy.`,
  options: {
    'account-numbers': text('LIST', 'the accounts that the caller may sign for, separated by commas'),
    operations: text('LIST', 'the operations that the caller may have signed; default: purchase'),
    'keys-file': text('FILE', 'write the keys by name into a new file, which only you can read'),
    ...merchantsOption,
    ...variantOption
  },
  end: `Exit code: 0 done, 2 wrong usage

Example
  payment-signature new-key --merchants-file merchants.json --keys-file keys.json > policy.json`,
  maxPositionals: 1,

  async run ({ values, positionals: [name] }, io) {
    const { 'merchants-file': path, 'keys-file': out, operations = 'purchase', 'account-numbers': accountNumbers } = values
    if ((path === undefined) === (accountNumbers === undefined)) {
      throw new CommandError('pass either --account-numbers LIST or --merchants-file FILE')
    }
    if (name === undefined && path === undefined) throw new CommandError('missing NAME: the name of the caller')
    if (name === undefined && out === undefined) throw new CommandError('missing --keys-file FILE: the file for the keys of all merchants')
    const rules = { strict: true, accountNumberDigits: accountNumberDigits(io) }
    const merchants = path === undefined ? undefined : await merchantsFrom({ 'merchants-file': path }, io, rules)
    const own = { name: name!, accountNumbers: listIn(accountNumbers ?? ''), variant: variantOf(values, io) }
    const known = merchants ?? [own]
    const owners = known.filter(merchant => name === undefined || merchant.name === name)
    if (owners.length === 0) throw new CommandError(`${path} has no merchant "${name}"`)

    const names = [...new Set(owners.map(({ name }) => name))] // a merchant may have an entry for each variant
    const made = names.map(name => {
      const entries = owners.filter(owner => owner.name === name)
      const accountNumbers = entries.flatMap(({ accountNumbers }) => accountNumbers)
      const variant = entries.every(({ variant }) => variant === 'B') ? 'B' : 'A'
      const key = newKey()
      const allowed = listIn(operations) as PolicyCaller['operations']
      const digest = hash256(key)
      const caller: PolicyCaller = { name, apiKeySha256: digest, operations: allowed, accountNumbers }
      const [fault] = faultsOf({ callers: [caller] }, variant, io)
      if (fault !== undefined) throw new CommandError(fault.replace(/^callers\.\d+\./, ''))
      return { key, caller }
    })
    const callers = made.map(({ caller }) => caller)
    const entry = name === undefined ? { callers } : callers[0]
    if (out === undefined) {
      const [first] = made
      const shown = `The key, which is shown only now:\n\n${first!.key}\n\nIts entry in "callers" of the policy:\n\n`
      io.stdout.write(shown + pretty(entry))
      return true
    }
    await writeKeys(out, Object.fromEntries(made.map(({ key, caller }) => [caller.name, key])))
    io.stdout.write(pretty(entry))
    return true
  }
})
