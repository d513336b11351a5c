import { knownKeys, policyFaults, policyNotes, type Policy } from '../guard/policy.js'
import { parseJson } from '../text/parse-json.js'
import { variantHelp, variantOf } from './arguments.js'
import { CommandError, commandOf, type Io } from './command.js'
import { json, marksOf, visible } from './output.js'
import { nameOf, readText } from './read-text.js'

function accountNumberDigits (flag: string | undefined, { env }: Io): number {
  const text = flag ?? env.ACCOUNT_NUMBER_DIGITS ?? '6'
  if (/^0*(?:[1-9]|[12]\d|3[0-2])$/.test(text)) return Number(text)
  throw new CommandError(`${flag === undefined ? 'ACCOUNT_NUMBER_DIGITS' : '--account-number-digits'} must be an ` +
    'integer from 1 to 32')
}

export const command = commandOf({
  help: `Usage: payment-signature policy check FILE

Checks a policy file (POLICY_FILE) as the service does when it starts; - is standard input. NODE_ENV=production refuses
keys that the documentation shows. The environment counts, .env does not.

Options
${variantHelp}  --account-number-digits N   default: ACCOUNT_NUMBER_DIGITS, or else 6
  --json                      { "ok", "faults": ["…"], "notes": ["…"] }

Exit code: 0 valid, 1 invalid, 2 wrong usage

Example
  payment-signature policy check policy.json
`,

  options: {
    variant: { type: 'string' },
    'account-number-digits': { type: 'string' },
    json: { type: 'boolean' }
  },
  maxPositionals: 2,

  async run ({ values, positionals: [action, path] }, io) {
    if (action !== 'check' || path === undefined) throw new CommandError('usage: payment-signature policy check FILE')
    const deployment = {
      variant: variantOf(values, io),
      accountNumberDigits: accountNumberDigits(values['account-number-digits'], io),
      isProduction: io.env.NODE_ENV === 'production'
    }
    const text = await readText(path, io)
    const policy = parseJson(text, nameOf(path))
    const faults = policyFaults(policy, deployment, text)
    const ok = faults.length === 0
    const notes = ok ? policyNotes(policy as Policy) : []
    for (const warning of ok ? knownKeys(policy as Policy) : []) io.stderr.write(`payment-signature: warning: ${visible(warning)}\n`)
    const marks = marksOf(io)
    const lines = ok
      ? [`${marks.ok} callers: ${(policy as Policy).callers.map(({ name }) => name).join(', ')}`, ...notes.map(note => `${marks.warning} ${note}`)]
      : faults.map(fault => `${marks.failed} ${visible(fault)}`)
    io.stdout.write(values.json ? json({ ok, faults, notes }) : lines.map(line => `${line}\n`).join(''))
    return ok
  }
})
