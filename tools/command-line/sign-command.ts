import { signerOf } from '../../src/scheme/variants.js'
import { visible } from '../explain/characters.js'
import { warningsOf } from '../explain/warnings.js'
import { commandOf } from './command.js'
import { fieldsHelp, inputOptions, inputUsage, requestFrom, schemeFor, warn } from './input.js'

export const command = commandOf({
  usage: inputUsage,
  help: `Prints the signature of a request.
${fieldsHelp}`,
  options: inputOptions,
  hasFields: true,
  end: `Exit code: 0 signed, 1 the request cannot be signed, 2 wrong usage

Example
  payment-signature sign amount=100.00 merchantAccountNumber=102551 orderId=ORDER-12345 \\
    sid=client-generated-session-id clientTimeStamp=1709912345678`,

  async run (given, io) {
    const request = { ...await requestFrom(given, io) }
    const { variant, merchantToken = '' } = await schemeFor(given.values, io, true, request)
    const signed = { ...request, merchantToken: undefined }
    const signer = signerOf(variant, merchantToken)
    const reading = signer.read(signed)
    const signature = signer.sign(reading)
    warn(warningsOf(reading, signed).map(({ message }) => visible(message)), io)
    io.stdout.write(`${signature}\n`)
    return true
  }
})
