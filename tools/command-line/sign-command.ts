import { readerOf, signerOf } from '../../src/scheme/variants.js'
import { json as jsonOf, visible } from '../explain/characters.js'
import { warningsOf } from '../explain/warnings.js'
import { commandOf, json } from './command.js'
import { inputOptions, requestFrom } from './request-input.js'
import { schemeFor, warn } from './token-input.js'

export const command = commandOf({
  usage: '[options]',
  help: 'Prints the signature of a request.',
  options: { ...inputOptions, ...json('{ "variant": "A", "signature": "…" }') },
  end: `Exit code: 0 signed, 1 the request cannot be signed, 2 wrong usage

Example
  payment-signature sign --amount 100.00 --merchant-account-number 102551 --order-id ORDER-12345 \\
    --sid client-generated-session-id --client-time-stamp 1709912345678`,

  async run ({ values }, io) {
    const request = { ...await requestFrom(values, io) }
    const { variant, merchantToken = '' } = await schemeFor(values, io, true, request)
    const signed = { ...request, merchantToken: undefined }
    const signature = signerOf(variant, merchantToken).sign(signed)
    warn(warningsOf(readerOf(variant).read(signed), signed).map(({ message }) => visible(message)), io)
    io.stdout.write(values.json ? jsonOf({ variant, signature }) : `${signature}\n`)
    return true
  }
})
