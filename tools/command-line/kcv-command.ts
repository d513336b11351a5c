import { keyCheckValue } from '../../src/merchants/key-check-value.js'
import { json as jsonOf } from '../explain/characters.js'
import { commandOf, json } from './command.js'
import { merchantsFrom, schemeOptions, tokenFrom } from './token-input.js'

export const command = commandOf({
  usage: '[options]',
  help: `Prints the key check value of the token: 6 hexadecimal digits, as in the service's start line. Different values mean
different tokens. With --merchants or MERCHANTS_FILE it prints the name and the key check value of each merchant, a line
each.`,
  options: { ...schemeOptions, ...json('{ "keyCheckValue": "…" }, or an object with the key check values by name') },
  end: `Exit code: 0 printed, 2 wrong usage

Example
  payment-signature kcv --token-file /run/secrets/merchant-token`,

  async run ({ values }, io) {
    const merchants = await merchantsFrom(values, io)
    if (merchants !== undefined) {
      const pairs = [...new Map(merchants.map(({ name, token }) => [name, keyCheckValue(token)]))]
      io.stdout.write(values.json ? jsonOf(Object.fromEntries(pairs)) : pairs.map(pair => `${pair.join(' ')}\n`).join(''))
      return true
    }
    const value = keyCheckValue(await tokenFrom(values, io, true) ?? '')
    io.stdout.write(values.json ? jsonOf({ keyCheckValue: value }) : `${value}\n`)
    return true
  }
})
