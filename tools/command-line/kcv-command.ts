import { keyCheckValue } from '../../src/token/key-check-value.js'
import { commandOf } from '../../src/command-line/command.js'
import { json } from '../../src/command-line/output.js'
import { requiredToken, tokenHelp } from './token-input.js'

export const command = commandOf({
  help: `Usage: payment-signature kcv [options]

Prints the key check value of the token: 6 hexadecimal digits, as in the service's start line. Different values mean
different tokens.

${tokenHelp}
Options
  --json                      { "keyCheckValue": "…" }

Exit code: 0 printed, 2 wrong usage

Example
  payment-signature kcv --token-file /run/secrets/merchant-token
`,

  options: { 'token-file': { type: 'string' }, json: { type: 'boolean' } },

  async run ({ values }, io) {
    const value = keyCheckValue(await requiredToken(values, io))
    io.stdout.write(values.json ? json({ keyCheckValue: value }) : `${value}\n`)
    return true
  }
})
