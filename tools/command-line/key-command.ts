import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { CommandError, commandOf } from '../../src/command-line/command.js'
import { policyFaults, type Caller } from '../../src/guard/policy.js'
import { hash256 } from '../../src/scheme/variant.js'
import { json } from '../../src/text/characters.js'
import { accountNumberDigits } from './policy-command.js'
import { merchantsFrom, variantOf, withValue } from './scheme-input.js'
import { programName } from '../../src/text/program.js'

/** Returns a random API key. Secret scanners and people recognise its prefix. */
const newKey = (): string => `psk_${randomBytes(32).toString('hex')}`

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Returns the items of a comma-separated list. */
const listIn = (text: string): string[] => text.split(',').map(item => item.trim())

export const command = commandOf({
  help: `Usage: payment-signature key new NAME --account-numbers LIST [options]
       payment-signature key new [NAME] --merchants FILE --out FILE [options]

Makes a random API key, and its entry for "callers" of the policy (POLICY_FILE). The key is shown only once: the entry
has its SHA-256. With --merchants and without NAME, makes a key and an entry for each merchant, and prints a policy.

Options
  --account-numbers LIST      the accounts that the caller may sign for, separated by commas
  --operations LIST           the operations that the caller may have signed; default: purchase
  --merchants FILE            the account numbers of the merchant NAME, or of each merchant, from a file of merchants
  --out FILE                  write the keys by name into a new file, which only you can read, instead of printing them
  --variant A|B               default: VARIANT, or else A; merchants have their own
  --json                      { "key", "caller" }, or with --out the entry or policy only

Exit code: 0 done, 2 wrong usage

Example
  payment-signature key new --merchants merchants.json --out keys.json > policy.json
`,

  options: {
    ...withValue('account-numbers', 'operations', 'merchants', 'out', 'variant'),
    json: { type: 'boolean' }
  },
  maxPositionals: 2,

  async run ({ values, positionals: [action, name] }, io) {
    const { merchants: path, out, operations = 'purchase', 'account-numbers': accountNumbers } = values
    if (action !== 'new') throw new CommandError(`usage: ${programName(io.env)} key new NAME --account-numbers LIST`)
    if ((path === undefined) === (accountNumbers === undefined)) {
      throw new CommandError('pass either --account-numbers LIST or --merchants FILE')
    }
    if (name === undefined && path === undefined) throw new CommandError('missing NAME: the name of the caller')
    if (name === undefined && out === undefined) throw new CommandError('missing --out FILE: the file for the keys of all merchants')

    const digits = accountNumberDigits(io)
    const rules = { isStrict: true, accountNumberDigits: digits }
    const content = path === undefined ? undefined : await merchantsFrom({ merchants: path }, io, rules)
    const known = content?.merchants ?? [{ name: name!, accountNumbers: listIn(accountNumbers!) }]
    const owners = known.filter(merchant => name === undefined || merchant.name === name)
    if (owners.length === 0) throw new CommandError(`${path} has no merchant "${name}"`)

    const keys = owners.map(newKey)
    const callers = owners.map(({ name, accountNumbers }, index) => ({
      name, apiKeySha256: hash256(keys[index]!), operations: listIn(operations) as Caller['operations'], accountNumbers: [...accountNumbers]
    }))
    const [fault] = policyFaults({ callers }, {
      variant: variantOf(values, io), accounts: content?.accounts, accountNumberDigits: digits, isProduction: false
    })
    if (fault !== undefined) throw new CommandError(fault.replace(/^callers\.\d+\./, ''))

    const entry = name === undefined ? { callers } : callers[0]
    if (out === undefined) {
      const shown = `The key, which is shown only now:\n\n${keys[0]}\n\nIts entry in "callers" of the policy:\n\n`
      io.stdout.write(values.json ? json({ key: keys[0], caller: callers[0] }) : shown + pretty(entry))
      return true
    }
    const byName = Object.fromEntries(owners.map(({ name }, index) => [name, keys[index]]))
    await writeFile(out, pretty(byName), { flag: 'wx', mode: 0o600 }).catch(({ code }: NodeJS.ErrnoException) => {
      throw new CommandError(code === 'EEXIST'
        ? `${out} exists, and may have keys that are in use: pass the path of a new file`
        : `${out} cannot be written (${code})`)
    })
    io.stdout.write(values.json ? json(entry) : pretty(entry))
    return true
  }
})
