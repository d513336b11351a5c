import { knownKeys, policyFaults } from '../guard/policy.js'
import type { Policy } from '../guard/policy.js'
import { parse } from './arguments.js'
import { exitCodes } from './command.js'
import type { Command } from './command.js'
import { CommandError } from './command-error.js'
import { json, marksOf, visible } from './output.js'
import { nameOf, parseJson, readText } from './read-text.js'

export const command: Command = {
  help: `Usage: payment-signature policy check FILE

Checks a policy file (POLICY_FILE) as the service does when it starts; - is standard input.

Options
  --json                      { "ok", "faults": ["…"] }

Exit code: 0 valid, 1 invalid, 2 wrong usage

Example
  payment-signature policy check policy.json
`,

  async run (args, io) {
    const { values, positionals: [action, path] } = parse(args, { json: { type: 'boolean' } }, 2)
    if (action !== 'check' || path === undefined) throw new CommandError('usage: payment-signature policy check FILE')
    const policy = parseJson(await readText(path, io), nameOf(path))
    const faults = policyFaults(policy)
    const warnings = faults.length === 0 ? knownKeys(policy as Policy) : []
    for (const warning of warnings) io.stderr.write(`payment-signature: warning: ${visible(warning)}\n`)
    const marks = marksOf(io)
    if (values.json) io.stdout.write(json({ ok: faults.length === 0, faults }))
    else if (faults.length > 0) io.stdout.write(faults.map(fault => `${marks.failed} ${visible(fault)}\n`).join(''))
    else io.stdout.write(`${marks.ok} callers: ${(policy as Policy).callers.map(({ name }) => name).join(', ')}\n`)
    return faults.length === 0 ? exitCodes.ok : exitCodes.mismatch
  }
}
