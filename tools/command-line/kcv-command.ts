import { keyCheckValue } from '../../src/token/key-check-value.js'
import { commandOf } from '../../src/command-line/command.js'
import { json } from '../../src/text/characters.js'
import { merchantsFrom, requiredToken, tokenHelp, withValue } from './scheme-input.js'

export const command = commandOf({
  help: `Usage: payment-signature kcv [options]

Prints the key check value of the token: 6 hexadecimal digits, as in the service's start line. Different values mean
different tokens. With --merchants or MERCHANTS_FILE it prints the name and the key check value of each merchant, a line
each.

${tokenHelp}
Options
  --json                      { "keyCheckValue": "…" }, or an object with the key check values by name

Exit code: 0 printed, 2 wrong usage

Example
  payment-signature kcv --token-file /run/secrets/merchant-token
`,

  options: { ...withValue('token-file', 'merchants'), json: { type: 'boolean' } },

  async run ({ values }, io) {
    const merchants = (await merchantsFrom(values, io))?.merchants
    if (merchants !== undefined) {
      const pairs = [...new Map(merchants.map(({ name, token }) => [name, keyCheckValue(token())]))]
      io.stdout.write(values.json ? json(Object.fromEntries(pairs)) : pairs.map(pair => `${pair.join(' ')}\n`).join(''))
      return true
    }
    const value = keyCheckValue(await requiredToken(values, io))
    io.stdout.write(values.json ? json({ keyCheckValue: value }) : `${value}\n`)
    return true
  }
})
