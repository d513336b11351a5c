import { readerOf, signerOf } from '../../src/scheme/variants.js'
import { commandOf } from '../../src/command-line/command.js'
import { json, visible } from '../../src/text/characters.js'
import { warningsOf } from '../explain/warnings.js'
import { inputFrom, inputOptions, requestHelp } from './request-input.js'
import { requiredToken, tokenHelp, variantHelp } from './scheme-input.js'

export const command = commandOf({
  help: `Usage: payment-signature sign [options] [-]

Prints the signature of a request.

${requestHelp}
${tokenHelp}
Options
${variantHelp}  --json                      { "variant": "A", "signature": "…" }

Exit code: 0 signed, 1 the request cannot be signed, 2 wrong usage

Example
  payment-signature sign --amount 100.00 --merchant-account-number 102551 --order-id ORDER-12345 \\
    --sid client-generated-session-id --client-time-stamp 1709912345678
`,

  options: inputOptions,
  maxPositionals: 1,

  async run (args, io) {
    const { values } = args
    const { request, variant, merchantToken } = await inputFrom(args, io, request => requiredToken(values, io, request))
    const signed = { ...request, merchantToken: undefined }
    const signature = signerOf(variant, merchantToken).sign(signed)
    for (const { message } of warningsOf(readerOf(variant).read(signed), signed)) {
      io.stderr.write(`payment-signature: warning: ${visible(message)}\n`)
    }
    io.stdout.write(values.json ? json({ variant, signature }) : `${signature}\n`)
    return true
  }
})
